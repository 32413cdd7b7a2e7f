"""The model endpoints: plain ASGI, since these are the requests that must cost next to nothing.

Whoever leaves, in whatever phase, cancels what was begun for them, the upstream's work included.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

import structlog
from starlette.requests import ClientDisconnect

from gateway.api.errors import error_response
from gateway.api.requests import Incoming, decompressed, make_turn
from gateway.errors import EluvixError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from starlette.types import Receive, Scope, Send

    from gateway.parts import Parts
    from gateway.reply import Reply
    from gateway.turn import Endpoint, Principal

log = structlog.get_logger()


class ModelEndpoint:
    """POST to one endpoint that reaches a model. `max_body` bounds an unpacked body, in bytes."""

    def __init__(self, endpoint: Endpoint, current: Callable[[], Parts], max_body: int) -> None:
        self._endpoint = endpoint
        self._current = current
        self._max_body = max_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one request."""
        parts = self._current()
        try:
            principal = parts.identity.principal(scope["headers"])  # before the body: a stranger's is not even read
            raw = await _read(receive)
        except ClientDisconnect:
            return
        except EluvixError as error:
            await error_response(error)(scope, receive, send)
            return
        await _until_gone(self._serve(scope, _Request(parts, principal, raw), receive, send), receive)

    async def _serve(self, scope: Scope, request: _Request, receive: Receive, send: Send) -> None:
        try:
            reply = await self._answer(scope, request)
        except EluvixError as error:
            await error_response(error)(scope, receive, send)
            return
        try:
            await _send(reply, send)
        finally:
            reply.close()

    async def _answer(self, scope: Scope, request: _Request) -> Reply:
        received = perf_counter()
        headers, raw = scope["headers"], request.raw
        for name, value in headers:
            if name == b"content-encoding" and value.strip().lower() not in {b"", b"identity"}:
                raw = decompressed(raw, value.strip().lower(), self._max_body)
        incoming = Incoming(self._endpoint, raw, headers, request.principal, scope["state"]["request_id"], received)
        return await request.parts.pipeline.answer(make_turn(incoming, request.parts.memory))


@dataclass(frozen=True, slots=True)
class _Request:
    """A request that was read: with whom it came, and the parts that it began with."""

    parts: Parts
    principal: Principal
    raw: bytes


async def _read(receive: Receive) -> bytes:
    """The whole body. Raises ClientDisconnect when the client leaves before its end."""
    message = await receive()
    body: bytes = message.get("body", b"")
    if message["type"] == "http.disconnect":
        raise ClientDisconnect
    if not message.get("more_body"):
        return body
    pieces = [body]
    while message.get("more_body"):
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        pieces.append(message.get("body", b""))
    return b"".join(pieces)


async def _send(reply: Reply, send: Send) -> None:
    await send({"type": "http.response.start", "status": reply.status, "headers": reply.headers})
    if reply.pieces is None:
        await send({"type": "http.response.body", "body": reply.body})
        return
    async with aclosing(reply.pieces) as pieces:
        async for piece in pieces:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


async def _until_gone(work: Coroutine[None, None, None], receive: Receive) -> None:
    """Runs `work`, and cancels it when the client has left."""
    task = asyncio.current_task()
    assert task is not None  # noqa: S101 - ASGI servers run each request in a task
    gone = False

    async def watch() -> None:
        nonlocal gone
        while (await receive())["type"] != "http.disconnect":
            pass
        gone = True
        task.cancel()

    watcher = asyncio.ensure_future(watch())
    try:
        await work
    except asyncio.CancelledError:
        if not gone:
            raise
        log.info("client left")
    finally:
        watcher.cancel()
