"""What is committed of a turn: the user's question and the answer, without anything that the gateway had added."""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import blake2b
from typing import TYPE_CHECKING

from gateway.context.query import last_user_text, text_of, without_blocks
from gateway.turn import Exchange

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from gateway.turn import Turn

MAX_TEXT = 65_536
"""Characters of a question or an answer that are kept."""
_UNSPOKEN = ("system", "developer")


def finished(turn: Turn, answer: str) -> Exchange | None:
    """The exchange that ends with `answer`; None when there is nobody to remember it for, or nothing that the user said."""
    if turn.user is None or not turn.memory.commit:
        return None
    messages = turn.body.get("messages")
    question = last_user_text(messages) if isinstance(messages, list) else ""
    if not question or not isinstance(messages, list):
        return None
    said = without_blocks(answer)
    key = exchange_key(turn.user, messages, said)
    return Exchange(key, turn.user, sendable(question)[:MAX_TEXT], sendable(said)[:MAX_TEXT], datetime.now(UTC), turn.session)


def exchange_key(user: str, messages: Sequence[Any], answer: str) -> str:
    """The same conversation of the same user with the same answer has the same key, so that a retry is committed once.

    What was said counts, and by whom: not how a client writes it down (parts, further fields, white space at the ends), nor our own
    blocks, nor system messages, where clients put clocks.
    """
    return ConversationKey(user, messages).with_answer(answer)


class ConversationKey:
    """The key of a conversation that grows, message by message."""

    def __init__(self, user: str, messages: Sequence[Any] = ()) -> None:
        self._digest = blake2b(_counted(user), digest_size=20)
        self.add(messages)

    def add(self, messages: Iterable[Any]) -> None:
        """Role and text of each message that says something."""
        parts: list[bytes] = []
        for message in messages:
            if isinstance(message, dict) and message.get("role") not in _UNSPOKEN:
                text = text_of(message.get("content"))
                text = (without_blocks(text) if "<" in text else text).strip()
                if text:
                    parts += (_counted(str(message.get("role"))), _counted(text))
        self._digest.update(b"".join(parts))

    def with_answer(self, answer: str) -> str:
        """The key of the turn that ends with `answer`; the conversation may go on growing."""
        ended = self._digest.copy()
        ended.update(_counted(answer.strip()))
        return ended.hexdigest()


def _counted(part: str) -> bytes:
    """A part with its length before it, so that no two lists of parts read alike."""
    return f"{len(part)}:{part}".encode("utf-8", "replace")


def sendable(text: str) -> str:
    """`text` without lone surrogates, which no database or JSON document can hold."""
    return text.encode("utf-8", "replace").decode()
