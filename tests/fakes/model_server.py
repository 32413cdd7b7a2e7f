"""An OpenAI-compatible model server on a real socket, in a thread of its own, for gateways that run as processes.

What it answers is a script: `async def script(wire, request)`, so that a test can also stall, cut or watch the peer leave.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Script = Callable[["Wire", "Received"], Awaitable[None]]


class Cut(Exception):
    """Raised by a script to close the connection at once."""


@dataclass(slots=True)
class Received:
    """One request as it arrived. `left` is set when the peer went away before the answer was complete."""

    method: str
    path: str
    headers: Mapping[str, str]
    raw: bytes
    left: threading.Event = field(default_factory=threading.Event)

    @property
    def body(self) -> dict[str, Any]:
        parsed: dict[str, Any] = json.loads(self.raw) if self.raw else {}
        return parsed


class Wire:
    """The way back to the peer, for one answer."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, received: Received) -> None:
        self._reader = reader
        self._writer = writer
        self._received = received

    async def send_json(self, value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        """A whole answer with a length."""
        data = json.dumps(value).encode()
        await self._head(status, {"content-type": "application/json", "content-length": str(len(data)), **(headers or {})})
        await self._write(data)

    async def start_events(self) -> None:
        await self._head(200, {"content-type": "text/event-stream", "transfer-encoding": "chunked"})

    async def event(self, value: object) -> None:
        """One event; a str is sent as it is (`[DONE]`), anything else as JSON."""
        text = value if isinstance(value, str) else json.dumps(value)
        data = f"data: {text}\n\n".encode()
        await self._write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    async def end_events(self) -> None:
        await self._write(b"0\r\n\r\n")

    async def peer_left(self) -> None:
        """Waits until the peer closes the connection, and notes it."""
        with contextlib.suppress(ConnectionError):
            await self._reader.read(1)
        self._received.left.set()
        raise Cut

    async def _head(self, status: int, headers: Mapping[str, str]) -> None:
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        await self._write(f"HTTP/1.1 {status} Scripted\r\n{lines}\r\n".encode())

    async def _write(self, data: bytes) -> None:
        try:
            self._writer.write(data)
            await self._writer.drain()
        except ConnectionError:
            self._received.left.set()
            raise Cut from None


class ModelServer:
    """Runs between `with` and its end; `url` is its base, `seen` every request that reached it, in order of arrival."""

    def __init__(self, script: Script) -> None:
        self.seen: list[Received] = []
        self.url = ""
        self._script = script
        self._ready = threading.Event()
        self._stop: Callable[[], object] = lambda: None
        self._open: set[asyncio.StreamWriter] = set()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="model-server", daemon=True)

    def __enter__(self) -> ModelServer:
        self._thread.start()
        assert self._ready.wait(10), "the model server did not start"
        return self

    def __exit__(self, *exc: object) -> None:
        self._stop()
        self._thread.join(10)

    @property
    def open_connections(self) -> int:
        return len(self._open)

    def chats(self) -> list[Received]:
        """The requests that carried a body, in order of arrival."""
        return [request for request in self.seen if request.method == "POST"]

    async def _serve(self) -> None:
        loop, stopped = asyncio.get_running_loop(), asyncio.Event()
        self._stop = lambda: loop.call_soon_threadsafe(stopped.set)
        server = await asyncio.start_server(self._connection, "127.0.0.1", 0, limit=1 << 20)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        self._ready.set()
        await stopped.wait()
        server.close()
        for writer in tuple(self._open):
            writer.transport.abort()

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            while (received := await _read_request(reader)) is not None:
                self.seen.append(received)
                await self._script(Wire(reader, writer, received), received)
        except (Cut, ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            self._open.discard(writer)
            writer.transport.abort()


async def _read_request(reader: asyncio.StreamReader) -> Received | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    start, *lines = head.rstrip("\r\n").split("\r\n")
    method, target, _ = start.split(" ", 2)
    pairs = (line.split(":", 1) for line in lines)
    headers = {name.lower(): value.strip() for name, value in pairs}
    raw = await reader.readexactly(int(headers.get("content-length", "0")))
    return Received(method, target.split("?")[0], headers, raw)
