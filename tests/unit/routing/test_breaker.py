from __future__ import annotations

import math

import pytest

from gateway.routing.breaker import MAX_COOL_S, BreakerLimits, Breakers
from tests.fakes.listing_upstream import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def breakers(clock: FakeClock) -> Breakers:
    return Breakers({"a": BreakerLimits(failures=2, cooldown_s=30)}, clock)


def _fail(breakers: Breakers, times: int = 2) -> None:
    for _ in range(times):
        breakers.failure("a")


def test_an_upstream_that_nothing_is_known_of_is_available(breakers: Breakers) -> None:
    breakers.success("new")
    breakers.claim("new")
    assert breakers.available("new")


def test_it_opens_at_the_limit_and_not_before(breakers: Breakers) -> None:
    _fail(breakers, 1)
    assert breakers.available("a")
    _fail(breakers, 1)
    assert not breakers.available("a")


def test_one_upstreams_failures_are_not_anothers(breakers: Breakers) -> None:
    _fail(breakers, 5)
    assert breakers.available("b")


def test_a_success_in_between_starts_the_count_anew(breakers: Breakers) -> None:
    _fail(breakers, 1)
    breakers.success("a")
    _fail(breakers, 1)
    assert breakers.available("a")


def test_after_the_cooldown_exactly_one_is_let_through(breakers: Breakers, clock: FakeClock) -> None:
    _fail(breakers)
    clock.now += 29.9
    assert not breakers.available("a")
    clock.now += 0.1
    assert breakers.available("a")
    breakers.claim("a")
    assert not breakers.available("a")


def test_asking_alone_does_not_take_the_try(breakers: Breakers, clock: FakeClock) -> None:
    _fail(breakers)
    clock.now += 30
    assert all(breakers.available("a") for _ in range(3))


def test_a_claim_before_the_cooldown_is_over_does_not_prolong_it(breakers: Breakers, clock: FakeClock) -> None:
    _fail(breakers)
    clock.now += 20
    breakers.claim("a")
    clock.now += 10
    assert breakers.available("a")


def test_a_try_that_succeeds_closes_it_for_everyone(breakers: Breakers, clock: FakeClock) -> None:
    _fail(breakers)
    clock.now += 30
    breakers.claim("a")
    breakers.success("a")
    breakers.claim("a")
    assert breakers.available("a")
    _fail(breakers, 1)
    assert breakers.available("a")


def test_a_try_that_fails_opens_it_again(breakers: Breakers, clock: FakeClock) -> None:
    _fail(breakers)
    clock.now += 30
    breakers.claim("a")
    _fail(breakers, 1)
    clock.now += 29
    assert not breakers.available("a")
    clock.now += 1
    assert breakers.available("a")


def test_a_try_that_never_reports_expires(breakers: Breakers, clock: FakeClock) -> None:
    _fail(breakers)
    clock.now += 30
    breakers.claim("a")
    clock.now += 30
    assert breakers.available("a")


def test_a_pause_asked_for_holds_whatever_others_report(breakers: Breakers, clock: FakeClock) -> None:
    breakers.cool("a", 10)
    breakers.success("a")
    assert not breakers.available("a")
    clock.now += 10
    assert breakers.available("a")


def test_a_shorter_pause_does_not_end_a_longer_one(breakers: Breakers, clock: FakeClock) -> None:
    breakers.cool("a", 10)
    breakers.cool("a", 1)
    clock.now += 5
    assert not breakers.available("a")


@pytest.mark.parametrize("seconds", [0, -1, math.nan])
def test_a_pause_that_is_none_is_not_kept(breakers: Breakers, seconds: float) -> None:
    breakers.cool("a", seconds)
    assert breakers.available("a")


@pytest.mark.parametrize("seconds", [1e12, math.inf])
def test_no_upstream_can_ask_for_an_endless_pause(breakers: Breakers, clock: FakeClock, seconds: float) -> None:
    breakers.cool("a", seconds)
    clock.now += MAX_COOL_S
    assert breakers.available("a")


def test_upstreams_without_limits_of_their_own_have_the_default_ones(breakers: Breakers, clock: FakeClock) -> None:
    for _ in range(3):
        assert breakers.available("other")
        breakers.failure("other")
    assert not breakers.available("other")
    clock.now += 30
    assert breakers.available("other")
