"""One connection to an upstream: passes what happens on it to the exchange that it carries, if any."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

from gateway.upstreams.wire.tls import SessionContext
from gateway.upstreams.wire.watch import Watch

if TYPE_CHECKING:
    from gateway.upstreams.wire.exchange import Exchange


class Keeper(Protocol):
    """Who keeps count of connections."""

    def release(self, connection: Connection) -> None:
        """Takes back a connection that can carry another exchange."""
        ...

    def forget(self, connection: Connection) -> None:
        """Learns that a connection is of no more use. May be told twice."""
        ...


class Connection(asyncio.Protocol):
    """A transport with what the pool and the exchange need to know of it. `reused` once an exchange has been completed on it."""

    __slots__ = ("_transport", "choked", "exchange", "idle_since", "keeper", "lost", "reused", "watch")

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self.exchange: Exchange | None = None
        self.keeper: Keeper | None = None
        self.idle_since = 0.0  # the loop's clock
        self.choked = False  # the transport asked us to stop writing
        self.lost = False
        self.reused = False
        self.watch = Watch(asyncio.get_running_loop())

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The transport is there (after the TLS handshake, where there is one)."""
        self._transport = transport  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        """Bytes of an answer; bytes that nobody asked for end the connection."""
        exchange = self.exchange
        if exchange is None:
            self.abort()
        else:
            exchange.feed(data)

    def eof_received(self) -> None:
        """The peer has finished sending: the transport closes itself after this."""
        if self.exchange is not None:
            self.exchange.ended(clean=True)

    def connection_lost(self, error: Exception | None) -> None:
        """The transport is gone."""
        self.lost = True
        if self.exchange is not None:
            self.exchange.ended(clean=error is None)
        self._forget()

    def pause_writing(self) -> None:
        """The transport's buffer is full."""
        self.choked = True

    def resume_writing(self) -> None:
        """The transport's buffer has drained."""
        self.choked = False
        if self.exchange is not None:
            self.exchange.wake()

    @property
    def usable(self) -> bool:
        """Whether it can carry another exchange: open both ways, and everything that was written has left."""
        transport = self._transport
        return not (self.lost or transport is None or transport.is_closing() or transport.get_write_buffer_size())

    def write(self, data: bytes | memoryview) -> None:
        """Sends, without waiting (see `choked`). Does nothing on a connection that is gone: the exchange was told."""
        if self._transport is not None and not self.lost:
            self._transport.write(data)

    def pause(self) -> None:
        """Stops reading, so that the peer's sending stalls."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.pause_reading()

    def resume(self) -> None:
        """Reads on."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.resume_reading()

    def rest(self) -> None:
        """The exchange is complete: hands the connection back to its keeper."""
        self.exchange = None
        if not self.reused:
            self._remember_session()
        self.reused = True
        if self.keeper is not None:
            self.keeper.release(self)

    def abort(self) -> None:
        """Drops the connection at once, which is what tells the upstream to stop working."""
        self.exchange = None
        if self._transport is not None:
            self._transport.abort()
        self._forget()

    def _forget(self) -> None:
        self.watch.dispose()
        if self.keeper is not None:
            self.keeper.forget(self)

    def _remember_session(self) -> None:
        secure = self._transport.get_extra_info("ssl_object") if self._transport is not None else None
        if secure is not None and isinstance(secure.context, SessionContext):
            secure.context.remember(secure)
