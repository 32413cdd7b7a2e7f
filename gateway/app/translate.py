"""From settings to the plain values that the parts are given."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from gateway.context.recall import RecallLimits
from gateway.egress.policy import Policy
from gateway.errors import ConfigError
from gateway.routing.breaker import BreakerLimits
from gateway.routing.routes import Route, Routes, RouteTarget
from gateway.upstreams.base import Timeouts, UpstreamConfig
from gateway.upstreams.presets import PRESETS, Preset

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import SecretStr

    from gateway.settings import Settings
    from gateway.settings.model import UpstreamSettings

LOCAL_RECALL_S, REMOTE_RECALL_S = 0.3, 1.5
_NO_PRESET = Preset("openai", "")


def policy_of(settings: Settings) -> Policy:
    """The egress policy."""
    egress = settings.egress
    return Policy(
        cloud_mode=egress.cloud_mode,
        classes=egress.classes,
        entities=egress.entities,
        allow_terms=egress.allow_terms,
        deny_terms=egress.deny_terms,
        ner=egress.ner,
    )


def recall_limits(settings: Settings, *, local: bool) -> RecallLimits:
    """How much is recalled and how long it may take."""
    memory = settings.memory
    seconds = memory.recall_timeout_ms / 1000 if memory.recall_timeout_ms else LOCAL_RECALL_S if local else REMOTE_RECALL_S
    return RecallLimits(memory.top_k, memory.max_tokens, seconds)


def routes_of(settings: Settings) -> Routes:
    """The configured routes in their order."""
    return Routes(Route(route.model, tuple(RouteTarget(to.upstream, to.model) for to in route.to)) for route in settings.routes)


def breaker_limits(settings: Settings) -> dict[str, BreakerLimits]:
    """The breaker of each configured upstream."""
    return {name: BreakerLimits(u.breaker.failures, u.breaker.cooldown_s) for name, u in settings.upstreams.items()}


def upstream_configs(settings: Settings, environ: Mapping[str, str] = os.environ) -> list[UpstreamConfig]:
    """Every configured upstream, with what its preset says. Raises ConfigError when one has no URL."""
    return [_upstream(name, upstream, environ) for name, upstream in settings.upstreams.items()]


def _upstream(name: str, given: UpstreamSettings, environ: Mapping[str, str]) -> UpstreamConfig:
    preset = PRESETS.get(given.preset or "", _NO_PRESET)
    url = given.url or preset.url
    if not url:
        message = f"upstreams.{name}: say where it is with `url: http://host:port/v1`, or name a `preset`."
        raise ConfigError(message)
    timeouts = given.timeouts
    return UpstreamConfig(
        name=name,
        kind=given.kind if "kind" in given.model_fields_set else preset.kind,
        url=url,
        local=preset.local if given.local is None else given.local,
        api_key=_plain(given.api_key) or environ.get(preset.key_variable or ""),
        headers={header: value.get_secret_value() for header, value in given.headers.items()},
        cloud_mode=given.cloud_mode,
        cloud_models=preset.cloud_models if given.cloud_models is None else given.cloud_models,
        timeouts=Timeouts(timeouts.connect, timeouts.first_byte, timeouts.between, timeouts.total),
        proxy=_plain(given.proxy),
        ca_file=str(given.ca_file) if given.ca_file else None,
        max_connections=given.max_connections,
    )


def _plain(secret: SecretStr | None) -> str | None:
    return secret.get_secret_value() if secret else None
