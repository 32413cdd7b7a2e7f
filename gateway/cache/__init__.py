"""Answers kept for their owner: the key, the stores, single flight, and what may be kept at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.cache.memory import MemoryStore

if TYPE_CHECKING:
    from collections.abc import Callable

    from gateway.cache.store import CacheStore, StoreConfig

CACHES: dict[str, Callable[[StoreConfig], CacheStore]] = {
    "memory": MemoryStore,
}
"""`cache.backend` -> the store. The contract suite runs over every one of them."""
