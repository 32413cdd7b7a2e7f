"""`/api/v1/memory`: what a user's memories are, and changing them by hand.

For the holder of the admin password (any user) and of a named key (its own user; any user where the key may act for any).
"""

from collections.abc import Callable

from fastapi import APIRouter, Depends, Request

from gateway.api.access import caller_of
from gateway.api.memory.call import Call
from gateway.api.memory.reading import add_reading
from gateway.api.memory.single import add_single
from gateway.api.memory.transfer import add_transfer
from gateway.api.memory.writing import add_writing
from gateway.parts import Parts

PREFIX = "/api/v1/memory"


def memory_routes(current: Callable[[], Parts]) -> APIRouter:
    """All routes of the memory API. Who is calling is settled before anything else is looked at."""

    async def sign(request: Request) -> None:
        parts = current()
        request.state.call = Call(parts, request, caller_of(parts, request))

    router = APIRouter(prefix=PREFIX, tags=["memory"], dependencies=[Depends(sign)])
    add_reading(router)
    add_writing(router)
    add_transfer(router)
    add_single(router)  # last: its path takes everything that the others leave
    return router
