"""One call of the memory API: the parts in use, the request, and who sent it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Request

from gateway.api.access import Caller, target
from gateway.parts import Parts

if TYPE_CHECKING:
    from gateway.memories import Memories


@dataclass(frozen=True, slots=True)
class Call:
    """A call whose sender is known."""

    parts: Parts
    request: Request
    caller: Caller

    def user(self, named: str | None) -> str:
        """The user whose memories are meant, checked against what the sender may do. Every route asks here and nowhere else."""
        return target(self.caller, self.request, named)

    @property
    def memories(self) -> "Memories":
        """Where memories are read and written."""
        return self.parts.memories


async def _signed(request: Request) -> Call:
    call = request.state.call
    assert isinstance(call, Call)  # noqa: S101 - the router put it there, or refused the request
    return call


Signed = Annotated[Call, Depends(_signed)]
"""The call, in a route of the memory API."""
