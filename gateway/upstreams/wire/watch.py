"""The timeouts on one connection: a single timer that outlives exchanges and is set again only when it fires."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from gateway.upstreams.base import Timeouts


class Watch:
    """Calls `expire` when somebody has waited too long: for the head, or (after `headed`) for a piece, or in total.

    Waiting that is our own doing (a slow reader) does not count: only the time between `wait` and `waited` does.
    The timer is never further away than the shortest of the timeouts, so that nothing has to move it when a deadline changes.
    """

    __slots__ = ("_between", "_end", "_expire", "_limit", "_loop", "_next_look", "_since", "_step", "_timer")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._timer: asyncio.TimerHandle | None = None
        self._next_look = math.inf
        self._since = self._end = math.inf
        self._limit = self._between = self._step = 0.0
        self._expire: Callable[[], None] | None = None

    def begin(self, timeouts: Timeouts, expire: Callable[[], None]) -> None:
        """An exchange begins, and with it the wait for a head."""
        now = self._loop.time()
        self._expire = expire
        self._limit = timeouts.first_byte
        self._between = timeouts.between
        self._since = now
        self._end = now + timeouts.total
        self._step = min(timeouts.first_byte, timeouts.between, timeouts.total)
        if self._timer is None or self._next_look > now + self._step:
            self._look_at(now + self._step)

    def headed(self) -> None:
        """The head is here: from now on pieces are waited for."""
        self._limit = self._between
        self._since = math.inf

    def wait(self) -> None:
        """A reader begins to wait for a piece."""
        self._since = self._loop.time()

    def waited(self) -> None:
        """The reader waits no more."""
        self._since = math.inf

    def stop(self) -> None:
        """Nothing is waited for any more. The timer stays for the next exchange."""
        self._since = self._end = math.inf
        self._expire = None  # a method of the exchange: not to be kept alive

    def dispose(self) -> None:
        """The connection is gone."""
        self.stop()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look_at(self, when: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._next_look = when
        self._timer = self._loop.call_at(when, self._look)

    def _look(self) -> None:
        now = self._loop.time()
        expire, deadline = self._expire, min(self._since + self._limit, self._end)
        self._timer = None
        if expire is None:
            return  # between exchanges: the next one sets the timer again
        if now >= deadline:
            expire()
        else:
            self._look_at(min(deadline, now + self._step))
