"""A transport that goes nowhere: it records what is written and asked of it, so that every interleaving can be played in a test."""

from __future__ import annotations

import asyncio
from typing import Any

from gateway.upstreams.base import Timeouts
from gateway.upstreams.wire.connection import Connection
from gateway.upstreams.wire.exchange import Exchange


class MemoryTransport(asyncio.Transport):
    """`written` is what was sent; `reading` is False while paused. `capacity`: bytes after which the protocol is told to pause."""

    def __init__(self, protocol: asyncio.Protocol, capacity: int | None = None) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.reading = True
        self.aborted = False
        self.gone = asyncio.Event()
        self._protocol = protocol
        self._capacity = capacity
        self._buffered = 0
        protocol.connection_made(self)

    def write(self, data: bytes | bytearray | memoryview[Any]) -> None:
        self.written.append(bytes(data))
        if self._capacity is not None:
            self._buffered += len(data)
            if self._buffered > self._capacity:
                self._protocol.pause_writing()

    def drain(self) -> None:
        """All that was written has left."""
        self._buffered = 0
        self._protocol.resume_writing()

    def get_write_buffer_size(self) -> int:
        return self._buffered

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True

    def is_closing(self) -> bool:
        return self.aborted

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return default

    def abort(self) -> None:
        self.aborted = True
        self.gone.set()


class MemoryExchange:
    """An exchange on a connection in memory."""

    def __init__(self, timeouts: Timeouts | None = None, capacity: int | None = None) -> None:
        self.connection = Connection()
        self.transport = MemoryTransport(self.connection, capacity)
        self.exchange = Exchange(self.connection, "up", timeouts or Timeouts())

    async def begin(self, body: bytes = b"{}") -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(self.exchange.start(b"HEAD", body))
        await settled()
        return task

    def receive(self, *pieces: bytes) -> None:
        for piece in pieces:
            self.connection.data_received(piece)

    def end(self, error: Exception | None = None) -> None:
        if error is None:
            self.connection.eof_received()
        self.connection.connection_lost(error)


async def settled() -> None:
    """Lets every task run until it waits."""
    for _ in range(5):
        await asyncio.sleep(0)
