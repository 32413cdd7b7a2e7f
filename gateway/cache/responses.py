"""The cache as the pipeline sees it: is it wanted, is there an answer, keep this one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import structlog

from gateway.cache.admission import cacheable, kept_headers
from gateway.cache.flight import Lead
from gateway.cache.key import owner_of, owner_of_user
from gateway.cache.store import Entry
from gateway.errors import StorageError
from gateway.upstreams.headers import is_stream

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gateway.cache.flight import Flights
    from gateway.cache.store import CacheStore
    from gateway.turn import Turn

log = structlog.get_logger()

CacheMode = Literal["on", "off", "asked"]
CacheStatus = Literal["hit", "miss", "bypass"]
"""What `x-eluvix-cache` says: from the cache, not from the cache, or the cache was not used."""


class ResponseCache:
    """Answers kept for their owner. A store that fails costs hits, never a request."""

    def __init__(self, store: CacheStore, flights: Flights, mode: CacheMode) -> None:
        self._store = store
        self._flights = flights
        self._mode = mode

    def wanted(self, turn: Turn) -> bool:
        """Whether this turn uses the cache. Never for somebody unknown."""
        if turn.no_cache or owner_of(turn.principal) is None:
            return False
        return self._mode == "on" or (self._mode == "asked" and turn.cache_asked)

    async def look_up(self, turn: Turn, key: str) -> Lead:
        """The kept entry (hit), or the task of fetching it (miss); waits while an identical request is under way.

        Always `close` the lead, at the end or when the client leaves; `keep` comes before that.
        """
        lead = await self._flights.join(key, owner_of(turn.principal) or "")
        if not lead.leads:
            return lead
        try:
            entry = await self._get(key)
        except BaseException:
            lead.close()
            raise
        if entry is None:
            return lead
        lead.land(entry)
        return Lead(self._flights, entry=entry)

    async def keep(self, lead: Lead, status: int, headers: Sequence[tuple[bytes, bytes]], body: bytes, complete: bool) -> bool:
        """Keeps an answer and gives it to those who wait for it, if it may be kept. `body` is all of it, as on the wire.

        Does not close the lead. False for answers that may not be kept, and when the owner was purged meanwhile.
        """
        if not lead.leads or not cacheable(status, headers, body, complete):
            return False
        entry = Entry(status, kept_headers(headers), body, is_stream(headers))
        await self._put(lead, entry)
        if lead.void:  # purged while the store was writing
            await self._take_back(lead.owner)
            return False
        lead.land(entry)
        return True

    async def purge(self, user: str) -> int:
        """Removes a user's entries: called when memories are forgotten. Returns how many. Raises StorageError."""
        owner = owner_of_user(user)
        self._flights.void(owner)
        return await self._store.purge(owner)

    async def _get(self, key: str) -> Entry | None:
        try:
            return await self._store.get(key)
        except StorageError:
            log.warning("the cache could not be read")
            return None

    async def _put(self, lead: Lead, entry: Entry) -> None:
        try:
            await self._store.put(lead.key, lead.owner, entry)
        except StorageError:
            log.warning("the cache could not be written")

    async def _take_back(self, owner: str) -> None:
        try:
            await self._store.purge(owner)
        except StorageError:
            log.warning("an answer was kept although its owner was purged meanwhile; it expires by itself")
