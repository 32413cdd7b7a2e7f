"""`eluvix check` and `eluvix doctor`: does the configuration work, and is everything well?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from gateway import __version__
from gateway.cli.common import ConfigOption, JsonOption, load_settings, new_commands, read_settings
from gateway.cli.findings import Finding, tell
from gateway.cli.places import certificate, disk, gateway, names, permissions
from gateway.cli.problems import sentence
from gateway.cli.progress import working
from gateway.cli.services import provider, upstreams
from gateway.cli.state import run
from gateway.cli.stores import databases, records
from gateway.errors import ConfigError
from gateway.telemetry.logs import configure_logging

if TYPE_CHECKING:
    from pathlib import Path

    from gateway.settings import Loaded

check_app = new_commands()
doctor_app = new_commands()


@check_app.command()
def check(
    config: ConfigOption = None,
    offline: Annotated[bool, typer.Option("--offline", help="Only the configuration itself; ask no server.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Validate the configuration and test each upstream and the memory provider."""
    configure_logging("console", "critical")
    loaded, findings = _configuration(config, offline=offline)
    if loaded is not None and not offline:
        with working("Asking the servers"):
            findings += run(_servers(loaded))
    tell(findings, as_json=as_json)


@doctor_app.command()
def doctor(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Look for trouble: configuration, servers, databases, outbox, certificate, disk, permissions."""
    configure_logging("console", "critical")
    loaded, findings = _configuration(config, offline=False)
    if loaded is not None:
        findings += [gateway(loaded), certificate(loaded), disk(loaded.home), permissions(loaded.home), names(loaded)]
        with working("Looking everywhere"):
            findings += run(_everything(loaded))
    tell(findings, as_json=as_json)


def _configuration(config: Path | None, *, offline: bool) -> tuple[Loaded | None, list[Finding]]:
    try:
        loaded = read_settings(config) if offline else load_settings(config)
    except (ConfigError, OSError) as error:
        return None, [Finding("configuration", "error", sentence(error))]
    where = str(loaded.config_file or "defaults and the environment")
    if loaded.warnings:
        return loaded, [Finding("configuration", "warning", f"{where}: {'; '.join(loaded.warnings)}")]
    return loaded, [Finding("configuration", "ok", f"{where} (eluvix {__version__})")]


async def _servers(loaded: Loaded) -> list[Finding]:
    return [*await upstreams(loaded.settings), await provider(loaded)]


async def _everything(loaded: Loaded) -> list[Finding]:
    return [*await _servers(loaded), *await databases(loaded), *await records(loaded)]
