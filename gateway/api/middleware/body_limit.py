"""Bounds what a request may send, before and while it arrives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.api.errors import error_response
from gateway.errors import BadRequest, BodyTooLarge

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


class BodyLimit:
    """Refuses bodies of more than `limit` bytes: at once by their `content-length`, else when the limit is passed on the way.

    In the second case `receive()` raises BodyTooLarge in the application, whose answer it becomes (here, when it lets it pass).
    """

    def __init__(self, app: ASGIApp, limit: int) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on unless it says that it is too large."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        problem = self._declared(scope)
        if problem is not None:
            await error_response(problem)(scope, receive, send)
            return
        left = self._limit

        async def receive_counted() -> Message:
            nonlocal left
            message = await receive()
            if message["type"] == "http.request":
                left -= len(message.get("body", b""))
                if left < 0:
                    raise self._too_large()
            return message

        await self._app(scope, receive_counted, send)

    def _declared(self, scope: Scope) -> BadRequest | BodyTooLarge | None:
        lengths = {value for key, value in scope["headers"] if key == b"content-length"}
        if not lengths:
            return None
        value = lengths.pop()
        if lengths or not value.isdigit():
            message = "The content-length header must be one whole number of bytes."
            return BadRequest(message, code="invalid_content_length")
        digits = value.lstrip(b"0")
        return self._too_large() if len(digits) > 18 or int(digits or b"0") > self._limit else None

    def _too_large(self) -> BodyTooLarge:
        mib = self._limit / 2**20
        return BodyTooLarge(f"The body is over {mib:g} MiB. Send less, or raise server.max_body_mib.")
