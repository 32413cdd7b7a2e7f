"""`eluvix serve`: starts the gateway, and tells a person how to use it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import structlog
import typer

from gateway.app.asgi import create_app
from gateway.app.gateway import Gateway
from gateway.app.serve import bind, new_event_loop, run, uvicorn_config
from gateway.cli.common import ConfigOption, load_settings, new_commands
from gateway.cli.firstrun import admin_password, first_key_in_container
from gateway.cli.reload import Reload, watch, with_password
from gateway.cli.running import home_held
from gateway.cli.welcome import welcome
from gateway.settings import Loaded, refuse_open
from gateway.settings.load import CONFIG_NAME
from gateway.telemetry import configure_logging
from gateway.tls import CertificateFiles, ensure_certificate, own_certificate

if TYPE_CHECKING:
    from gateway.settings import Settings

log = structlog.get_logger()
app = new_commands()


@app.command()
def serve(
    config: ConfigOption = None,
    host: Annotated[str | None, typer.Option(help="The address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="The port to listen on.", min=1, max=65535)] = None,
    http: Annotated[bool, typer.Option("--http", help="Plain HTTP instead of HTTPS.")] = False,
) -> None:
    """Start the gateway. SIGTERM or Ctrl-C ends it, SIGHUP reads the configuration again."""
    flags = _flags(host, port, http=http)
    loaded = load_settings(config, flags)
    configure_logging(loaded.settings.log.format, loaded.settings.log.level)
    other = "Stop it, or give this one a home of its own with ELUVIX_HOME."
    with home_held(loaded.home, other), asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(_serve(loaded, config, flags))


async def _serve(loaded: Loaded, config: Path | None, flags: dict[str, Any]) -> None:
    password = admin_password(loaded)
    settings = with_password(loaded.settings, password.value)
    keys = await first_key_in_container(loaded)
    refuse_open(settings, has_keys=keys.any)
    certificate = _certificate(settings, loaded.home)
    for warning in (*loaded.warnings, *((certificate.warning,) if certificate and certificate.warning else ())):
        log.warning(warning)
    with bind(settings.server) as listener:
        gateway = Gateway(settings, loaded.home)
        await gateway.start()
        reload = Reload(gateway, config, flags, loaded.config_file, password.value)
        watching = asyncio.ensure_future(watch(loaded.config_file or loaded.home / CONFIG_NAME, reload))
        try:
            welcome(loaded, certificate, password, keys)
            await run(uvicorn_config(create_app(settings, gateway), settings.server, certificate), listener, reload)
        finally:
            watching.cancel()
            with suppress(asyncio.CancelledError):
                await watching
            await gateway.stop()


def _certificate(settings: Settings, home: Path) -> CertificateFiles | None:
    server = settings.server
    if server.tls == "off":
        return None
    if server.certificate and server.certificate_key:
        return own_certificate(server.certificate, server.certificate_key)
    return ensure_certificate(home)


def _flags(host: str | None, port: int | None, *, http: bool) -> dict[str, Any]:
    server = {"host": host, "port": port, "tls": "off" if http else None}
    given = {name: value for name, value in server.items() if value is not None}
    return {"server": given} if given else {}
