"""A large user's index is made anew in the background, so that nobody else has to wait for it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from providers.base import NewMemory
from providers.sqlite import SqliteProvider

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

LONG = "and the usual length of what is said has changed, since there is much more to tell about each of these"


@pytest.fixture
async def provider(tmp_path: Path) -> AsyncIterator[SqliteProvider]:
    provider = SqliteProvider(tmp_path / "memory.db")
    await provider.open()
    await provider.add("alice", [NewMemory(f"Pear number {number}") for number in range(250)])
    yield provider
    await provider.close()


async def _until_made_anew(provider: SqliteProvider) -> None:
    await provider._indexes.of("alice")
    await asyncio.gather(*provider._indexes._loading.values())


async def test_an_index_whose_weights_are_off_answers_until_a_new_one_is_there(provider: SqliteProvider) -> None:
    first = await provider._indexes.of("alice")
    assert first is not None
    assert not first.outworn
    await provider.add("alice", [NewMemory(f"Plum number {number} {LONG}") for number in range(250)])
    assert first.outworn
    (found,) = await provider.search("alice", "plum number 7", 1)
    assert found.text.startswith("Plum number 7 ")
    assert await provider._indexes.of("alice") is first
    await _until_made_anew(provider)
    new = await provider._indexes.of("alice")
    assert new is not None
    assert (len(new), new.outworn) == (500, False)
    assert provider._indexes._rows == new.rows + 1
    assert [memory.id for memory in await provider.search("alice", "plum number 7", 1)] == [found.id]
