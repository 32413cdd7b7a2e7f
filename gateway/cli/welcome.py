"""What `eluvix serve` prints: where it is, how to trust it, where the password is, and one request that shows memory working."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from gateway.cli.screen import say

if TYPE_CHECKING:
    from gateway.cli.firstrun import AdminPassword, Keys
    from gateway.settings import Loaded, Settings
    from gateway.tls import CertificateFiles


def welcome(loaded: Loaded, certificate: CertificateFiles | None, password: AdminPassword, keys: Keys) -> None:
    """Prints it to standard error, so that standard output stays free."""
    base = base_url(loaded.settings)
    lines = [f"Eluvix is at {base}/v1" + (f"  (documentation: {base}/docs)" if loaded.settings.server.docs == "on" else "")]
    lines.append(f"Home folder:    {loaded.home}")
    lines.append(f"Configuration:  {loaded.config_file or 'defaults (`eluvix init` writes a commented file)'}")
    if certificate:
        lines.append(f"Certificate:    {certificate.certificate}  (clients have to trust it: see below)")
    lines.append(f"Admin password: {password.file or 'as configured'}")
    if keys.created:
        lines.append(f"First key:      {keys.created}  (shown once; any user)")
    lines += ["", "Tell it something, and a second later ask. `eluvix/inspect` answers with exactly what a model would have received:", ""]
    lines += _requests(base, certificate, keys)
    if certificate:
        quoted = shlex.quote(str(certificate.certificate))
        lines += ["", "Clients trust the certificate with, for example:", f"  export SSL_CERT_FILE={quoted}      # Python (openai)"]
        lines.append(f"  export NODE_EXTRA_CA_CERTS={quoted}  # Node")
    say("\n".join(lines) + "\n")


def base_url(settings: Settings) -> str:
    """Where a client on this machine reaches the gateway, without `/v1`."""
    server = settings.server
    scheme = "http" if server.tls == "off" else "https"
    host = reachable_host(server.host)
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{server.port}{server.base_path}"


def reachable_host(host: str) -> str:
    """An address of the gateway for this machine: the wildcard addresses are none."""
    return {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - compared with, not bound


def _requests(base: str, certificate: CertificateFiles | None, keys: Keys) -> list[str]:
    trust = f" --cacert {shlex.quote(str(certificate.certificate))}" if certificate else ""
    auth = f" -H 'authorization: Bearer {keys.created or '<key>'}'" if keys.any else ""
    common = f"curl -s{trust} {base}/v1/chat/completions -H 'x-eluvix-user: me'{auth} -d"
    said = '{"model":"eluvix/inspect","messages":[{"role":"user","content":"I always use tabs for indentation."}]}'
    asked = '{"model":"eluvix/inspect","messages":[{"role":"user","content":"Which indentation do I use?"}]}'
    return [f"  {common} '{said}'", f"  {common} '{asked}'"]
