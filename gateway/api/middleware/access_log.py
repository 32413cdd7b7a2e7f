"""One line per request: what was asked for and how it went, never by whom and never with a query."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import structlog

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LONGEST_PATH = 200
"""Characters of an address that belongs to no route."""


QUIET = frozenset({"/healthz", "/readyz", "/metrics"})
"""What machines ask for every few seconds: written at debug level."""


class AccessLog:
    """Writes method, path, status and milliseconds when an answer is complete. Status 0: the client left before one began."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._log = structlog.get_logger(__name__)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on and writes the line afterwards, also when it failed."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        status = 0

        async def send_noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, send_noted)
        finally:
            ms = round((time.perf_counter() - started) * 1000, 1)
            path = path_of(scope)
            write = self._log.debug if path in QUIET else self._log.info
            write("request", method=scope["method"], path=path, status=status, ms=ms)


def path_of(scope: Scope) -> str:
    """The route's template (`/api/v1/memory/{memory_id}`), else the path as asked for, cut and made printable."""
    template = getattr(scope.get("route"), "path_format", None)
    if isinstance(template, str):
        return template
    return "".join(char if char.isprintable() else "?" for char in scope["path"][:LONGEST_PATH])
