"""Calls an ASGI application with exactly these bytes: clients would tidy some of them up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.types import ASGIApp, Message, Receive, Scope, Send


@dataclass(slots=True)
class Result:
    """What an application sent."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def error(self) -> dict[str, Any]:
        error: dict[str, Any] = orjson.loads(self.body)["error"]
        return error


def http_scope(method: str = "GET", path: str = "/", headers: Sequence[tuple[str, str]] = (), **more: Any) -> Scope:
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 3588),
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers],
    }
    return scope | more


async def call(app: ASGIApp, scope: Scope, pieces: Sequence[bytes] = (b"",)) -> Result:
    """Sends `pieces` as the body, then tells the application that the client has left."""
    waiting = [{"type": "http.request", "body": piece, "more_body": True} for piece in pieces]
    waiting[-1]["more_body"] = False
    result = Result()

    async def receive() -> Message:
        return waiting.pop(0) if waiting else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            result.status = message["status"]
            result.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            result.body += message.get("body", b"")

    await app(scope, receive, send)
    return result


class Recorder:
    """An application that answers 200 with the body it was sent and remembers the scopes it saw."""

    def __init__(self, headers: Sequence[tuple[bytes, bytes]] = ()) -> None:
        self.scopes: list[Scope] = []
        self._headers = list(headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scopes.append(scope)
        body, more = b"", True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        await send({"type": "http.response.start", "status": 200, "headers": self._headers})
        await send({"type": "http.response.body", "body": body})
