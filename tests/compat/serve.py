"""Starts a gateway as the compat cases want it (PORT, PROFILE, UPSTREAM_URL, MEMORY_URL in the environment) by becoming it."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from gateway.upstreams import UPSTREAMS

UPSTREAM_KEY = "-".join(("upstream", "secret", "key"))
CLIENT_KEY = "-".join(("client", "test", "key"))
KEY_OF_BOB = "-".join(("key", "of", "bob"))
ADMIN_PASSWORD = "-".join(("test", "admin"))

PROFILES: dict[str, dict[str, Any]] = {
    "default": {},
    "cache": {"cache": {"mode": "on"}},
    "strip": {"egress": {"cloud_mode": "strip"}},
    "fallback": {"routes": {"*-local": ["local", "cloud"]}},
}


def upstreams(url: str) -> dict[str, Any]:
    """A local and a cloud upstream, and an Anthropic one where the gateway speaks that: all at `url`."""
    common = {"url": f"{url}/v1", "api_key": UPSTREAM_KEY}
    named: dict[str, Any] = {
        "local": {**common, "local": True, "models": ["*-local", "*-local/*"]},
        "cloud": {**common, "local": False, "models": ["*-cloud"]},
    }
    if "anthropic" in UPSTREAMS:
        named["claude"] = {**common, "url": url, "kind": "anthropic", "models": ["*-claude"]}
    return named


def config(profile: str, upstream_url: str, memory_url: str) -> dict[str, Any]:
    """The whole configuration of one profile. Raises KeyError for an unknown one."""
    return {
        "admin_password": ADMIN_PASSWORD,
        "upstreams": upstreams(upstream_url),
        "memory": {"provider": "mem0", "top_k": 5, "max_tokens": 500, "mem0": {"url": memory_url, "dialect": "oss3"}},
        "keys": [{"name": "client", "key": CLIENT_KEY}, {"name": "bob", "key": KEY_OF_BOB, "user": "bob"}],
    } | PROFILES[profile]


def main() -> None:
    """Writes the configuration into an empty home and replaces this process by the gateway."""
    home = Path(tempfile.mkdtemp(prefix="eluvix-compat-"))
    env = os.environ
    written = home / "config.yaml"
    written.write_text(json.dumps(config(env["PROFILE"], env["UPSTREAM_URL"], env["MEMORY_URL"])), encoding="utf-8")
    command = str(Path(sys.executable).with_name("eluvix"))
    flags = ["serve", "--config", str(written), "--http", "--port", env["PORT"]]
    os.execve(command, [command, *flags], {**env, "ELUVIX_HOME": str(home)})


if __name__ == "__main__":
    main()
