"""Searching, listing, and seeing what a model would get."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from gateway.api.memory.call import Call, Signed
from gateway.api.memory.wire import Find, PreviewQuery, memory_json
from gateway.errors import BadRequest
from providers.base import ProviderRefused

SEARCH_LIMIT = 5
LIST_LIMIT = 50


def add_reading(router: APIRouter) -> None:
    """`GET /api/v1/memory` and `GET /api/v1/memory/preview`."""

    @router.get("", summary="Search or list memories")
    async def find(wanted: Annotated[Find, Query()], call: Signed) -> dict[str, Any]:
        """With `query` the most relevant memories, best first; without one all of them, newest first, page by page."""
        user = call.user(wanted.user_id)
        if wanted.query and wanted.query.strip():
            return await _search(call, user, wanted, wanted.query)
        return await _list(call, user, wanted)

    @router.get("/preview", summary="What a model would get")
    async def preview(wanted: Annotated[PreviewQuery, Query()], call: Signed) -> dict[str, Any]:
        """The block for a question, and what the egress guard would leave of it for an upstream. Nothing is sent."""
        user = call.user(wanted.user_id)
        return await call.parts.pipeline.preview(user, wanted.query, wanted.max_tokens, wanted.upstream)


async def _search(call: Call, user: str, wanted: Find, query: str) -> dict[str, Any]:
    if wanted.cursor is not None:
        message = "`cursor` is for listings. Leave it out, or leave out `query`."
        raise BadRequest(message, code="invalid_value", param="cursor")
    found = await call.memories.search(user, query, wanted.limit or SEARCH_LIMIT)
    return {"memories": [memory_json(memory) for memory in found]}


async def _list(call: Call, user: str, wanted: Find) -> dict[str, Any]:
    try:
        page = await call.memories.list(user, wanted.limit or LIST_LIMIT, wanted.cursor)
    except ProviderRefused as error:
        if wanted.cursor is None:
            raise
        raise BadRequest(str(error), code="invalid_value", param="cursor") from None
    answer: dict[str, Any] = {"memories": [memory_json(memory) for memory in page.memories]}
    return answer if page.cursor is None else answer | {"cursor": page.cursor}
