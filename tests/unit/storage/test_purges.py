"""What a running gateway is asked to let go of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gateway.storage import MIGRATIONS, state_database
from gateway.storage.purges import Purge, Purges
from providers.database import Database

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@pytest.fixture
async def purges(tmp_path: Path) -> AsyncIterator[Purges]:
    database = state_database(tmp_path)
    await database.open()
    yield Purges(database)
    await database.close()


async def test_requests_wait_in_their_order_until_they_are_done(purges: Purges) -> None:
    first, second = await purges.ask("alice"), await purges.ask("bob", everything=True)
    assert await purges.waiting() == [Purge(first, "alice", everything=False), Purge(second, "bob", everything=True)]
    await purges.done(first)
    assert (await purges.waits(first), await purges.waits(second)) == (False, True)
    assert await purges.waiting() == [Purge(second, "bob", everything=True)]


async def test_an_id_is_never_given_twice(purges: Purges) -> None:
    first = await purges.ask("alice")
    await purges.done(first)
    assert await purges.ask("alice") != first


async def test_a_start_clears_what_an_earlier_gateway_was_asked(purges: Purges) -> None:
    await purges.ask("alice")
    await purges.clear()
    assert await purges.waiting() == []


async def test_a_database_of_the_first_release_gets_the_table(tmp_path: Path) -> None:
    old = Database(tmp_path / "state.db", MIGRATIONS[:1])
    await old.open()
    await old.close()
    new = state_database(tmp_path)
    await new.open()
    try:
        assert await Purges(new).waiting() == []
    finally:
        await new.close()
