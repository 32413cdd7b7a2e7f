"""What goes back to a client: status, headers and either a body or the pieces of a stream; and the gateway's own headers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from gateway.turn import Injected, Recalled

Headers = list[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer for the client. `close` gives back what it holds (and cancels the upstream when it is not over); call it always."""

    status: int
    headers: Headers
    body: bytes = b""
    pieces: AsyncGenerator[bytes, None] | None = None
    """The body of a stream."""
    close: Callable[[], None] = lambda: None


def memory_headers(recalled: Recalled, injected: Injected) -> Headers:
    """`x-eluvix-memory` and `x-eluvix-memory-tokens`: what recall found and what of it was really sent."""
    tokens = injected.block.tokens
    return [(b"x-eluvix-memory", outcome(recalled, injected).encode()), (b"x-eluvix-memory-tokens", b"%d" % tokens)]


def outcome(recalled: Recalled, injected: Injected) -> str:
    """`hit;3`, `hit;2;filtered=1`, `hit;0;stripped`, `miss`, `off;no-user`, `error;timeout`, ..."""
    if recalled.status != "hit":
        return f"{recalled.status};{recalled.detail}" if recalled.detail else recalled.status
    said = f"hit;{len(injected.block.memories)}"
    if injected.stripped:
        return f"{said};stripped"
    return f"{said};filtered={injected.filtered}" if injected.filtered else said
