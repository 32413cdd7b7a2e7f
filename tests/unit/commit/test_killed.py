import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from gateway.commit.outbox import Outbox
from gateway.storage import state_database
from providers.sqlite import SqliteProvider
from tests.fakes.exchanges import an_exchange
from tests.unit.commit.killed_process import POINTS, WholeTurns, drain_of

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

ROOT = Path(__file__).parents[3]
NAMES = [f"{kind}: {when} {name} number {at}" for kind, name, when, at in POINTS]


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """The folders that processes left behind that were killed, each at another point."""
    folder = tmp_path_factory.mktemp("killed")
    command = [sys.executable, "-m", "tests.unit.commit.killed_process", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=55)
    signals = [int(line) for line in done.stdout.split() if line.isdecimal()]
    assert signals == [signal.SIGKILL] * len(POINTS), done.stderr[-2000:]
    return folder


def _lines(file):
    return file.read_text().split() if file.exists() else []


@pytest.mark.parametrize(("number", "point"), list(enumerate(POINTS)), ids=NAMES)
async def test_every_appended_turn_gets_where_it_belongs_and_none_twice(killed, number, point):
    folder = killed / str(number)
    acked = [an_exchange(int(number)) for number in _lines(folder / "acked")]
    provider = SqliteProvider(folder / "memory.db") if point[0] == "sqlite" else WholeTurns(folder)
    state = state_database(folder)
    await state.open()
    await provider.open()
    try:
        outbox = Outbox(state)
        assert await drain_of(outbox, provider).flush()
        counts = await outbox.counts()
        assert counts.pending == 0
        if point[0] == "sqlite":
            page = await provider.list("alice", 100)
            kept = Counter(memory.text for memory in page.memories)
            assert set(kept) >= {exchange.question for exchange in acked}
            assert counts.dead == 0
        else:
            kept = Counter(_lines(folder / "handed"))
            missing = {exchange.key for exchange in acked} - set(kept)
            assert len(missing) <= counts.dead <= 1
        assert all(count == 1 for count in kept.values())
        assert await state.integrity() == []
    finally:
        await provider.close()
        await state.close()
