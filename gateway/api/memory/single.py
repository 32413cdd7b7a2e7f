"""One memory by its id. Another user's memory is as unknown as one that never was."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from gateway.api.memory.call import Call, Signed
from gateway.api.memory.wire import Change, Whose, memory_json, not_stored
from gateway.api.validation import body_schema, parse_object, validate
from gateway.errors import EluvixError, NotFound


def add_single(router: APIRouter) -> None:
    """`GET | PATCH | DELETE /api/v1/memory/{id}`. Ids may hold slashes."""

    @router.get("/{memory_id:path}", summary="One memory")
    async def get(memory_id: str, whose: Annotated[Whose, Query()], call: Signed) -> dict[str, Any]:
        memory = await call.memories.get(call.user(whose.user_id), memory_id)
        if memory is None:
            raise _unknown()
        return {"memory": memory_json(memory)}

    @router.patch("/{memory_id:path}", summary="Change a memory", openapi_extra=body_schema(Change))
    async def change(memory_id: str, whose: Annotated[Whose, Query()], call: Signed) -> dict[str, Any]:
        """Changes text, category or metadata; what is not named stays as it is."""
        user = call.user(whose.user_id)
        wanted = validate(Change, parse_object(await call.request.body()))
        memory = await call.memories.edit(user, memory_id, wanted.text, wanted.category, wanted.metadata)
        if memory is None:
            raise await _unchanged(call, user, memory_id)
        return {"memory": memory_json(memory)}

    @router.delete("/{memory_id:path}", summary="Forget a memory")
    async def forget(memory_id: str, whose: Annotated[Whose, Query()], call: Signed) -> dict[str, Any]:
        if not await call.memories.delete(call.user(whose.user_id), memory_id):
            raise _unknown()
        return {"deleted": memory_id}


async def _unchanged(call: Call, user: str, memory_id: str) -> EluvixError:
    return _unknown() if await call.memories.get(user, memory_id) is None else not_stored()


def _unknown() -> NotFound:
    message = "This user has no memory of that id. GET /api/v1/memory lists those there are."
    return NotFound(message, code="memory_not_found", param="id")
