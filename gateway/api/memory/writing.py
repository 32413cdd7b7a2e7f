"""`POST /api/v1/memory`: add, commit, clear; and what became of a commit."""

from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Query
from starlette.responses import Response

from gateway.api.memory.call import Call, Signed
from gateway.api.memory.commits import commit, commit_status
from gateway.api.memory.wire import Add, Clear, Commit, Whose, memory_json, not_stored, parse_action
from gateway.api.validation import body_schema
from providers.base import NewMemory


def add_writing(router: APIRouter) -> None:
    """`POST /api/v1/memory` and `GET /api/v1/memory/commits/{id}`."""

    @router.post("", summary="Add, commit or clear", openapi_extra=body_schema(Add, Commit, Clear))
    async def act(call: Signed) -> Response:
        """`add` stores one memory, `commit` draws memories out of a conversation, `clear` forgets all of a user."""
        action = parse_action(await call.request.body())
        user = call.user(action.user_id)
        if isinstance(action, Add):
            return _answer(await _add(call, user, action))
        if isinstance(action, Commit):
            answer = await commit(call.parts, user, action)
            return _answer(answer, 202 if answer["status"] == "pending" else 200)
        return _answer(await _clear(call, user))

    @router.get("/commits/{commit_id}", summary="What became of a commit")
    async def status(commit_id: str, whose: Annotated[Whose, Query()], call: Signed) -> dict[str, Any]:
        """`pending`, `committed` or `failed`."""
        return await commit_status(call.parts, call.user(whose.user_id), commit_id)


async def _add(call: Call, user: str, action: Add) -> dict[str, Any]:
    new = NewMemory(action.text, action.category, action.metadata, action.created_at)
    stored = await call.memories.add(user, [new])
    if not stored:
        raise not_stored()
    return {"memory": memory_json(stored[0])}


async def _clear(call: Call, user: str) -> dict[str, Any]:
    """What still waits to be committed goes first, so that it does not come back."""
    await call.parts.outbox.erase(user)
    return {"cleared": await call.memories.clear(user)}


def _answer(content: dict[str, Any], status: int = 200) -> Response:
    return Response(orjson.dumps(content), status, media_type="application/json")
