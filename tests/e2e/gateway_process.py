"""A real `eluvix serve` in a process of its own, on an empty home."""

from __future__ import annotations

import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx

ADMIN_PASSWORD = "-".join(("admin", "of", "the", "tests"))
START_SECONDS = 30.0


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def clean_environment(home: Path) -> dict[str, str]:
    """This process' environment without anything that would configure a gateway or name a key."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ELUVIX_", "OPENAI_", "ANTHROPIC_"))}
    return kept | {"ELUVIX_HOME": str(home), "HOME": str(home), "ELUVIX_ADMIN_PASSWORD": ADMIN_PASSWORD, "PYTHONUNBUFFERED": "1"}


class GatewayProcess:
    """Starts, kills and restarts one gateway. Its log goes to `home/serve.log`; `config` is written as `home/config.yaml`."""

    def __init__(self, home: Path, config: dict[str, Any], *, tls: bool = False, command: tuple[str, ...] | None = None) -> None:
        self.home = home
        self.port = free_port()
        self.scheme = "https" if tls else "http"
        self.url = f"{self.scheme}://127.0.0.1:{self.port}"
        self.log = home / "serve.log"
        self._config = home / "config.yaml"
        self._command = command or (str(Path(sys.executable).with_name("eluvix")),)
        self._process: subprocess.Popen[bytes] | None = None
        home.mkdir(parents=True, exist_ok=True)
        self._config.write_text(json.dumps(config), encoding="utf-8")  # JSON is YAML

    def __enter__(self) -> GatewayProcess:
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        """The serving process' id."""
        assert self._process is not None, "not started"
        return self._process.pid

    def start(self) -> None:
        """Starts it and returns when it answers."""
        flags = ["serve", "--config", str(self._config), "--port", str(self.port)]
        flags += ["--http"] if self.scheme == "http" else []
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*self._command, *flags],
                env=clean_environment(self.home),
                cwd=self.home,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._wait_until_ready()

    def kill(self) -> None:
        """SIGKILL to the serving process alone, as a crash would: its children have to notice by themselves."""
        assert self._process is not None, "not started"
        self._process.kill()
        self._process.wait(10)

    def stop(self) -> int:
        """SIGTERM, then waits; whatever is left of its process group is killed. Returns the exit code."""
        assert self._process is not None, "not started"
        if self._process.poll() is None:
            self._process.terminate()
        try:
            return self._process.wait(35)
        finally:
            self._kill_group()

    def trust(self) -> ssl.SSLContext:
        """A context that trusts this gateway's own certificate and nothing else."""
        return ssl.create_default_context(cafile=str(self.certificate))

    @property
    def certificate(self) -> Path:
        """The self-signed certificate that it made at its first start."""
        found = sorted(path for path in self.home.rglob("*.pem") if b"BEGIN CERTIFICATE" in path.read_bytes())
        assert found, "no certificate was made"
        return found[0]

    def client(self, **options: Any) -> httpx.Client:
        """A plain client for the gateway's own API, with the admin password."""
        verify = self.trust() if self.scheme == "https" else True
        headers = {"authorization": f"Bearer {ADMIN_PASSWORD}"}
        return httpx.Client(base_url=self.url, headers=headers, verify=verify, trust_env=False, timeout=30, **options)

    def _wait_until_ready(self) -> None:
        assert self._process is not None
        deadline = time.monotonic() + START_SECONDS
        with httpx.Client(verify=False, trust_env=False, timeout=2) as probe:
            while time.monotonic() < deadline:
                if self._process.poll() is not None:
                    break
                try:
                    if probe.get(f"{self.url}/healthz").status_code == 200:
                        return
                except httpx.TransportError:
                    pass
                time.sleep(0.05)
        self.stop()
        raise AssertionError(f"the gateway did not get ready:\n{self.log.read_text(encoding='utf-8', errors='replace')[-4000:]}")

    def _kill_group(self) -> None:
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            return
