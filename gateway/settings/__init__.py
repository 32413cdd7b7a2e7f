"""The configuration: read once, frozen, and known only to `gateway.app` and `gateway.cli`."""

from __future__ import annotations

from gateway.settings.checks import is_loopback, refuse_open
from gateway.settings.load import Loaded, home_folder, load, make_home
from gateway.settings.model import Settings
from gateway.settings.show import changed, example_text, json_schema, safe_dump

__all__ = [
    "Loaded",
    "Settings",
    "changed",
    "example_text",
    "home_folder",
    "is_loopback",
    "json_schema",
    "load",
    "make_home",
    "refuse_open",
    "safe_dump",
]
