"""The named keys of the configuration file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.identity import ANY_USER, NamedKey, key_digest

if TYPE_CHECKING:
    from gateway.settings import Settings


def configured_keys(settings: Settings) -> list[NamedKey]:
    """The keys of the configuration file."""
    return [
        NamedKey(k.name, key_digest(k.key.get_secret_value()), None if k.user == ANY_USER else k.user, k.top_k, k.max_tokens)
        for k in settings.keys
    ]
