"""Serves the gateway under a path of its own behind a proxy."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


class BasePath:
    """Takes `base` (`/eluvix`) off the front of the path, so that everything inside sees the addresses that the documents name.

    Paths without it are served too: some proxies take it off themselves, and the machine's own tools need none.
    """

    def __init__(self, app: ASGIApp, base: str) -> None:
        self._app = app
        self._base = base.rstrip("/")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on with the shorter path."""
        if scope["type"] in ("http", "websocket") and self._inside(scope["path"]):
            scope["path"] = scope["path"][len(self._base) :] or "/"
            raw = scope.get("raw_path")
            if raw and raw.startswith(self._base.encode()):
                scope["raw_path"] = raw[len(self._base) :] or b"/"
        await self._app(scope, receive, send)

    def _inside(self, path: str) -> bool:
        return bool(self._base) and (path == self._base or path.startswith(self._base + "/"))
