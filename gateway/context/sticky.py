"""Keeps the block of a conversation as it is while it is still good, so that the upstream's prefix cache holds."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from cachetools import LRUCache

from gateway.context.query import text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gateway.turn import Turn
    from providers.base import Memory

_LEADING = 2
"""So many of the best new memories must stand in the old block for it to be still good."""


class Sticky:
    """Remembers which memories each conversation was last given (in this process, for the latest conversations)."""

    def __init__(self, conversations: int = 4096) -> None:
        self._given: LRUCache[bytes, tuple[str, ...]] = LRUCache(conversations)

    def choose(self, turn: Turn, found: Sequence[Memory], top_k: int) -> Sequence[Memory]:
        """The memories for this turn: those of the conversation's last block while all of them are among `found` and the best new ones
        are among them, else the best `top_k`. What was forgotten is not found and so never stays."""
        key = _conversation(turn)
        if key is None:
            return found[:top_k]
        by_id = {memory.id: memory for memory in found}
        given = self._given.get(key)
        if given and all(memory_id in by_id for memory_id in given) and all(m.id in given for m in found[:_LEADING]):
            return [by_id[memory_id] for memory_id in given]
        chosen = found[:top_k]
        self._given[key] = tuple(memory.id for memory in chosen)
        return chosen


def _conversation(turn: Turn) -> bytes | None:
    """What tells one conversation of a user from another: the client's session, else how it began. None when no user speaks."""
    if turn.session:
        return _digest(turn.user, turn.session)
    messages = turn.body.get("messages")
    if not isinstance(messages, list):
        return None
    first = next((message for message in messages if isinstance(message, dict) and message.get("role") == "user"), None)
    return None if first is None else _digest(turn.user, text_of(first.get("content"))[:4000])


def _digest(user: str | None, text: str) -> bytes:
    return blake2b(f"{user}\0{text}".encode("utf-8", "replace"), digest_size=16).digest()
