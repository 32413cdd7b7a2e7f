"""A conversation handed in whole: its turns go into the same durable queue as those of chats."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from gateway.api.errors import ProviderRejected
from gateway.commit.exchange import MAX_TEXT, ConversationKey, sendable
from gateway.context.query import text_of, without_blocks
from gateway.errors import BadRequest, NotFound
from gateway.turn import Exchange

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from gateway.api.memory.wire import Commit
    from gateway.commit.outbox import Outbox, State
    from gateway.parts import Parts

WAIT_S = 2.0
"""How long a commit waits for its memories before it answers `pending`, seconds."""
NEWEST = 100
"""Among so many of the user's newest memories those that a commit made are looked for."""
WORDS: Mapping[State, str] = {"pending": "pending", "done": "committed", "dead": "failed"}
"""The outbox's state -> what the API calls it."""


async def commit(parts: Parts, user: str, action: Commit) -> dict[str, Any]:
    """Queues the turns of a conversation: `{"id", "status", "turns", "memoryIds"}`, `status` `committed` or still `pending`.

    The same conversation again is stored once and answers with the same id. Raises BadRequest when it holds no turn,
    ProviderRejected when memory refused it.
    """
    started = datetime.now(UTC)
    exchanges = list(transcript(user, action.session_id, action.messages))
    if not exchanges:
        message = "`messages` holds nothing that a user said. Send the user's messages and the assistant's answers to them."
        raise BadRequest(message, code="invalid_value", param="messages")
    for new in await asyncio.gather(*(parts.outbox.append(exchange) for exchange in exchanges)):
        parts.metrics.commit("queued" if new else "known")
    states = await _settled(parts.outbox, [exchange.key for exchange in exchanges])
    if "dead" in states.values():
        message = "The memory provider refused these turns. Its log names the reason; `eluvix doctor` shows how it is."
        raise ProviderRejected(message)
    return _answer(states) | {"memoryIds": await _made(parts, user, started)}


async def commit_status(parts: Parts, user: str, commit_id: str) -> dict[str, Any]:
    """`{"id", "status"}` of a commit of this user. Raises NotFound for all others."""
    known = await parts.outbox.status(commit_id)
    if known is None or known[0] != user:
        message = "This user has no commit of that id; those that were done long ago are forgotten."
        raise NotFound(message, code="commit_not_found", param="id")
    return {"id": commit_id, "status": WORDS[known[1]]}


def transcript(user: str, session: str | None, messages: Sequence[Mapping[str, Any]]) -> Iterator[Exchange]:
    """Each message of the user with the last thing that the assistant answered to it ("" where there is no answer).

    The keys are those that the same turns have when they are committed from a chat.
    """
    asked = [place for place, message in enumerate(messages) if message["role"] == "user"]
    conversation, counted = ConversationKey(user), 0
    for place, following in pairwise([*asked, len(messages)]):
        question = without_blocks(text_of(messages[place].get("content"))).strip()
        if not question:
            continue
        end = next((at for at in range(following - 1, place, -1) if _answers(messages[at])), None)
        answer = "" if end is None else without_blocks(text_of(messages[end].get("content")))
        upto = place + 1 if end is None else end
        conversation.add(messages[counted:upto])
        counted = upto
        key = conversation.with_answer(answer)
        yield Exchange(key, user, sendable(question)[:MAX_TEXT], sendable(answer)[:MAX_TEXT], datetime.now(UTC), session)


def _answers(message: Mapping[str, Any]) -> bool:
    """Whether this is an answer, and not the middle of a tool loop."""
    return message["role"] == "assistant" and not message.get("tool_calls") and bool(text_of(message.get("content")))


async def _settled(outbox: Outbox, keys: Sequence[str]) -> dict[str, State]:
    states = await asyncio.gather(*(outbox.wait(key, WAIT_S) for key in keys))
    return dict(zip(keys, states, strict=True))


def _answer(states: Mapping[str, State]) -> dict[str, Any]:
    """The id is that of the last turn that waits: they are worked off in order, so that it is the last to be done."""
    waiting = [key for key, state in states.items() if state == "pending"]
    return {
        "id": waiting[-1] if waiting else list(states)[-1],
        "status": "pending" if waiting else "committed",
        "turns": [{"id": key, "status": WORDS[state]} for key, state in states.items()],
    }


async def _made(parts: Parts, user: str, started: datetime) -> list[str]:
    """The user's memories that were written since `started`; stores keep milliseconds."""
    page = await parts.memories.list(user, NEWEST)
    return [memory.id for memory in page.memories if memory.updated_at >= started - timedelta(milliseconds=1)]
