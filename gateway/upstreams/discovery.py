"""Finding model servers without configuration: those that run on this machine, and OpenAI where a key for it is given."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from gateway.errors import UpstreamError
from gateway.upstreams import connect
from gateway.upstreams.base import UpstreamConfig
from gateway.upstreams.presets import PRESETS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gateway.upstreams.presets import Preset

SECONDS = 0.5
"""For all probes together."""


async def discover(
    environ: Mapping[str, str], presets: Mapping[str, Preset] = PRESETS, *, seconds: float = SECONDS
) -> list[UpstreamConfig]:
    """The local presets that list their models now, in their order, then `openai` if OPENAI_API_KEY is set. Never raises."""
    local = [preset_config(name, preset) for name, preset in presets.items() if preset.local]
    found = await _answering(local, seconds)
    key = environ.get("OPENAI_API_KEY", "").strip()
    if key and "openai" in presets:
        found.append(preset_config("openai", presets["openai"], key))
    return found


def preset_config(name: str, preset: Preset, api_key: str | None = None) -> UpstreamConfig:
    """An upstream as a preset describes it."""
    return UpstreamConfig(name, preset.kind, preset.url, local=preset.local, api_key=api_key, cloud_models=preset.cloud_models)


async def _answering(configs: list[UpstreamConfig], seconds: float) -> list[UpstreamConfig]:
    probes = [asyncio.create_task(_answers(config)) for config in configs]
    try:
        if probes:
            await asyncio.wait(probes, timeout=seconds)
    finally:
        for probe in probes:
            probe.cancel()
        results = await asyncio.gather(*probes, return_exceptions=True)
    return [config for config, answers in zip(configs, results, strict=True) if answers is True]


async def _answers(config: UpstreamConfig) -> bool:
    upstream = connect(config)
    try:
        await upstream.models()
    except UpstreamError:
        return False
    finally:
        await upstream.close()
    return True
