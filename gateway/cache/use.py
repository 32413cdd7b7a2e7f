"""One attempt's use of the cache, from the look-up to what is kept: a hit, a miss whose answer may be kept, or a bypass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.cache.key import cache_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gateway.cache.flight import Lead
    from gateway.cache.responses import CacheStatus, ResponseCache
    from gateway.cache.store import Entry
    from gateway.turn import Outbound, Turn


class CacheUse:
    """What an attempt has of the cache. It must be closed, whatever happens; closing twice is fine."""

    __slots__ = ("_cache", "_lead", "outcome")

    def __init__(self, cache: ResponseCache | None = None, lead: Lead | None = None) -> None:
        self._cache = cache
        self._lead = lead
        self.outcome: CacheStatus = "bypass" if lead is None else "miss" if lead.entry is None else "hit"

    @property
    def entry(self) -> Entry | None:
        """The kept answer, on a hit."""
        return None if self._lead is None else self._lead.entry

    @property
    def keeps(self) -> bool:
        """Whether the answer should be read because it may be kept."""
        return self._lead is not None and self._lead.leads

    async def keep(self, status: int, headers: Sequence[tuple[bytes, bytes]], body: bytes) -> None:
        """Keeps a complete answer (as on the wire), if it may be kept."""
        if self._cache is not None and self._lead is not None:
            await self._cache.keep(self._lead, status, headers, body, complete=True)

    def close(self) -> None:
        """Ends the part in the flight."""
        if self._lead is not None:
            self._lead.close()


async def use_cache(cache: ResponseCache, turn: Turn, outbound: Outbound, policy_version: str) -> CacheUse:
    """Looks the guarded request up, where the turn may use the cache at all."""
    if not cache.wanted(turn):
        return CacheUse()
    key = cache_key(turn, outbound, policy_version)
    return CacheUse() if key is None else CacheUse(cache, await cache.look_up(turn, key))
