"""Single flight: of several identical requests at a time one goes to the upstream, the others wait for its entry.

When a lead ends without an entry (it failed, its client left, its answer is not kept), one waiter takes over and the rest wait
on. When that lead ends without one too, all that are left go on alone: answers to this request are hardly ever kept, and to wait
in line for each other would only add up their times. So nobody waits for more than two leads, nor longer than `patience_s`.
Nobody ever gets another's error: a waiter gets an entry, or the task of fetching it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gateway.cache.store import Entry

_MAX_LEADS = 2


@dataclass(eq=False, slots=True)
class _Flight:
    key: str
    owner: str
    leads: int = 1
    void: bool = False
    waiters: deque[asyncio.Future[Lead]] = field(default_factory=deque)


class Lead:
    """One request's part in a flight. With `entry`: replay it. Without: fetch, `land` what may be kept, and always `close`."""

    __slots__ = ("_flight", "_flights", "entry", "key", "owner")

    def __init__(self, flights: Flights, flight: _Flight | None = None, entry: Entry | None = None) -> None:
        self.key = flight.key if flight else ""
        self.owner = flight.owner if flight else ""
        self.entry = entry
        """The answer that another request has fetched, or None."""
        self._flights = flights
        self._flight = flight

    @property
    def leads(self) -> bool:
        """Whether others may wait for this one, so that its answer should be kept. False once closed, and for who goes alone."""
        return self._flight is not None and not self._flight.void

    @property
    def void(self) -> bool:
        """Whether the owner was purged while this one was fetching."""
        return self._flight is not None and self._flight.void

    def land(self, entry: Entry) -> None:
        """Gives the entry to everyone who waits, and ends the flight."""
        flight, self._flight = self._flight, None
        if flight is not None:
            self._flights._finish(flight, entry)

    def close(self) -> None:
        """Ends the lead without an entry, unless it has landed one. May be called twice."""
        flight, self._flight = self._flight, None
        if flight is not None:
            self._flights._pass_on(flight)


class Flights:
    """The flights that are under way in this process, by key."""

    def __init__(self, patience_s: float = 60.0) -> None:
        self._patience = patience_s
        self._flights: dict[str, _Flight] = {}

    def __len__(self) -> int:
        return len(self._flights)

    async def join(self, key: str, owner: str = "") -> Lead:
        """Starts a flight, or waits for the one under way. Whoever calls must close the lead, whatever happens."""
        flight = self._flights.get(key)
        if flight is not None:
            return await self._wait(flight)
        flight = self._flights[key] = _Flight(key, owner)
        return Lead(self, flight)

    def void(self, owner: str) -> None:
        """What this owner's flights fetch must not be kept any more; new requests start anew."""
        for flight in [flight for flight in self._flights.values() if flight.owner == owner]:
            flight.void = True
            self._forget(flight)

    async def _wait(self, flight: _Flight) -> Lead:
        seat: asyncio.Future[Lead] = asyncio.get_running_loop().create_future()
        flight.waiters.append(seat)
        try:
            await asyncio.wait((seat,), timeout=self._patience)
        except asyncio.CancelledError:
            self._stand_up(flight, seat)
            raise
        if seat.done():
            return seat.result()
        self._stand_up(flight, seat)
        return Lead(self)

    def _stand_up(self, flight: _Flight, seat: asyncio.Future[Lead]) -> None:
        """A waiter leaves. It may have been given the lead a moment before it was cancelled: then the next one takes that."""
        if seat.done():
            seat.result().close()
        else:
            flight.waiters.remove(seat)
            seat.cancel()

    def _finish(self, flight: _Flight, entry: Entry | None) -> None:
        """Gives every waiter the entry, or with None sends them on alone."""
        self._forget(flight)
        while flight.waiters:
            flight.waiters.popleft().set_result(Lead(self, entry=entry))

    def _pass_on(self, flight: _Flight) -> None:
        if flight.waiters and flight.leads < _MAX_LEADS:
            flight.leads += 1
            flight.waiters.popleft().set_result(Lead(self, flight))
        else:
            self._finish(flight, None)

    def _forget(self, flight: _Flight) -> None:
        if self._flights.get(flight.key) is flight:
            del self._flights[flight.key]
