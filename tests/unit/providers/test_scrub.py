"""Nothing of what was deleted stays in the files of the embedded memory."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from providers.base import NewMemory
from providers.database import Database
from providers.sqlite import SqliteProvider
from providers.sqlite.schema import MIGRATIONS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@pytest.fixture
async def provider(tmp_path: Path) -> AsyncIterator[SqliteProvider]:
    provider = SqliteProvider(tmp_path / "memory.db")
    await provider.open()
    yield provider
    await provider.close()


def _holders(folder: Path, word: bytes) -> list[str]:
    return [path.name for path in folder.iterdir() if word in path.read_bytes()]


async def test_no_word_of_a_cleared_user_is_left_in_file_index_or_log(provider: SqliteProvider, tmp_path: Path) -> None:
    await provider.add("alice", [NewMemory("zebrafruit is what I like")])
    await provider.add("bob", [NewMemory("pears are what I like")])
    await provider.clear("alice")
    assert _holders(tmp_path, b"zebrafruit") != []
    assert await provider.scrub()
    assert _holders(tmp_path, b"zebrafruit") == []
    assert [memory.text for memory in await provider.search("bob", "pears", 3)] == ["pears are what I like"]


async def test_while_another_process_reads_the_log_cannot_be_emptied(tmp_path: Path) -> None:
    database = Database(tmp_path / "memory.db", MIGRATIONS, timeout=0.01)
    await database.open()
    try:
        with closing(sqlite3.connect(database.path, isolation_level=None)) as other:
            other.execute("BEGIN")
            other.execute("SELECT count(*) FROM users").fetchone()
            await database.write(lambda c: c.exec_driver_sql("INSERT INTO users (name) VALUES ('alice')"))
            assert not await database.empty_log()
            other.execute("COMMIT")
        assert await database.empty_log()
    finally:
        await database.close()
