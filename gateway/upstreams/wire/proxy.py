"""Through an HTTP proxy to a TLS upstream: a tunnel by CONNECT. (A plain one needs none: its requests name the absolute url.)"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from gateway.upstreams.wire import faults
from gateway.upstreams.wire.connection import Connection
from gateway.upstreams.wire.request import proxy_fields

if TYPE_CHECKING:
    import ssl

    from gateway.upstreams.wire.origin import Origin, Proxy

_HEAD_LIMIT = 16 * 1024


class Tunnel(asyncio.Protocol):
    """Waits for the proxy's answer to CONNECT. `answer` becomes its status line, or an OSError."""

    __slots__ = ("_received", "answer")

    def __init__(self) -> None:
        self.answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._received = bytearray()

    def data_received(self, data: bytes) -> None:
        """Part of the proxy's head. TLS servers wait for us, so that nothing may follow it."""
        self._received += data
        end = self._received.find(b"\r\n\r\n")
        if end == len(self._received) - 4 and end > 0:
            self._settle(bytes(self._received).partition(b"\r\n")[0])
        elif end >= 0 or len(self._received) > _HEAD_LIMIT:
            self._settle(b"")

    def connection_lost(self, _error: Exception | None) -> None:
        """The proxy hung up."""
        self._settle(b"")

    def _settle(self, status_line: bytes) -> None:
        if not self.answer.done():
            self.answer.set_result(status_line)


async def open_tunnel(name: str, address: str, proxy: Proxy, origin: Origin, context: ssl.SSLContext) -> Connection:
    """TLS to `origin` through the proxy at `address`. Raises UpstreamUnavailable when the proxy refuses, or OSError."""
    loop = asyncio.get_running_loop()
    transport, tunnel = await loop.create_connection(Tunnel, address, proxy.origin.port)
    try:
        transport.write(_connect(proxy, origin))
        _check(name, await tunnel.answer)
        connection = Connection()
        secure = await loop.start_tls(transport, connection, context, server_hostname=origin.host)
    except BaseException:
        transport.abort()
        raise
    if secure is None:
        raise faults.refused_by_proxy(name, "it hung up")
    connection.connection_made(secure)
    return connection


def _connect(proxy: Proxy, origin: Origin) -> bytes:
    fields = {"host": origin.address} | proxy_fields(proxy)
    lines = "".join(f"{field}: {value}\r\n" for field, value in fields.items())
    return f"CONNECT {origin.address} HTTP/1.1\r\n{lines}\r\n".encode("ascii")


def _check(name: str, status_line: bytes) -> None:
    version, _, rest = status_line.partition(b" ")
    status = rest[:3]
    if not version.startswith(b"HTTP/1.") or not status.isdigit():
        raise faults.refused_by_proxy(name, "it did not answer in HTTP")
    if not status.startswith(b"2"):
        raise faults.refused_by_proxy(name, status.decode("ascii"))
