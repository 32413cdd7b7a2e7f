"""Kind `ollama`: chat through its OpenAI API below /v1, models from its own list, which says more of each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from gateway.errors import UpstreamError, UpstreamUnavailable
from gateway.upstreams.catalog import list_models
from gateway.upstreams.openai import OpenAIUpstream
from gateway.upstreams.wire.address import resolve

if TYPE_CHECKING:
    from gateway.upstreams.base import ModelInfo, UpstreamConfig
    from gateway.upstreams.wire.address import Resolver


class OllamaUpstream(OpenAIUpstream):
    """An Ollama server. Its `url` may end in /v1 or be the server's own (`http://127.0.0.1:11434`)."""

    __slots__ = ()

    def __init__(self, config: UpstreamConfig, resolver: Resolver = resolve) -> None:
        if urlsplit(config.url).path in ("", "/"):
            config = replace(config, url=config.url.rstrip("/") + "/v1")
        super().__init__(config, resolver)

    async def models(self) -> list[ModelInfo]:
        """What `/api/tags` lists, else what `/v1/models` lists. Raises UpstreamError."""
        try:
            return await list_models(self._client, self.config.name, "/api/tags", from_root=True)
        except UpstreamUnavailable:  # then nothing else would come from there either
            raise
        except UpstreamError:
            return await super().models()
