"""The outermost catch: whatever was not answered elsewhere becomes an answer here, and nothing of it reaches the server's log."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog
from starlette.requests import ClientDisconnect

from gateway.api.errors import error_response, internal_error
from gateway.errors import EluvixError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


class ErrorBoundary:
    """Answers an escaped EluvixError with its own status, any other exception with 500, logged by class and place.

    After the answer has begun nothing can be said any more: then the server closes the connection, since the answer is cut short.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._log = structlog.get_logger(__name__)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def send_noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, send_noted)
        except ClientDisconnect:
            self._log.debug("client left")
        except Exception as error:
            known = error if isinstance(error, EluvixError) else None
            if known is None:
                self._log.exception("request failed", exc_info=error)
            if not begun:
                await error_response(known or internal_error())(scope, receive, send)
