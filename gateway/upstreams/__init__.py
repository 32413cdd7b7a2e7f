"""Model servers. A kind is one file and one line in `UPSTREAMS`; servers that speak OpenAI's API need only configuration."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from gateway.errors import ConfigError
from gateway.upstreams.inspect import InspectUpstream
from gateway.upstreams.ollama import OllamaUpstream
from gateway.upstreams.openai import OpenAIUpstream

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gateway.upstreams.base import Upstream, UpstreamConfig

UPSTREAMS: Mapping[str, Callable[[UpstreamConfig], Upstream]] = {
    "openai": OpenAIUpstream,
    "ollama": OllamaUpstream,
    "inspect": InspectUpstream,
}


def connect(config: UpstreamConfig) -> Upstream:
    """The upstream that `config` describes; no connection is made before the first request. Raises ConfigError."""
    make = UPSTREAMS.get(config.kind)
    if make is None:
        message = f"upstream {config.name!r}: there is no kind {config.kind!r}. Use one of: {', '.join(UPSTREAMS)}."
        raise ConfigError(message)
    return make(config)


def is_local(config: UpstreamConfig, model: str) -> bool:
    """Whether a request for `model` stays at home: the upstream is declared local, and does not run this model in a cloud."""
    if not config.local:
        return False
    name = model.lower()
    return not any(fnmatchcase(name, glob.lower()) for glob in config.cloud_models)
