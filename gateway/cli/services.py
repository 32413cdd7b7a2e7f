"""Do the servers answer that the configuration names? One finding for each."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from gateway.app.build import upstreams_of
from gateway.app.provider import make_provider
from gateway.cli.findings import Finding
from gateway.errors import EluvixError
from gateway.upstreams import connect
from providers.base import ProviderError

if TYPE_CHECKING:
    from gateway.settings import Loaded, Settings
    from gateway.upstreams.base import UpstreamConfig

_PATIENCE_S = 20.0


async def upstreams(settings: Settings) -> list[Finding]:
    """Asks each for its models."""
    configs = await upstreams_of(settings)
    findings = list(await asyncio.gather(*(_upstream(config) for config in configs)))
    if all(config.kind == "inspect" for config in configs):
        detail = "none configured and none found on this machine; only eluvix/inspect answers. Add one under `upstreams`."
        findings.append(Finding("upstreams", "warning", detail))
    return findings


async def provider(loaded: Loaded) -> Finding:
    """Opens the memory provider and asks how it is."""
    chosen = make_provider(loaded.settings, loaded.home)
    what = f"memory: {chosen.name}"
    try:
        await chosen.open()
        health = await chosen.health()
    except ProviderError as error:
        return Finding(what, "error", str(error))
    finally:
        await chosen.close()
    return Finding(what, "ok" if health.ok else "error", health.detail)


async def _upstream(config: UpstreamConfig) -> Finding:
    what = f"upstream: {config.name}"
    upstream = connect(config)
    try:
        async with asyncio.timeout(_PATIENCE_S):
            models = await upstream.models()
    except EluvixError as error:
        return Finding(what, "error", str(error))
    except TimeoutError:
        return Finding(what, "error", f"{config.url} did not list its models within {_PATIENCE_S:.0f} seconds. Is it well?")
    finally:
        await upstream.close()
    side = "local: gets memories whole" if config.local else "cloud: gets memories guarded"
    return Finding(what, "ok", f"{len(models)} models; {side}")
