"""Opening a connection: resolve, check, connect to the checked address, TLS; all of it within the connect timeout."""

from __future__ import annotations

import asyncio
import ssl
from typing import TYPE_CHECKING

from gateway.upstreams.wire import faults
from gateway.upstreams.wire.address import is_local_address, resolve
from gateway.upstreams.wire.connection import Connection
from gateway.upstreams.wire.proxy import open_tunnel
from gateway.upstreams.wire.tls import client_context

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gateway.upstreams.base import UpstreamConfig
    from gateway.upstreams.wire.address import Resolver
    from gateway.upstreams.wire.origin import Origin, Proxy


class Dialer:
    """Opens connections to one upstream. A `local` one is only ever connected to at an address that was found to be local."""

    __slots__ = ("_ca_file", "_context", "_local", "_name", "_origin", "_proxy", "_resolver", "_seconds", "_via")

    def __init__(self, config: UpstreamConfig, origin: Origin, proxy: Proxy | None, resolver: Resolver = resolve) -> None:
        self._name = config.name
        self._local = config.local
        self._seconds = config.timeouts.connect
        self._ca_file = config.ca_file
        self._origin = origin
        self._proxy = proxy
        self._via = origin if proxy is None else proxy.origin
        self._resolver = resolver
        self._context: ssl.SSLContext | None = None

    async def dial(self) -> Connection:
        """A connection that is ready for a request. Raises UpstreamUnavailable, UpstreamTimeout or NotLocal."""
        where = self._via.address
        context = await self._tls() if self._origin.scheme == "https" else None
        try:
            async with asyncio.timeout(self._seconds) as limit:
                return await self._dial(limit, context)
        except TimeoutError as error:
            raise faults.slow_to_connect(self._name, where) from error
        except ssl.SSLError as error:
            raise faults.untrusted(self._name, where, _reason(error)) from error
        except OSError as error:
            raise faults.unreachable(self._name, where, error) from error

    async def _dial(self, limit: asyncio.Timeout, context: ssl.SSLContext | None) -> Connection:
        addresses = await self._addresses()
        for left, address in zip(range(len(addresses), 1, -1), addresses, strict=False):
            try:
                async with asyncio.timeout_at(_share(limit, left)):
                    return await self._connect(address, context)
            except OSError:  # a TimeoutError is one: the next address has its share of the time
                continue
        return await self._connect(addresses[-1], context)

    async def _addresses(self) -> Sequence[str]:
        addresses = await self._resolver(self._via.host, self._via.port)
        if self._local:
            addresses = [address for address in addresses if is_local_address(address)]
            if not addresses:
                raise faults.not_local(self._name, self._via.host)
        if not addresses:
            message = "no address"
            raise OSError(0, message)
        return addresses

    async def _tls(self) -> ssl.SSLContext:
        if self._context is None:
            try:
                self._context = await asyncio.to_thread(client_context, self._ca_file)
            except OSError as error:
                reason = f"its ca_file {self._ca_file} cannot be read"
                raise faults.untrusted(self._name, self._via.address, reason) from error
        return self._context

    async def _connect(self, address: str, context: ssl.SSLContext | None) -> Connection:
        if self._proxy is not None and context is not None:
            return await open_tunnel(self._name, address, self._proxy, self._origin, context)
        hostname = self._origin.host if context is not None else None
        loop = asyncio.get_running_loop()
        _, connection = await loop.create_connection(Connection, address, self._via.port, ssl=context, server_hostname=hostname)
        return connection


def _share(limit: asyncio.Timeout, left: int) -> float | None:
    """When the next address has had its turn: the time that is left is shared by the addresses that are left."""
    end = limit.when()
    if end is None:
        return None
    now = asyncio.get_running_loop().time()
    return now + (end - now) / left


def _reason(error: ssl.SSLError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return error.verify_message
    return error.reason or "TLS failed"
