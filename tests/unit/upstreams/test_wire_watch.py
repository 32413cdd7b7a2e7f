"""The timer of a connection, with a clock that the test turns."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from gateway.upstreams.base import Timeouts
from gateway.upstreams.wire.watch import Watch

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable


class Timer:
    def __init__(self, when: float, call: Callable[[], None]) -> None:
        self.when, self.call, self.cancelled = when, call, False

    def cancel(self) -> None:
        self.cancelled = True


class Clock:
    """The two methods of a loop that a watch uses."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.timers: list[Timer] = []
        self.expired: list[float] = []

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, call: Callable[[], None]) -> Timer:
        self.timers.append(Timer(when, call))
        return self.timers[-1]

    def pending(self) -> list[Timer]:
        self.timers = [timer for timer in self.timers if not timer.cancelled]
        return self.timers

    def turn_to(self, when: float) -> None:
        while due := sorted((timer for timer in self.pending() if timer.when <= when), key=lambda timer: timer.when):
            self.now = due[0].when
            self.timers.remove(due[0])
            due[0].call()
        self.now = when

    def expire(self) -> None:
        self.expired.append(self.now)


TIMES = Timeouts(first_byte=300, between=120, total=1800)


@pytest.fixture
def clock() -> Clock:
    return Clock()


def begin(clock: Clock, timeouts: Timeouts = TIMES) -> Watch:
    watch = Watch(cast("asyncio.AbstractEventLoop", clock))
    watch.begin(timeouts, clock.expire)
    return watch


def test_the_head_may_take_the_first_byte_time_and_no_longer(clock: Clock) -> None:
    begin(clock)
    clock.turn_to(1299.9)
    assert clock.expired == []
    clock.turn_to(1400)
    assert clock.expired == [1300]


def test_a_piece_may_take_the_between_time_from_when_the_reader_waits(clock: Clock) -> None:
    watch = begin(clock)
    clock.turn_to(1250)
    watch.headed()
    clock.turn_to(1500)
    assert clock.expired == []
    watch.wait()
    clock.turn_to(2000)
    assert clock.expired == [1620]


def test_a_slow_reader_is_not_a_stalled_upstream(clock: Clock) -> None:
    watch = begin(clock)
    watch.headed()
    for second in range(1001, 1100):
        watch.wait()
        clock.turn_to(second)
        watch.waited()
    clock.turn_to(2799)
    assert clock.expired == []


def test_the_total_time_counts_also_when_nobody_waits(clock: Clock) -> None:
    begin(clock).headed()
    clock.turn_to(5000)
    assert clock.expired == [2800]


def test_a_total_below_the_other_timeouts_holds(clock: Clock) -> None:
    begin(clock, Timeouts(first_byte=300, between=120, total=7))
    clock.turn_to(2000)
    assert clock.expired == [1007]


def test_after_stop_nothing_expires_and_the_next_exchange_uses_the_same_timer(clock: Clock) -> None:
    watch = begin(clock)
    watch.stop()
    clock.turn_to(1100)
    watch.begin(TIMES, clock.expire)
    assert len(clock.pending()) == 1
    clock.turn_to(2000)
    assert clock.expired == [1400]


def test_a_timer_that_ran_out_between_exchanges_is_set_again(clock: Clock) -> None:
    watch = begin(clock)
    watch.stop()
    clock.turn_to(1500)
    assert clock.pending() == []
    watch.begin(TIMES, clock.expire)
    clock.turn_to(3000)
    assert clock.expired == [1800]


def test_an_exchange_with_shorter_timeouts_moves_the_timer(clock: Clock) -> None:
    watch = begin(clock)
    watch.stop()
    clock.turn_to(1001)
    watch.begin(Timeouts(first_byte=5, between=5, total=5), clock.expire)
    clock.turn_to(2000)
    assert clock.expired == [1006]


def test_a_disposed_watch_has_no_timer(clock: Clock) -> None:
    watch = begin(clock)
    watch.dispose()
    watch.dispose()
    assert clock.pending() == []
