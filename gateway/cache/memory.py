"""Entries in this process: bounded in time and in bytes, the least recently used go first."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cachetools import TTLCache

if TYPE_CHECKING:
    from collections.abc import Callable

    from gateway.cache.store import Entry, StoreConfig

_MIB = 1024 * 1024
_OVERHEAD = 1024
"""Bytes that Python needs around an entry: key, objects, links, index."""


@dataclass(frozen=True, slots=True)
class _Slot:
    owner: str
    entry: Entry


def _size(slot: _Slot) -> int:
    headers = sum(len(name) + len(value) for name, value in slot.entry.headers)
    return _OVERHEAD + len(slot.owner) + headers + len(slot.entry.body)


class _Slots(TTLCache[str, _Slot]):
    """Knows each owner's keys, also after entries have expired or made room."""

    def __init__(self, max_bytes: float, ttl_s: float, clock: Callable[[], float]) -> None:
        super().__init__(max_bytes, ttl_s, clock, _size)
        self.owned: dict[str, set[str]] = {}

    def expire(self, time: float | None = None) -> list[tuple[str, _Slot]]:
        expired = list(super().expire(time))
        for key, slot in expired:
            self._disown(key, slot.owner)
        return expired

    def popitem(self) -> tuple[str, _Slot]:
        key, slot = super().popitem()
        self._disown(key, slot.owner)
        return key, slot

    def discard(self, key: str) -> None:
        """Removes an entry where there is one."""
        with self.timer:  # stands still meanwhile
            slot = self.pop(key, None)
        if slot is not None:
            self._disown(key, slot.owner)

    def _disown(self, key: str, owner: str) -> None:
        keys = self.owned[owner]
        keys.discard(key)
        if not keys:
            del self.owned[owner]


class MemoryStore:
    """A CacheStore of one process, lost when it ends."""

    def __init__(self, config: StoreConfig, clock: Callable[[], float] = time.monotonic) -> None:
        self._slots = _Slots(config.max_mib * _MIB, config.ttl_s, clock)

    @property
    def size(self) -> int:
        """Bytes taken, Python's own included."""
        return int(self._slots.currsize)

    async def get(self, key: str) -> Entry | None:
        """The entry, or None when there is none or it has expired."""
        try:
            return self._slots[key].entry  # one look: `get` would look twice, and the entry may expire in between
        except KeyError:
            return None

    async def put(self, key: str, owner: str, entry: Entry) -> None:
        """Keeps an entry, unless it is larger than the whole store."""
        self._slots.discard(key)
        slot = _Slot(owner, entry)
        if _size(slot) <= self._slots.maxsize:
            self._slots[key] = slot
            self._slots.owned.setdefault(owner, set()).add(key)

    async def purge(self, owner: str) -> int:
        """Removes every entry of this owner. Returns how many had not expired."""
        self._slots.expire()
        keys = tuple(self._slots.owned.get(owner, ()))
        for key in keys:
            self._slots.discard(key)
        return len(keys)

    async def close(self) -> None:
        """Forgets everything."""
        self._slots.clear()
        self._slots.owned.clear()
