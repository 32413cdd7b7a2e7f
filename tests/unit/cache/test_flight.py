from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.cache.flight import Flights, Lead
from gateway.cache.store import Entry

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

ENTRY = Entry(200, ((b"content-type", b"application/json"),), b"{}", stream=False)


@pytest.fixture
def flights() -> Flights:
    return Flights(patience_s=10_000)


async def _seated(flights: Flights, count: int, key: str = "k") -> list[asyncio.Task[Lead]]:
    """Tasks that wait for the flight under way."""
    tasks = [asyncio.create_task(flights.join(key, "user:a")) for _ in range(count)]
    await _settle()
    return tasks


async def _settle() -> None:
    """Lets everything that can go on go on."""
    for _ in range(10):
        await asyncio.sleep(0)


@asynccontextmanager
async def _leading(flights: Flights) -> AsyncIterator[Lead]:
    """A request that leads, and closes its lead however it ends."""
    lead = await flights.join("k")
    try:
        yield lead
    finally:
        lead.close()


def _done(tasks: list[asyncio.Task[Lead]]) -> list[bool]:
    return [task.done() for task in tasks]


async def test_the_first_leads_and_the_others_get_its_entry(flights: Flights) -> None:
    lead = await flights.join("k")
    assert lead.leads
    assert lead.entry is None
    waiters = await _seated(flights, 3)
    assert _done(waiters) == [False] * 3
    lead.land(ENTRY)
    assert [(await waiter).entry for waiter in waiters] == [ENTRY] * 3
    assert len(flights) == 0


async def test_different_keys_do_not_wait_for_each_other(flights: Flights) -> None:
    assert (await flights.join("k")).leads
    assert (await flights.join("other")).leads


async def test_who_comes_after_the_landing_leads_a_new_flight(flights: Flights) -> None:
    (await flights.join("k")).land(ENTRY)
    assert (await flights.join("k")).leads


async def test_when_a_lead_fails_one_waiter_takes_over_and_the_rest_wait_on(flights: Flights) -> None:
    lead = await flights.join("k")
    waiters = await _seated(flights, 3)
    lead.close()
    await _settle()
    assert _done(waiters) == [True, False, False]
    second = await waiters[0]
    assert second.leads
    assert second.entry is None
    second.land(ENTRY)
    assert [(await waiter).entry for waiter in waiters[1:]] == [ENTRY] * 2


async def test_when_the_second_lead_fails_too_the_rest_go_on_alone(flights: Flights) -> None:
    lead = await flights.join("k")
    waiters = await _seated(flights, 3)
    lead.close()
    (await waiters[0]).close()
    alone = [await waiter for waiter in waiters[1:]]
    assert [(one.leads, one.entry) for one in alone] == [(False, None)] * 2
    assert len(flights) == 0


async def test_who_goes_alone_lands_nothing_and_ends_no_flight_of_others(flights: Flights) -> None:
    lead = await flights.join("k")
    waiters = await _seated(flights, 2)
    lead.close()
    (await waiters[0]).close()
    alone = await waiters[1]
    newer = await flights.join("k")
    alone.land(ENTRY)
    alone.close()
    assert newer.leads
    assert len(flights) == 1


async def test_an_error_inside_the_block_stays_with_its_own_request(flights: Flights) -> None:
    entered = asyncio.Event()
    fail = asyncio.Event()

    async def first() -> None:
        async with _leading(flights):
            entered.set()
            await fail.wait()
            raise ValueError

    failing = asyncio.create_task(first())
    await entered.wait()
    waiters = await _seated(flights, 1)
    fail.set()
    assert (await waiters[0]).leads
    with pytest.raises(ValueError):
        await failing


async def test_a_lead_whose_client_leaves_is_taken_over(flights: Flights) -> None:
    entered = asyncio.Event()

    async def first() -> None:
        async with _leading(flights):
            entered.set()
            await asyncio.Event().wait()

    leaving = asyncio.create_task(first())
    await entered.wait()
    waiters = await _seated(flights, 2)
    leaving.cancel()
    (await waiters[0]).land(ENTRY)
    assert (await waiters[1]).entry is ENTRY


