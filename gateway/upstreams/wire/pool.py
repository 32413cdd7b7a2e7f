"""The connections to one upstream: kept alive, limited in number, closed when idle for long."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

from gateway.upstreams.wire import faults

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from gateway.upstreams.wire.connection import Connection

IDLE_SECONDS = 55.0
"""Just under the minute after which many servers and firewalls forget a silent connection."""


class Pool:
    """At most `limit` connections, made by `dial`. Each of them is idle, carrying an exchange, or being opened."""

    __slots__ = ("_closed", "_dial", "_idle", "_idle_seconds", "_limit", "_live", "_name", "_opening", "_sweeper", "_waiters")

    def __init__(self, dial: Callable[[], Awaitable[Connection]], name: str, limit: int, *, idle_seconds: float = IDLE_SECONDS) -> None:
        self._dial = dial
        self._name = name
        self._limit = limit
        self._idle_seconds = idle_seconds
        self._idle: dict[Connection, None] = {}  # in the order in which they became idle
        self._live: set[Connection] = set()
        self._opening = 0
        self._waiters: deque[asyncio.Future[Connection | None]] = deque()
        self._sweeper: asyncio.TimerHandle | None = None
        self._closed = False

    def take(self) -> Connection | None:
        """The connection that became idle last, or None."""
        while self._idle:
            connection, _ = self._idle.popitem()
            if connection.usable:
                return connection
            connection.abort()
        return None

    async def open(self, patience: float, *, fresh: bool = False) -> Connection:
        """A new connection; where the limit is reached, the next one that comes free within `patience` seconds (unless `fresh`).

        Raises UpstreamUnavailable.
        """
        if self._opening + len(self._live) < self._limit:
            self._opening += 1
        else:
            connection = await self._turn(patience)
            if connection is not None:
                if connection.usable and not fresh:
                    return connection
                self._exchange_for_place(connection)
        return await self._open()

    def release(self, connection: Connection) -> None:
        """Takes back a connection: the longest waiting caller gets it, else it becomes idle."""
        if self._closed:
            connection.abort()
            return
        waiter = self._next_waiter()
        if waiter is not None:
            waiter.set_result(connection)
            return
        loop = asyncio.get_running_loop()
        connection.idle_since = loop.time()
        self._idle[connection] = None
        if self._sweeper is None:
            self._sweeper = loop.call_later(self._idle_seconds, self._sweep)

    def forget(self, connection: Connection) -> None:
        """A connection is gone: its place may be used by another. May be told twice."""
        self._idle.pop(connection, None)
        if connection in self._live:
            self._live.remove(connection)
            self._vacate()

    def close(self) -> None:
        """Closes idle connections, and the others as they come back."""
        self._closed = True
        if self._sweeper is not None:
            self._sweeper.cancel()
            self._sweeper = None
        for connection in list(self._idle):
            connection.abort()

    async def _open(self) -> Connection:
        """Opens one on a place that is already counted in `_opening`."""
        try:
            connection = await self._dial()
        except BaseException:
            self._opening -= 1
            self._vacate()
            raise
        self._opening -= 1
        self._live.add(connection)
        connection.keeper = self
        return connection

    async def _turn(self, patience: float) -> Connection | None:
        """Waits for a connection, or None for a place (then counted in `_opening`)."""
        waiter: asyncio.Future[Connection | None] = asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        try:
            async with asyncio.timeout(patience):
                return await waiter
        except BaseException as error:
            self._leave(waiter)
            if isinstance(error, TimeoutError):
                raise faults.busy(self._name) from error
            raise

    def _leave(self, waiter: asyncio.Future[Connection | None]) -> None:
        """A caller gives up, perhaps just after it was given something: that goes to the next one."""
        if not waiter.done() or waiter.cancelled():
            if waiter in self._waiters:
                self._waiters.remove(waiter)
            return
        connection = waiter.result()
        if connection is None:
            self._opening -= 1
            self._vacate()
        else:
            self.release(connection)

    def _next_waiter(self) -> asyncio.Future[Connection | None] | None:
        while self._waiters:
            waiter = self._waiters.popleft()
            if not waiter.done():
                return waiter
        return None

    def _vacate(self) -> None:
        """A place is free: whoever waits longest may open a connection on it."""
        if self._opening + len(self._live) >= self._limit:
            return
        waiter = self._next_waiter()
        if waiter is not None:
            self._opening += 1
            waiter.set_result(None)

    def _exchange_for_place(self, connection: Connection) -> None:
        """Drops a connection and keeps its place for ourselves."""
        if connection in self._live:
            self._live.remove(connection)
            self._opening += 1
        connection.abort()

    def _sweep(self) -> None:
        loop = asyncio.get_running_loop()
        oldest_allowed = loop.time() - self._idle_seconds
        for connection in list(self._idle):
            if connection.idle_since > oldest_allowed:
                break
            connection.abort()
        self._sweeper = None
        for connection in self._idle:
            self._sweeper = loop.call_at(connection.idle_since + self._idle_seconds, self._sweep)
            break
