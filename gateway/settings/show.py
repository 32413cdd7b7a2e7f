"""Showing the configuration without its secrets, its schema, the commented example, and what a reload cannot change."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from gateway.settings.model import Settings
from gateway.settings.shape import key_paths

_EXAMPLE = "config.example.yaml"
_NEEDS_RESTART = (
    "server",
    "memory.provider",
    "memory.sqlite",
    "memory.mem0",
    "cache.backend",
    "cache.ttl_s",
    "cache.max_mib",
    "outbox",
    "log",
)
"""Sections and keys that are read once, when the gateway starts."""
_STARS = "***"
_URL_LOGIN = re.compile(r"(?<=://)[^/\s]*@")


def safe_dump(settings: Settings) -> dict[str, Any]:
    """Every setting as JSON can carry it; secrets, and logins inside URLs, are `***`."""
    return {key: _shown(value) for key, value in settings.model_dump().items()}


def json_schema() -> dict[str, Any]:
    """The JSON schema of the configuration file."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Settings.model_json_schema()}


def example_text() -> str:
    """The commented example: what `eluvix init` writes."""
    packaged = files("gateway.settings") / _EXAMPLE
    if packaged.is_file():
        return packaged.read_text(encoding="utf-8")
    return (Path(__file__).parents[2] / _EXAMPLE).read_text(encoding="utf-8")


def changed(old: Settings, new: Settings) -> tuple[str, ...]:
    """The keys that differ and take effect only after a restart (`server.port`, ...). All others can be reloaded."""
    return tuple(".".join(path) for path in key_paths(Settings) if _waits(path) and _value(old, path) != _value(new, path))


def _waits(path: tuple[str, ...]) -> bool:
    return any(".".join(path[:length]) in _NEEDS_RESTART for length in range(1, len(path) + 1))


def _value(settings: Settings, path: tuple[str, ...]) -> Any:
    value: Any = settings
    for key in path:
        value = getattr(value, key)
    return value


def _shown(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _shown(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_shown(item) for item in value]
    if isinstance(value, SecretStr):
        return _STARS if value else ""
    return _URL_LOGIN.sub(f"{_STARS}@", str(value)) if isinstance(value, str | Path) else value
