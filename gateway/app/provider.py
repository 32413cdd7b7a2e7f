"""The memory provider that the settings name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from providers import provider_class

if TYPE_CHECKING:
    from pathlib import Path

    from gateway.settings import Settings
    from providers.base import MemoryProvider


def make_provider(settings: Settings, home: Path) -> MemoryProvider:
    """The configured memory provider, not yet opened."""
    memory = settings.memory
    make: Any = provider_class(memory.provider)
    if memory.provider == "sqlite":
        provider: MemoryProvider = make(memory.sqlite.path or home / "memory.db")
        return provider
    mem0 = memory.mem0
    key = mem0.api_key.get_secret_value() if mem0.api_key else None
    remote: MemoryProvider = make(mem0.url, api_key=key, dialect=mem0.dialect, infer=mem0.infer, local=mem0.local, timeout=mem0.timeout_s)
    return remote
