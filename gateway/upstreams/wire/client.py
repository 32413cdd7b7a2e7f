"""HTTP/1.1 to one upstream: requests go out on kept connections, answers come back as exchanges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.errors import ConfigError, UpstreamUnavailable
from gateway.upstreams.wire.address import resolve
from gateway.upstreams.wire.dial import Dialer
from gateway.upstreams.wire.exchange import Exchange
from gateway.upstreams.wire.origin import parse_origin, parse_proxy
from gateway.upstreams.wire.pool import Pool
from gateway.upstreams.wire.request import RequestHead

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gateway.upstreams.base import Timeouts, UpstreamConfig
    from gateway.upstreams.wire.address import Resolver


class Client:
    """Talks to the server of one upstream. Raises ConfigError at once when its settings contradict each other."""

    __slots__ = ("_heads", "_name", "_pool", "_timeouts")

    def __init__(self, config: UpstreamConfig, resolver: Resolver = resolve) -> None:
        if config.local and config.proxy is not None:
            message = f"upstream {config.name!r} is local, and a proxy would take its requests elsewhere: remove one of the two."
            raise ConfigError(message)
        origin = parse_origin(config.name, config.url)
        proxy = None if config.proxy is None else parse_proxy(config.name, config.proxy)
        self._name = config.name
        self._timeouts = config.timeouts
        self._heads = RequestHead(config, origin, proxy)
        self._pool = Pool(Dialer(config, origin, proxy, resolver).dial, config.name, config.max_connections)

    async def post(self, path: str, body: bytes, headers: Mapping[str, str]) -> Exchange:
        """Sends JSON to `path` below the base url, until the answer's head is here. Raises UpstreamUnavailable or BadRequest."""
        return await self._send(self._heads.post(path, len(body), headers), body, self._timeouts)

    async def get(self, path: str, timeouts: Timeouts, *, from_root: bool = False) -> Exchange:
        """Gets `path` below the base url, or below the root of the server. Raises UpstreamUnavailable."""
        return await self._send(self._heads.get(path, from_root=from_root), b"", timeouts)

    def close(self) -> None:
        """Closes idle connections; exchanges that are under way end as they would."""
        self._pool.close()

    async def _send(self, head: bytes, body: bytes, timeouts: Timeouts) -> Exchange:
        pool = self._pool
        connection = pool.take() or await pool.open(timeouts.first_byte)
        exchange = Exchange(connection, self._name, timeouts)
        try:
            await exchange.start(head, body)
        except UpstreamUnavailable:
            # A server may close a kept connection just as we send on it. Once, and only then.
            if not exchange.died_unheard:
                raise
            exchange = Exchange(await pool.open(timeouts.first_byte, fresh=True), self._name, timeouts)
            await exchange.start(head, body)
        return exchange
