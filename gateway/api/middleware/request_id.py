"""A name for each request, so that a client, the log and an upstream can speak of the same one."""

from __future__ import annotations

import re
from itertools import count
from secrets import token_hex
from typing import TYPE_CHECKING

from gateway.telemetry import request_id

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER = b"x-request-id"
_ACCEPTABLE = re.compile(rb"[A-Za-z0-9._-]{1,128}")


class RequestId:
    """Puts `request_id` into `scope["state"]`, into the log lines of the request, and into the answer unless one is there.

    The client's own `x-request-id` is taken when it is 1-128 of letters, digits, `.`, `_` and `-`.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._prefix = f"req_{token_hex(6)}"  # tells processes apart; a system call for each request costs as much as all the rest here
        self._numbers = count(1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Names the request, then passes it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        name = _from_client(scope) or f"{self._prefix}{next(self._numbers):08x}".encode()

        async def send_named(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": _with_id(message.get("headers", ()), name)}
            await send(message)

        text = name.decode()
        scope.setdefault("state", {})["request_id"] = text
        token = request_id.set(text)
        try:
            await self._app(scope, receive, send_named)
        finally:
            request_id.reset(token)


def _from_client(scope: Scope) -> bytes | None:
    for key, value in scope["headers"]:
        if key == HEADER and _ACCEPTABLE.fullmatch(value):
            return bytes(value)
    return None


def _with_id(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> list[tuple[bytes, bytes]]:
    kept = list(headers)
    if not any(key.lower() == HEADER for key, _ in kept):
        kept.append((HEADER, name))
    return kept
