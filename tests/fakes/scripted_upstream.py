"""A raw TCP (or TLS) server in the test's own event loop that plays scripted bytes: any chunk boundary, stall, close or reset.

    async with ScriptedUpstream([plain(b"{}")]) as server:
        ... server.url ...
        assert server.requests[0].headers["host"]

Each script answers one request, in the order in which requests come in on any connection; the last one answers all further ones.
"""

from __future__ import annotations

import asyncio
import enum
import socket
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Sequence
    from types import TracebackType


class Play(enum.Enum):
    """Steps of a script that are not bytes."""

    EARLY = enum.auto()
    """First step: answer when the head is here, before the body is read."""
    CLOSE = enum.auto()
    """Close in an orderly way."""
    RESET = enum.auto()
    """Close with RST."""


Step = bytes | asyncio.Event | Play
"""Bytes are sent, an event is awaited."""
Script = list[Step]


@dataclass(frozen=True, slots=True)
class Received:
    """A request as it came in; header names are lower-case. `connection` counts from 1."""

    method: str
    target: str
    headers: dict[str, str]
    head: bytes
    body: bytes
    connection: int


def plain(body: bytes, status: int = 200, *headers: str) -> bytes:
    """An answer with content-length."""
    lines = "".join(f"{header}\r\n" for header in ("content-type: application/json", *headers))
    return f"HTTP/1.1 {status} Scripted\r\n{lines}content-length: {len(body)}\r\n\r\n".encode() + body


CHUNKED_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
LAST_CHUNK = b"0\r\n\r\n"


def chunk(data: bytes) -> bytes:
    """One chunk of a chunked body."""
    return b"%x\r\n%b\r\n" % (len(data), data)


class ScriptedUpstream:
    """The server. It is up inside `async with`."""

    def __init__(self, *scripts: Script, tls: ssl.SSLContext | None = None, port: int = 0) -> None:
        self.requests: list[Received] = []
        self.connections = 0
        """Accepted so far."""
        self.connected = asyncio.Event()
        self.head_received = asyncio.Event()
        self.peer_gone = asyncio.Event()
        """Set when a peer has closed or reset a connection."""
        self.errors: list[BaseException] = []
        self.port = port
        self._scripts = scripts
        self._begun = 0
        self._tls = tls
        self._peers: set[_Peer] = set()
        self._arrivals = asyncio.Condition()
        self._coming_and_going = asyncio.Event()

    @property
    def url(self) -> str:
        """Base url, ending in /v1."""
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self.port}/v1"

    @property
    def open_connections(self) -> int:
        """How many are open now."""
        return len(self._peers)

    async def __aenter__(self) -> ScriptedUpstream:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Peer(self), "127.0.0.1", self.port, ssl=self._tls)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self._server.close()
        peers = list(self._peers)
        self.drop_connections()
        await asyncio.gather(*(peer.task for peer in peers if peer.task is not None), return_exceptions=True)
        await self._server.wait_closed()
        if error is None and self.errors:
            raise self.errors[0]

    def drop_connections(self, *, reset: bool = False) -> None:
        """Closes every connection that is open now."""
        for peer in list(self._peers):
            peer.close(reset=reset)

    async def received(self, count: int = 1) -> None:
        """Returns when `count` whole requests have come in."""
        async with self._arrivals:
            await self._arrivals.wait_for(lambda: len(self.requests) >= count)

    async def open_connections_are(self, count: int) -> None:
        """Returns when so many are open."""
        while len(self._peers) != count:
            self._coming_and_going.clear()
            await self._coming_and_going.wait()

    def begin(self) -> Script:
        """The script for the next request."""
        script = self._scripts[min(self._begun, len(self._scripts) - 1)]
        self._begun += 1
        return script

    async def record(self, request: Received) -> None:
        """Notes a request that is complete."""
        async with self._arrivals:
            self.requests.append(request)
            self._arrivals.notify_all()

    def joined(self, peer: _Peer) -> int:
        """A connection is open: its number."""
        self.connections += 1
        self._peers.add(peer)
        self.connected.set()
        self._coming_and_going.set()
        return self.connections

    def left(self, peer: _Peer) -> None:
        """A connection is gone."""
        self._peers.discard(peer)
        self._coming_and_going.set()
        if not peer.closed_by_us:
            self.peer_gone.set()


class _Peer(asyncio.Protocol):
    def __init__(self, server: ScriptedUpstream) -> None:
        self.task: asyncio.Task[None] | None = None
        self.closed_by_us = False
        self._server = server
        self._buffer = bytearray()
        self._changed = asyncio.Event()
        self._lost = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        number = self._server.joined(self)
        self.task = asyncio.get_running_loop().create_task(self._serve(number))

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        self._changed.set()

    def connection_lost(self, error: Exception | None) -> None:
        self._lost = True
        self._server.left(self)
        if self.task is not None:
            self.task.cancel()

    def close(self, *, reset: bool = False) -> None:
        self.closed_by_us = True
        if reset:
            linger = struct.pack("ii", 1, 0)
            self._transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            self._transport.abort()
        else:
            self._transport.close()

    async def _serve(self, number: int) -> None:
        try:
            while not self._lost and not self.closed_by_us:
                await self._answer(number)
        except asyncio.CancelledError:
            return
        except BaseException as error:  # shown by the test when it leaves the server
            self._server.errors.append(error)
            self._transport.abort()

    async def _answer(self, number: int) -> None:
        await self._until(lambda: b"\r\n\r\n" in self._buffer)
        head = self._cut(self._buffer.index(b"\r\n\r\n") + 4)
        method, target, headers = _parse(head)
        script = self._server.begin()
        self._server.head_received.set()
        early = script[:1] == [Play.EARLY]
        if early:
            await self._play(script[1:])
        length = int(headers.get("content-length", "0"))
        await self._until(lambda: len(self._buffer) >= length)
        await self._server.record(Received(method, target, headers, head, self._cut(length), number))
        if not early:
            await self._play(script)

    async def _play(self, script: Sequence[Step]) -> None:
        for step in script:
            if isinstance(step, bytes):
                self._transport.write(step)
                await asyncio.sleep(0)
            elif isinstance(step, asyncio.Event):
                await step.wait()
            else:
                self.close(reset=step is Play.RESET)

    async def _until(self, ready: Callable[[], bool]) -> None:
        while not ready():
            self._changed.clear()
            await self._changed.wait()

    def _cut(self, size: int) -> bytes:
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        return data


def _parse(head: bytes) -> tuple[str, str, dict[str, str]]:
    first, *lines = head.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
    method, target, _ = first.split(" ")
    pairs = (line.partition(":") for line in lines)
    return method, target, {name.lower(): value.strip() for name, _, value in pairs}
