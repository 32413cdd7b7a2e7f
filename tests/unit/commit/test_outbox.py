import asyncio
import signal
import subprocess
import sys

import pytest

from gateway.commit.outbox import _COUNTS, Outbox
from gateway.storage import state_database
from tests.fakes.exchanges import an_exchange


@pytest.fixture
def outbox(state):
    return Outbox(state, max_attempts=3)


async def test_what_was_appended_is_due_with_all_its_fields(outbox):
    assert await outbox.append(an_exchange(1))
    (row,) = await outbox.due(10)
    assert row.exchange == an_exchange(1)
    assert (row.attempts, row.unclear) == (0, False)


async def test_the_same_turn_is_appended_once_also_after_it_was_done(outbox):
    await outbox.append(an_exchange(1))
    assert not await outbox.append(an_exchange(1))
    await outbox.done(await outbox.due(10))
    assert not await outbox.append(an_exchange(1))
    assert await outbox.due(10) == []


async def test_many_appends_at_a_time_share_transactions(outbox, state):
    writes = []
    write = state.write

    async def counted(work, after=None):
        writes.append(1)
        return await write(work, after)

    state.write = counted
    results = await asyncio.gather(*(outbox.append(an_exchange(n)) for n in range(50)))
    assert results == [True] * 50
    assert len(writes) <= 2
    assert len(await outbox.due(100)) == 50


async def test_of_the_same_turn_twice_at_a_time_one_is_new(outbox):
    await outbox.append(an_exchange(1))
    numbers = (2, 1, 2, 3, 2)
    results = await asyncio.gather(*(outbox.append(an_exchange(n)) for n in numbers))
    assert results == [True, False, False, True, False]
    results = await asyncio.gather(*(outbox.append(an_exchange(n)) for n in (4, 4)))
    assert results == [True, False]


async def test_done_tells_which_turns_were_erased_meanwhile(outbox):
    await outbox.append(an_exchange(1))
    await outbox.append(an_exchange(2, user="bob"))
    rows = await outbox.due(10)
    await outbox.erase("alice")
    assert [row.exchange.user for row in await outbox.done(rows)] == ["alice"]
    assert not await outbox.begin(rows[0])
    assert await outbox.begin(rows[1])


async def test_counting_what_waits_reads_no_row_that_is_done(state):
    plan = await state.read(lambda c: c.exec_driver_sql(f"EXPLAIN QUERY PLAN {_COUNTS}").all())
    scans = [row[3] for row in plan if "outbox" in row[3]]
    assert scans
    assert all("INDEX outbox_due" in scan or "INDEX outbox_dead" in scan for scan in scans)


async def test_a_write_that_fails_is_told_to_every_request_of_its_batch(outbox, state):
    async def broken(work, after=None):
        raise OSError("disk full")

    state.write = broken
    results = await asyncio.gather(*(outbox.append(an_exchange(n)) for n in range(3)), return_exceptions=True)
    assert [type(result) for result in results] == [OSError] * 3


async def test_a_client_that_leaves_while_its_turn_is_written_disturbs_nobody(outbox):
    first, second = (asyncio.ensure_future(outbox.append(an_exchange(n))) for n in (1, 2))
    await asyncio.sleep(0)
    first.cancel()
    assert await second
    assert len(await outbox.due(10)) == 2


async def test_done_forgets_the_text_and_keeps_the_key(outbox, state):
    await outbox.append(an_exchange(1))
    await outbox.done(await outbox.due(10))
    rows = await state.read(lambda c: c.exec_driver_sql("SELECT key, payload, state FROM outbox").all())
    assert [tuple(row) for row in rows] == [(an_exchange(1).key, None, "done")]


async def test_a_failed_turn_waits_and_is_given_up_after_the_last_attempt(outbox):
    await outbox.append(an_exchange(1))
    states = []
    for attempt in range(3):
        (row,) = await outbox.due(10) or [row]  # noqa: F821 - later tries are not due yet
        states.append(await outbox.retry(type(row)(row.id, row.exchange, attempt), "ProviderUnavailable"))
        assert await outbox.due(10) == []
    assert states == ["pending", "pending", "dead"]
    counts = await outbox.counts()
    assert (counts.pending, counts.dead) == (0, 1)
    assert await outbox.revive() == 1
    assert len(await outbox.due(10)) == 1


async def test_waiting_ends_when_the_turn_is_settled_or_the_time_is_up(outbox):
    await outbox.append(an_exchange(1))
    assert await outbox.wait(an_exchange(1).key, 0.01) == "pending"
    waiting = asyncio.ensure_future(outbox.wait(an_exchange(1).key, 10))
    await asyncio.sleep(0)
    await outbox.done(await outbox.due(10))
    assert await waiting == "done"
    assert await outbox.wait(an_exchange(1).key, 10) == "done"
    assert await outbox.status("unknown") is None


async def test_erasing_a_user_leaves_the_others(outbox):
    await outbox.append(an_exchange(1))
    await outbox.append(an_exchange(2, user="bob"))
    assert len(await outbox.export("alice")) == 1
    assert await outbox.erase("alice") == 1
    assert [row.exchange.user for row in await outbox.due(10)] == ["bob"]
    assert await outbox.export("alice") == []


async def test_a_turn_on_its_way_when_the_process_ended_is_unclear(outbox):
    await outbox.append(an_exchange(1))
    (row,) = await outbox.due(10)
    await outbox.begin(row)
    (again,) = await outbox.due(10)
    assert again.unclear


async def test_old_keys_are_pruned(state):
    outbox = Outbox(state, keep_days=0)
    await outbox.append(an_exchange(1))
    await outbox.done(await outbox.due(10))
    assert await outbox.prune() == 1


WRITER = """
import asyncio, sys, pathlib
from gateway.commit.outbox import Outbox
from gateway.storage import state_database
from tests.fakes.exchanges import an_exchange
async def main():
    database = state_database(pathlib.Path(sys.argv[1])); await database.open()
    outbox = Outbox(database)
    for n in range(100000):
        await asyncio.gather(*(outbox.append(an_exchange(n * 4 + k)) for k in range(4)))
        print(n, flush=True)
asyncio.run(main())
"""


def _last_acked_by_a_killed_writer(folder):
    process = subprocess.Popen([sys.executable, "-c", WRITER, str(folder)], stdout=subprocess.PIPE, text=True)
    try:
        last = -1
        while last < 25:
            last = int(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        return max([last, *(int(line) for line in process.stdout.read().split())])
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


async def test_nothing_that_was_appended_is_lost_when_the_process_is_killed(tmp_path):
    last = await asyncio.to_thread(_last_acked_by_a_killed_writer, tmp_path)
    database = state_database(tmp_path)
    await database.open()
    try:
        kept = {row.exchange.key for row in await Outbox(database).due(1_000_000)}
        assert {an_exchange(n).key for n in range((last + 1) * 4)} <= kept
        assert await database.integrity() == []
    finally:
        await database.close()
