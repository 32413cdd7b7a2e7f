"""One gateway on a home folder, and what it is told."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from gateway.cli.running import LOCK_NAME, gateway_runs, home_held, let_go, let_go_of_everything
from gateway.errors import ConfigError
from gateway.storage import state_database
from gateway.storage.purges import Purge, Purges

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from providers.database import Database


@pytest.fixture
async def state(tmp_path: Path) -> AsyncIterator[Database]:
    database = state_database(tmp_path)
    await database.open()
    yield database
    await database.close()


def test_a_home_is_held_by_one_and_free_afterwards(tmp_path: Path) -> None:
    assert not gateway_runs(tmp_path)
    with home_held(tmp_path, "Next step."):
        assert gateway_runs(tmp_path)
        with pytest.raises(ConfigError, match=r"A gateway is running on .*Next step\."), home_held(tmp_path, "Next step."):
            pass
    assert not gateway_runs(tmp_path)


def test_a_process_that_was_killed_holds_nothing(tmp_path: Path) -> None:
    program = "\n".join(
        (
            "from pathlib import Path",
            "from gateway.cli.running import home_held",
            f"with home_held(Path({str(tmp_path)!r}), ''):",
            "    print(flush=True)",
            "    input()",
        )
    )
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        assert gateway_runs(tmp_path)
        holder.kill()
    assert not gateway_runs(tmp_path)
    with home_held(tmp_path, ""):
        pass


def test_a_lock_file_left_behind_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / LOCK_NAME).touch()
    assert not gateway_runs(tmp_path)


async def test_without_a_gateway_no_name_is_written(tmp_path: Path, state: Database) -> None:
    await let_go(tmp_path, state, "alice")
    assert await let_go_of_everything(tmp_path, state, "alice")
    assert await Purges(state).waiting() == []


async def test_a_running_gateway_is_asked(tmp_path: Path, state: Database) -> None:
    with home_held(tmp_path, ""):
        await let_go(tmp_path, state, "alice")
    (purge,) = await Purges(state).waiting()
    assert (purge.user, purge.everything) == ("alice", False)


async def test_erasing_waits_until_the_gateway_has_done_it(tmp_path: Path, state: Database) -> None:
    purges = Purges(state)

    async def gateway() -> None:
        waiting: list[Purge] = []
        while not waiting:
            waiting = await purges.waiting()
        assert waiting[0].everything
        await purges.done(waiting[0].id)

    with home_held(tmp_path, ""):
        answering = asyncio.create_task(gateway())
        assert await let_go_of_everything(tmp_path, state, "alice", answer_s=30)
        await answering


async def test_a_gateway_that_does_not_answer_is_told(tmp_path: Path, state: Database) -> None:
    with home_held(tmp_path, ""):
        assert not await let_go_of_everything(tmp_path, state, "alice", answer_s=0.01)