async def test_a_waiter_whose_client_leaves_is_not_given_the_lead(flights: Flights) -> None:
    lead = await flights.join("k")
    gone, stays = await _seated(flights, 2)
    gone.cancel()
    await _settle()
    lead.close()
    assert (await stays).leads
    assert gone.cancelled()


async def test_a_waiter_that_leaves_in_the_moment_it_is_given_the_lead_hands_it_on(flights: Flights) -> None:
    lead = await flights.join("k")
    gone, stays = await _seated(flights, 2)
    lead.close()
    gone.cancel()
    await _settle()
    assert gone.cancelled()
    assert (await stays).entry is None
    assert len(flights) == 0


async def test_a_waiter_that_leaves_in_the_moment_of_landing_harms_nobody(flights: Flights) -> None:
    lead = await flights.join("k")
    gone, stays = await _seated(flights, 2)
    lead.land(ENTRY)
    gone.cancel()
    assert (await stays).entry is ENTRY
    assert len(flights) == 0


async def test_the_last_one_out_leaves_nothing_behind(flights: Flights) -> None:
    async with _leading(flights) as lead:
        assert lead.leads
    assert not lead.leads
    assert len(flights) == 0


async def test_closing_twice_and_closing_after_landing_change_nothing(flights: Flights) -> None:
    lead = await flights.join("k")
    waiters = await _seated(flights, 2)
    lead.close()
    lead.close()
    await _settle()
    assert _done(waiters) == [True, False]
    second = await waiters[0]
    second.land(ENTRY)
    second.close()
    assert (await waiters[1]).entry is ENTRY


async def test_who_has_waited_long_enough_goes_alone() -> None:
    flights = Flights(patience_s=0.01)
    lead = await flights.join("k")
    impatient = await flights.join("k")
    assert not impatient.leads
    assert impatient.entry is None
    lead.close()
    assert len(flights) == 0


async def test_a_purge_voids_the_owners_flights_and_no_others(flights: Flights) -> None:
    mine, other = await flights.join("1", "user:a"), await flights.join("2", "user:b")
    flights.void("user:a")
    assert (mine.leads, mine.void) == (False, True)
    assert (other.leads, other.void) == (True, False)
    assert (await flights.join("1", "user:a")).leads, "a request after the purge starts anew"


async def test_a_void_flight_hands_on_without_disturbing_the_new_one(flights: Flights) -> None:
    lead = await flights.join("k", "user:a")
    waiters = await _seated(flights, 2)
    flights.void("user:a")
    newer = await flights.join("k", "user:a")
    lead.close()
    second = await waiters[0]
    assert not second.leads
    second.close()
    assert not (await waiters[1]).leads
    assert newer.leads
    assert len(flights) == 1


STEP = st.tuples(st.sampled_from(["join", "land", "close", "cancel", "void", "run"]), st.integers(0, 5))


@settings(deadline=None, max_examples=200)
@given(steps=st.lists(STEP, max_size=40))
def test_whatever_happens_nobody_waits_for_ever_and_nothing_is_left(steps: list[tuple[str, int]]) -> None:
    asyncio.run(_play(steps))


async def _play(steps: list[tuple[str, int]]) -> None:
    flights = Flights(patience_s=10_000)
    tasks: list[asyncio.Task[Lead]] = []
    for action, number in steps:
        if action == "join":
            tasks.append(asyncio.create_task(flights.join("k", "user:a")))
        elif action == "void":
            flights.void("user:a")
        elif action == "run":
            await asyncio.sleep(0)
        elif tasks:
            _act(tasks[number % len(tasks)], action)
        assert len(flights) <= 1
    await _close_all(tasks)
    assert len(flights) == 0


def _act(task: asyncio.Task[Lead], action: str) -> None:
    if action == "cancel":
        task.cancel()
    elif task.done() and not task.cancelled():
        task.result().land(ENTRY) if action == "land" else task.result().close()


async def _close_all(tasks: list[asyncio.Task[Lead]]) -> None:
    """Everybody who got a lead closes it, until nobody waits; at most two rounds of taking over and one of finding out."""
    for _ in range(len(tasks) + 3):
        await _settle()
        for task in tasks:
            if task.done() and not task.cancelled():
                task.result().close()
    await _settle()
    assert all(task.done() for task in tasks)
