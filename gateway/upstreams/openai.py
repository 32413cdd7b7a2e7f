"""Kind `openai`: OpenAI, and every server that speaks its API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.upstreams.catalog import list_models
from gateway.upstreams.wire.address import resolve
from gateway.upstreams.wire.client import Client

if TYPE_CHECKING:
    from gateway.turn import Outbound
    from gateway.upstreams.base import Answer, ModelInfo, UpstreamConfig
    from gateway.upstreams.wire.address import Resolver


class OpenAIUpstream:
    """Requests go to `url` + endpoint, as they are. Raises ConfigError when its settings cannot work."""

    __slots__ = ("_client", "config")

    def __init__(self, config: UpstreamConfig, resolver: Resolver = resolve) -> None:
        self.config = config
        self._client = Client(config, resolver)

    async def send(self, outbound: Outbound) -> Answer:
        """Sends a guarded request and returns when the head of the answer is here."""
        return await self._client.post(outbound.endpoint, outbound.body, outbound.headers)

    async def models(self) -> list[ModelInfo]:
        """What `/models` lists. Raises UpstreamError."""
        return await list_models(self._client, self.config.name, "/models")

    async def close(self) -> None:
        """Closes idle connections."""
        self._client.close()
