"""Memory providers: where memories live. They know nothing of HTTP servers or of the gateway."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from providers.base import MemoryProvider

PROVIDERS: dict[str, str] = {
    "sqlite": "providers.sqlite:SqliteProvider",
    "mem0": "providers.mem0.provider:Mem0Provider",
}
"""Name in the settings -> `module:class`. A new provider is one module and one line here."""


def provider_class(name: str) -> type[MemoryProvider]:
    """The class behind a name, imported now, so that unused providers cost nothing. Raises KeyError."""
    module, _, attribute = PROVIDERS[name].partition(":")
    return cast("type[MemoryProvider]", getattr(importlib.import_module(module), attribute))
