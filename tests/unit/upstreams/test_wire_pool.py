"""The pool, with connections in memory."""

from __future__ import annotations

import asyncio

import pytest

from gateway.errors import UpstreamTimeout, UpstreamUnavailable
from gateway.upstreams.wire.connection import Connection
from gateway.upstreams.wire.pool import Pool
from tests.fakes.memory_transport import MemoryTransport


class Dial:
    """Opens connections in memory; `gate` holds them back, `failures` fail first."""

    def __init__(self) -> None:
        self.opened: list[Connection] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.failures = 0

    async def __call__(self) -> Connection:
        await self.gate.wait()
        if self.failures:
            self.failures -= 1
            raise UpstreamUnavailable("no")
        connection = Connection()
        MemoryTransport(connection)
        self.opened.append(connection)
        return connection


@pytest.fixture
async def dial() -> Dial:
    return Dial()


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def transport(connection: Connection) -> MemoryTransport:
    assert isinstance(connection._transport, MemoryTransport)
    return connection._transport


def aborted(connection: Connection) -> bool:
    return transport(connection).aborted


async def test_the_connection_that_became_idle_last_is_used_first(dial: Dial) -> None:
    pool = Pool(dial, "up", 3)
    first, second = await pool.open(1), await pool.open(1)
    first.rest()
    second.rest()
    assert [pool.take(), pool.take(), pool.take()] == [second, first, None]


async def test_a_connection_that_its_peer_closed_is_not_used_again(dial: Dial) -> None:
    pool = Pool(dial, "up", 1)
    connection = await pool.open(1)
    connection.rest()
    connection.connection_lost(None)
    assert pool.take() is None
    assert await pool.open(0.01) is not connection  # and its place is free


async def test_a_connection_that_is_closing_is_not_used_again(dial: Dial) -> None:
    pool = Pool(dial, "up", 1)
    connection = await pool.open(1)
    connection.rest()
    transport(connection).abort()
    assert pool.take() is None
    assert await pool.open(0.01) is not connection


async def test_at_the_limit_the_longest_waiting_caller_gets_the_connection_that_comes_back(dial: Dial) -> None:
    pool = Pool(dial, "up", 1)
    connection = await pool.open(1)
    callers = [asyncio.create_task(pool.open(10)) for _ in range(2)]
    await settled()
    connection.rest()
    assert await callers[0] is connection
    assert not callers[1].done()
    connection.rest()
    assert await callers[1] is connection
    assert len(dial.opened) == 1


async def test_at_the_limit_a_lost_connection_makes_place_for_a_new_one(dial: Dial) -> None:
    pool = Pool(dial, "up", 1)
    connection = await pool.open(1)
    caller = asyncio.create_task(pool.open(10))
    await settled()
    connection.abort()
    assert await caller is dial.opened[1]


async def test_who_waits_longer_than_their_patience_is_told(dial: Dial) -> None:
    pool = Pool(dial, "up", 1)
    connection = await pool.open(1)
    with pytest.raises(UpstreamTimeout) as caught:
        await pool.open(0.001)
    assert caught.value.retry_after == 1
    connection.rest()
    assert pool.take() is connection


async def test_a_failed_opening_gives_its_place_to_the_next_one(dial: Dial) -> None:
    pool = Pool(dial, "up", 1)
    dial.failures = 1
    dial.gate.clear()
    callers = [asyncio.create_task(pool.open(10)) for _ in range(2)]
    await settled()
    dial.gate.set()
    with pytest.raises(UpstreamUnavailable):
        await callers[0]
    assert await callers[1] is dial.opened[0]


async def test_a_cancelled_opening_gives_its_place_back(dial: Dial) -> None:
    pool = Pool(dial, "up", 1)
    dial.gate.clear()
    caller = asyncio.create_task(pool.open(10))
    await settled()
    caller.cancel()
    await settled()
    dial.gate.set()
    assert await pool.open(0.01) is dial.opened[0]


async def test_a_cancelled_waiter_is_passed_over(dial: Dial) -> None:
    pool = Pool(dial, "up", 1)
    connection = await pool.open(1)
    callers = [asyncio.create_task(pool.open(10)) for _ in range(2)]
    await settled()
    callers[0].cancel()
    await settled()
    connection.rest()
    assert await callers[1] is connection


@pytest.mark.parametrize("lost", [False, True])
async def test_what_was_given_to_a_waiter_that_is_cancelled_just_then_goes_to_the_next(dial: Dial, lost: bool) -> None:
    pool = Pool(dial, "up", 1)
    connection = await pool.open(1)
    callers = [asyncio.create_task(pool.open(10)) for _ in range(2)]
    await settled()
    if lost:
        connection.abort()
    else:
        connection.rest()
    callers[0].cancel()
    assert await callers[1] is (dial.opened[1] if lost else connection)


async def test_a_fresh_connection_is_new_even_when_an_old_one_comes_back(dial: Dial) -> None:
    pool = Pool(dial, "up", 1)
    connection = await pool.open(1)
    caller = asyncio.create_task(pool.open(10, fresh=True))
    await settled()
    connection.rest()
    assert await caller is dial.opened[1]
    assert aborted(connection)


async def test_a_connection_that_dies_on_its_way_to_a_waiter_is_replaced(dial: Dial) -> None:
    pool = Pool(dial, "up", 1)
    connection = await pool.open(1)
    caller = asyncio.create_task(pool.open(10))
    await settled()
    connection.rest()
    connection.connection_lost(None)
    assert await caller is dial.opened[1]


async def test_idle_connections_are_closed_after_a_while_and_others_are_not(dial: Dial) -> None:
    pool = Pool(dial, "up", 3, idle_seconds=0.01)
    idle, busy = await pool.open(1), await pool.open(1)
    idle.rest()
    await transport(idle).gone.wait()
    assert not aborted(busy)
    busy.rest()
    await transport(busy).gone.wait()


async def test_a_connection_that_became_idle_later_is_closed_later(dial: Dial) -> None:
    pool = Pool(dial, "up", 3, idle_seconds=30)
    old, young = await pool.open(1), await pool.open(1)
    old.rest()
    young.rest()
    old.idle_since -= 100
    pool._sweep()
    assert aborted(old)
    assert not aborted(young)
    assert pool._sweeper is not None
    pool.close()


async def test_closing_closes_idle_connections_at_once_and_the_others_as_they_come_back(dial: Dial) -> None:
    pool = Pool(dial, "up", 3)
    idle, busy = await pool.open(1), await pool.open(1)
    idle.rest()
    pool.close()
    assert aborted(idle)
    assert not aborted(busy)
    busy.rest()
    assert aborted(busy)


async def test_many_callers_never_open_more_than_the_limit(dial: Dial) -> None:
    pool = Pool(dial, "up", 4)

    async def call() -> None:
        connection = pool.take() or await pool.open(10)
        await asyncio.sleep(0)
        connection.rest()

    await asyncio.gather(*(call() for _ in range(50)))
    assert len(dial.opened) == 4
    pool.close()
