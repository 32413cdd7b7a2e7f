"""One request and its answer on one connection."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any

import httptools

from gateway.upstreams.wire import faults

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from gateway.errors import UpstreamError
    from gateway.upstreams.base import Timeouts
    from gateway.upstreams.wire.connection import Connection

UNREAD_LIMIT = 256 * 1024
"""Bytes of a body that may wait for the reader before the upstream is made to wait."""
HEAD_LIMIT = 64 * 1024
"""Bytes of a response head, informational ones before it included."""
SLICE = 256 * 1024
"""Bytes of a request body that are handed to the transport at a time."""


class _Surplus(Exception):
    """The peer sends more than it should."""


class Exchange:
    """Sends a request with `start`, and is the `Answer` from then on. The `on_` methods are called by the parser."""

    __slots__ = (
        "_choked",
        "_connection",
        "_done",
        "_failure",
        "_fields",
        "_head_size",
        "_headed",
        "_keep",
        "_limit",
        "_loop",
        "_name",
        "_parser",
        "_pieces",
        "_pooled",
        "_unread",
        "_waiter",
        "_watch",
        "died_unheard",
        "headers",
        "status",
    )

    def __init__(self, connection: Connection, name: str, timeouts: Timeouts) -> None:
        self.status = 0
        self.headers: Sequence[tuple[bytes, bytes]] = ()
        self.died_unheard = False
        """A kept connection closed before a byte of the answer came: the request may be sent once more."""
        self._name = name
        self._connection: Connection | None = connection
        self._pooled = connection.reused
        self._parser: Any = httptools.HttpResponseParser(self)
        self._fields: list[tuple[bytes, bytes]] = []
        self._pieces: list[bytes] = []
        self._unread = self._head_size = 0
        self._limit = UNREAD_LIMIT
        self._headed = self._done = self._choked = False
        self._keep = True
        self._failure: UpstreamError | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._loop = asyncio.get_running_loop()
        self._watch = connection.watch
        self._watch.begin(timeouts, self._expired)
        connection.exchange = self

    async def start(self, head: bytes, body: bytes) -> None:
        """Sends the request, until the head of the answer is here. Raises UpstreamUnavailable, with the connection dropped."""
        if len(body) <= SLICE:
            self._write(head + body)
        else:
            await self._upload(head, memoryview(body))
        while not self._headed:
            if self._failure is not None:
                raise self._failure
            await self._wait()

    async def read(self) -> bytes:
        """The whole body. Raises UpstreamBroken when it is cut short."""
        self._limit = sys.maxsize
        self._unchoke()
        while not self._done:
            if self._failure is not None:
                raise self._failure
            await self._wait_for_piece()
        return self._take()

    def pieces(self) -> AsyncIterator[bytes]:
        """The body as it comes: all that is there is one piece."""
        return self

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        while not self._pieces:
            if self._done:
                raise StopAsyncIteration
            if self._failure is not None:
                raise self._failure
            await self._wait_for_piece()
        return self._take()

    def close(self) -> None:
        """Gives the connection back when the exchange is complete and the peer keeps it open, else aborts it."""
        connection = self._connection
        if connection is None:
            return
        if self._done and self._keep and connection.usable:
            self._detach()
            connection.rest()
        else:
            self._drop(faults.closed_here(self._name))

    def feed(self, data: bytes) -> None:
        """Bytes came."""
        if not self._headed:
            self._head_size += len(data)
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self._garbled()
        if not self._headed:
            if self._head_size > HEAD_LIMIT:
                self._garbled()
        elif self._unread > self._limit and not self._choked and self._connection is not None:
            self._choked = True
            self._connection.pause()
        self.wake()

    def ended(self, *, clean: bool) -> None:
        """The peer sends no more; `clean` unless the connection was reset."""
        self._keep = False
        if self._done or self._failure is not None:
            return
        if clean and self._headed and self._ends_with_connection():
            self.on_message_complete()
            self.wake()
        elif self._headed:
            self._drop(faults.cut_short(self._name))
        else:
            self.died_unheard = self._pooled and not self._head_size
            self._drop(faults.hung_up(self._name))

    def wake(self) -> None:
        """Something has changed: whoever waits looks again."""
        waiter = self._waiter
        if waiter is not None and not waiter.done():
            waiter.set_result(None)

    def on_message_begin(self) -> None:
        """A head begins."""
        if self._done:
            raise _Surplus

    def on_header(self, name: bytes, value: bytes) -> None:
        """One header of a head, or one of the trailers, which are left out."""
        if not self._headed:
            self._fields.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        """A head is complete: ours, or an informational one."""
        status = self._parser.get_status_code()
        if status < 200:
            self._fields.clear()
            return
        if self._head_size > HEAD_LIMIT and sum(len(name) + len(value) for name, value in self._fields) > HEAD_LIMIT:
            raise _Surplus
        self.status = status
        self.headers = self._fields
        self._headed = True
        self._watch.headed()

    def on_body(self, body: bytes) -> None:
        """A part of the body."""
        self._pieces.append(body)
        self._unread += len(body)

    def on_message_complete(self) -> None:
        """The body is complete (an informational head counts as a message of its own)."""
        if self._headed:
            self._done = True
            self._keep = self._keep and self._parser.should_keep_alive()
            self._watch.stop()

    async def _upload(self, head: bytes, body: memoryview) -> None:
        """A large body in slices, each when the transport has room. A refusal that comes meanwhile ends it."""
        self._write(head + body[:SLICE])
        for start in range(SLICE, len(body), SLICE):
            while self._connection is not None and self._connection.choked and not self._refused():
                await self._wait()
            if self._refused():
                self._keep = False
                return
            self._write(body[start : start + SLICE])

    def _refused(self) -> bool:
        return self._failure is not None or self._done or self.status >= 300

    def _write(self, data: bytes | memoryview) -> None:
        if self._connection is not None:
            self._connection.write(data)

    async def _wait_for_piece(self) -> None:
        self._watch.wait()
        await self._wait()
        self._watch.waited()

    async def _wait(self) -> None:
        self._waiter = self._loop.create_future()
        try:
            await self._waiter
        except BaseException:  # cancelled: the upstream must stop working for us
            self._drop(faults.closed_here(self._name))
            raise

    def _take(self) -> bytes:
        pieces = self._pieces
        data = pieces[0] if len(pieces) == 1 else b"".join(pieces)
        pieces.clear()
        self._unread = 0
        if self._choked:
            self._unchoke()
        return data

    def _unchoke(self) -> None:
        if self._choked and self._connection is not None:
            self._choked = False
            self._connection.resume()

    def _ends_with_connection(self) -> bool:
        """Whether the head names no end of the body, so that the end of the connection is it."""
        for name, value in self._fields:
            if name == b"content-length":
                return False
            if name == b"transfer-encoding" and value.strip().lower().endswith(b"chunked"):
                return False
        return True

    def _garbled(self) -> None:
        self._keep = False
        if not self._done:
            self._drop(faults.garbled(self._name) if self._headed else faults.not_http(self._name))

    def _expired(self) -> None:
        self._drop(faults.stalled(self._name) if self._headed else faults.slow_to_answer(self._name))

    def _drop(self, failure: UpstreamError) -> None:
        """Ends the exchange and its connection; what has come may still be read, then `failure` is raised."""
        if self._failure is None and not self._done:
            self._failure = failure
        connection = self._connection
        self._detach()
        if connection is not None:
            connection.abort()
        self.wake()

    def _detach(self) -> None:
        self._connection = None
        self._parser = None  # it holds our methods: a cycle that only the collector would free
        self._watch.stop()
