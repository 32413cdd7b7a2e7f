"""Is the machine as the gateway needs it? One finding for each thing that was looked at; nothing is changed."""

from __future__ import annotations

import os
import shutil
import socket
from contextlib import closing
from typing import TYPE_CHECKING

from gateway.cli.findings import Finding
from gateway.cli.running import gateway_runs
from gateway.cli.welcome import base_url, reachable_host
from gateway.egress.policy import ner_installed
from gateway.errors import ConfigError
from gateway.tls import CERTIFICATE_NAME, KEY_NAME, own_certificate

if TYPE_CHECKING:
    from pathlib import Path

    from gateway.settings import Loaded

_LOW_DISK = 512 * 1024 * 1024


def gateway(loaded: Loaded) -> Finding:
    """Whether one runs here, and where it can be reached."""
    if not gateway_runs(loaded.home):
        return Finding("gateway", "ok", "not running")
    server = loaded.settings.server
    with closing(socket.socket(socket.AF_INET6 if ":" in reachable_host(server.host) else socket.AF_INET)) as probe:
        probe.settimeout(2)
        if probe.connect_ex((reachable_host(server.host), server.port)) == 0:
            return Finding("gateway", "ok", f"running at {base_url(loaded.settings)}")
    return Finding("gateway", "warning", f"running, but nobody listens at {base_url(loaded.settings)}: was it started with other flags?")


def certificate(loaded: Loaded) -> Finding:
    """Whether clients will accept it."""
    server = loaded.settings.server
    if server.tls == "off":
        return Finding("certificate", "ok", "plain HTTP")
    own = server.certificate is not None and server.certificate_key is not None
    pem = server.certificate or loaded.home / CERTIFICATE_NAME
    key = server.certificate_key or loaded.home / KEY_NAME
    if not own and not pem.exists():
        return Finding("certificate", "ok", "none yet: the first start makes one")
    try:
        files = own_certificate(pem, key)
    except ConfigError as error:
        return Finding("certificate", "error", str(error)) if own else Finding("certificate", "warning", "the next start makes a new one")
    if files.warning and own:
        return Finding("certificate", "warning", files.warning)
    return Finding("certificate", "ok", f"{pem}, until {files.expires:%Y-%m-%d}")


def disk(home: Path) -> Finding:
    """Whether there is room."""
    free = shutil.disk_usage(home).free
    return Finding("disk", "warning" if free < _LOW_DISK else "ok", f"{free / 2**30:.1f} GiB free in {home}")


def permissions(home: Path) -> Finding:
    """Whether others could read what is kept."""
    if os.name != "posix":
        return Finding("permissions", "ok", "not checked on this system")
    private = [home, *home.glob("*.db"), home / "admin_password", home / KEY_NAME]
    readable = [path.name for path in private if path.exists() and path.stat().st_mode & 0o077]
    if readable:
        return Finding("permissions", "warning", f"others can read {', '.join(readable)}: chmod -R go= {home}")
    return Finding("permissions", "ok", "only you can read the home folder")


def names(loaded: Loaded) -> Finding:
    """Whether the guard can find the names of persons."""
    if loaded.settings.egress.ner == "off":
        return Finding("names", "ok", "switched off")
    if not ner_installed():
        return Finding("names", "warning", "persons' names are not recognised by the guard: pip install 'eluvix[ner]', or egress.ner: off")
    return Finding("names", "ok", "recognised")
