"""Circuit breakers: an upstream that fails again and again is tried last for a while."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MAX_COOL_S = 3600.0
"""The longest pause that an upstream's `retry-after` can ask for."""


@dataclass(frozen=True, slots=True)
class BreakerLimits:
    """After `failures` in a row the breaker is open for `cooldown_s` seconds."""

    failures: int = 3
    cooldown_s: float = 30.0


@dataclass(slots=True)
class _Breaker:
    failures: int = 0
    is_open: bool = False
    retry_at: float = -math.inf
    """While open: when one request is let through again."""
    cool_until: float = -math.inf


class Breakers:
    """One breaker for each upstream. Asking is free of side effects; `claim` takes the one try of a half-open breaker.

    A claimed try that never reports (client gone, answer from the cache) expires after one more cooldown.
    """

    def __init__(self, limits: Mapping[str, BreakerLimits], clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = limits
        self._clock = clock
        self._breakers: dict[str, _Breaker] = {}

    def available(self, name: str) -> bool:
        """Whether a request may go to this upstream now: closed, or half-open with its one try not yet taken."""
        breaker = self._breakers.get(name)
        if breaker is None:
            return True
        now = self._clock()
        return now >= breaker.cool_until and (not breaker.is_open or now >= breaker.retry_at)

    def claim(self, name: str) -> None:
        """A request goes to this upstream now. Half-open: nobody else is let through until it reports."""
        breaker = self._breakers.get(name)
        if breaker is not None and breaker.is_open and self.available(name):
            breaker.retry_at = self._clock() + self._limit(name).cooldown_s

    def success(self, name: str) -> None:
        """The upstream answered: its failures are forgotten. A pause that it asked for goes on."""
        breaker = self._breakers.get(name)
        if breaker is not None:
            breaker.failures, breaker.is_open = 0, False

    def failure(self, name: str) -> None:
        """The upstream did not answer, or with a 5xx. Opens the breaker at the limit, or again after a failed try."""
        breaker = self._breakers.setdefault(name, _Breaker())
        limit = self._limit(name)
        breaker.failures += 1
        if breaker.failures >= limit.failures:
            breaker.is_open = True
            breaker.retry_at = self._clock() + limit.cooldown_s

    def cool(self, name: str, seconds: float) -> None:
        """The upstream asked for a pause (429, `retry-after`): at most MAX_COOL_S, and never shorter than one already running."""
        if not seconds > 0:
            return
        breaker = self._breakers.setdefault(name, _Breaker())
        breaker.cool_until = max(breaker.cool_until, self._clock() + min(seconds, MAX_COOL_S))

    def _limit(self, name: str) -> BreakerLimits:
        return self._limits.get(name) or BreakerLimits()
