"""All memories of a user as lines of JSON, out and in."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Query
from starlette.responses import Response, StreamingResponse

from gateway.api.memory.call import Signed
from gateway.api.memory.wire import Whose

MEDIA_TYPE = "application/x-ndjson"
IMPORT_BODY = {
    "requestBody": {
        "required": True,
        "description": 'One memory a line: {"text": "...", "category"?, "metadata"?, "createdAt"?}.',
        "content": {MEDIA_TYPE: {"schema": {"type": "string"}}},
    }
}


def add_transfer(router: APIRouter) -> None:
    """`GET /api/v1/memory/export` and `POST /api/v1/memory/import`."""

    @router.get("/export", summary="Export all memories", response_class=StreamingResponse)
    async def export(whose: Annotated[Whose, Query()], call: Signed) -> Response:
        """Every memory of the user, one JSON object a line, newest first."""
        user = call.user(whose.user_id)
        memories = call.memories.export(user)
        first = await anext(memories, None)  # what fails at once is answered with its own status
        headers = {"content-disposition": f'attachment; filename="memories-{user}.jsonl"'}
        return StreamingResponse(_lines(first, memories), media_type=MEDIA_TYPE, headers=headers)

    @router.post("/import", summary="Import memories", openapi_extra=IMPORT_BODY)
    async def import_(whose: Annotated[Whose, Query()], call: Signed) -> dict[str, Any]:
        """Stores the lines that make sense and says of every other what is wrong with it."""
        user = call.user(whose.user_id)
        body = await call.request.body()
        done = await call.memories.import_(user, body.removeprefix(b"\xef\xbb\xbf").split(b"\n"))
        return {"added": done.added, "problems": [{"line": line, "message": message} for line, message in done.problems]}


async def _lines(first: dict[str, Any] | None, others: AsyncIterator[dict[str, Any]]) -> AsyncIterator[bytes]:
    if first is None:
        return
    yield orjson.dumps(first) + b"\n"
    async for memory in others:
        yield orjson.dumps(memory) + b"\n"
