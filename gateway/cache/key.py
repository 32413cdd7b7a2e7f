"""The key of a cached answer. Whatever may change an answer, or who may see it, is a part of it."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gateway.turn import Outbound, Principal, Turn

_VERSION = b"1"
"""Raise it when an entry's meaning changes, so that a shared store never serves an old one."""
_SHAPING_HEADERS = frozenset({"accept", "accept-encoding"})
_SHAPING_PREFIXES = ("openai-", "anthropic-")


def owner_of_user(user: str) -> str:
    """The owner under which a user's entries are kept, and purged."""
    return f"user:{user}"


def owner_of(principal: Principal) -> str | None:
    """Whose entries these are: the user's; without one the key's; None with neither: nothing is kept for strangers."""
    if principal.user is not None:
        return owner_of_user(principal.user)
    return None if principal.key_name is None else f"key:{principal.key_name}"


def cache_key(turn: Turn, outbound: Outbound, policy_version: str) -> str | None:
    """64 hex digits, or None when this turn bypasses the cache.

    Covers owner, upstream, endpoint, policy version, the headers that shape an answer, and the guarded body as sent: model,
    messages with the block inside, tools and parameters are all in the body.
    """
    owner = owner_of(turn.principal)
    if owner is None or turn.no_cache:
        return None
    digest = blake2b(digest_size=32, person=b"eluvix-cache")
    for part in _parts(owner, outbound, policy_version):
        digest.update(len(part).to_bytes(8, "big"))  # lengths first: no two lists of parts read alike
        digest.update(part)
    return digest.hexdigest()


def _parts(owner: str, outbound: Outbound, policy_version: str) -> Iterator[bytes]:
    yield _VERSION
    for text in (owner, outbound.upstream, outbound.url, outbound.endpoint, policy_version):
        yield text.encode("utf-8", "surrogatepass")
    yield outbound.body
    for name, value in sorted(outbound.headers.items()):
        if name in _SHAPING_HEADERS or name.startswith(_SHAPING_PREFIXES):
            yield name.encode("utf-8", "surrogatepass")
            yield value.encode("utf-8", "surrogatepass")
