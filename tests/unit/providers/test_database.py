from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
import stat
import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING

import pytest
from sqlalchemy.exc import IntegrityError

from providers.base import ProviderRefused, ProviderUnavailable
from providers.database import Database, DatabaseError, DatabaseRefused, DatabaseUnavailable, Migration

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from sqlalchemy import Connection

FIRST = Migration(1, "notes", ("CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT NOT NULL UNIQUE) STRICT",))
SECOND = Migration(2, "more", ("ALTER TABLE notes ADD COLUMN size INTEGER NOT NULL DEFAULT 0",))


def put(connection: Connection, *bodies: str) -> int:
    connection.exec_driver_sql("INSERT INTO notes (body) VALUES (?)", [(body,) for body in bodies])
    return len(bodies)


def bodies(connection: Connection) -> list[str]:
    return [str(body) for body in connection.exec_driver_sql("SELECT body FROM notes ORDER BY id").scalars()]


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    database = Database(tmp_path / "folder" / "x.db", (FIRST,))
    await database.open()
    yield database
    await database.close()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def backups(folder: Path) -> list[Path]:
    return list(folder.glob("*.v1-*.bak"))


@contextlib.contextmanager
def other_process(path: Path):
    """A connection that is none of ours."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        yield connection
    finally:
        connection.close()


@pytest.mark.skipif(os.name != "posix", reason="file modes")
async def test_only_this_user_can_read_the_files_and_their_new_folder(database: Database) -> None:
    await database.write(lambda c: put(c, "a"))
    folder = database.path.parent
    assert mode(folder) == 0o700
    modes = {file.name: mode(file) for file in folder.iterdir()}
    assert modes == {"x.db": 0o600, "x.db-wal": 0o600, "x.db-shm": 0o600}


@pytest.mark.skipif(os.name != "posix", reason="file modes")
async def test_a_file_that_others_could_read_is_closed_to_them_and_its_folder_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    os.close(os.open(path, os.O_CREAT, 0o644))
    os.chmod(tmp_path, 0o755)  # noqa: PTH101 (async)
    database = Database(path, (FIRST,))
    await database.open()
    await database.close()
    assert mode(path) == 0o600
    assert mode(tmp_path) == 0o755


async def test_it_runs_in_wal_mode_with_foreign_keys_and_normal_syncing(database: Database) -> None:
    def settings(connection: Connection) -> list[object]:
        names = ("journal_mode", "foreign_keys", "synchronous", "busy_timeout", "secure_delete")
        return [connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in names]

    assert await database.read(settings) == ["wal", 1, 1, 5000, 1]


async def test_a_write_is_stored_whole_or_not_at_all(database: Database) -> None:
    def two_then_fail(connection: Connection) -> None:
        put(connection, "a", "b")
        raise LookupError

    with pytest.raises(LookupError):
        await database.write(two_then_fail)
    assert await database.read(bodies) == []
    assert await database.write(lambda c: put(c, "a", "b")) == 2
    assert await database.read(bodies) == ["a", "b"]


async def test_a_contradicting_row_is_refused_and_its_text_not_told(database: Database) -> None:
    await database.write(lambda c: put(c, "tulip"))
    with pytest.raises(DatabaseRefused) as refusal:
        await database.write(lambda c: put(c, "daisy", "tulip"))
    assert "tulip" not in str(refusal.value)
    assert "tulip" not in str(refusal.value.__cause__)
    assert await database.read(bodies) == ["tulip"]


async def test_work_may_catch_a_contradiction_itself(database: Database) -> None:
    def put_or_not(connection: Connection) -> bool:
        try:
            put(connection, "a")
        except IntegrityError:
            return False
        return True

    assert [await database.write(put_or_not) for _ in range(2)] == [True, False]


async def test_after_runs_once_stored_and_before_the_caller_goes_on(database: Database) -> None:
    seen: list[object] = []
    await database.write(lambda c: put(c, "a"), seen.append)
    assert seen == [1]
    with pytest.raises(DatabaseError):
        await database.write(lambda c: put(c, "a"), seen.append)
    assert seen == [1]


async def test_a_cancelled_caller_neither_cuts_the_write_nor_what_comes_after(database: Database) -> None:
    told = asyncio.Event()
    task = asyncio.create_task(database.write(lambda c: put(c, "a", "b"), lambda _: told.set()))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await told.wait()
    assert await database.read(bodies) == ["a", "b"]
    await database.write(lambda c: put(c, "c"))


async def test_the_reader_cannot_write(database: Database) -> None:
    with pytest.raises(DatabaseRefused):
        await database.read(lambda c: put(c, "a"))


async def test_many_writers_at_once_lose_nothing(database: Database) -> None:
    await asyncio.gather(*(database.write(lambda c, n=n: put(c, f"{n}")) for n in range(200)))
    assert len(await database.read(bodies)) == 200


async def test_data_version_moves_with_other_processes_only(database: Database) -> None:
    before = await database.data_version()
    await database.write(lambda c: put(c, "ours"))
    assert await database.data_version() == before
    with other_process(database.path) as other:
        other.execute("INSERT INTO notes (body) VALUES ('theirs')")
    assert await database.data_version() != before


async def test_data_version_does_not_wait_behind_a_write(database: Database) -> None:
    writing = asyncio.create_task(database.write(lambda c: put(c, "a")))
    await asyncio.sleep(0)
    assert await database.data_version() is None
    await writing
    assert await database.data_version() is not None


async def test_a_lock_held_by_another_process_is_waited_for_and_then_named(tmp_path: Path) -> None:
    database = Database(tmp_path / "x.db", (FIRST,), timeout=0.05)
    await database.open()
    with other_process(database.path) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseUnavailable, match=r"x\.db is locked by another process; close") as failure:
            await database.write(lambda c: put(c, "a"))
        assert isinstance(failure.value, ProviderUnavailable)
        assert await database.read(bodies) == []
        other.execute("ROLLBACK")
    await database.write(lambda c: put(c, "a"))
    await database.close()


async def test_an_older_file_is_copied_and_then_migrated(tmp_path: Path) -> None:
    old = Database(tmp_path / "x.db", (FIRST,))
    await old.open()
    await old.write(lambda c: put(c, "kept"))
    await old.close()
    new = Database(tmp_path / "x.db", (FIRST, SECOND))
    await new.open()
    assert await new.read(lambda c: c.exec_driver_sql("SELECT body, size FROM notes").all()) == [("kept", 0)]
    assert await new.read(lambda c: c.exec_driver_sql("SELECT version, name FROM schema_version").all()) == [(1, "notes"), (2, "more")]
    await new.close()
    (backup,) = backups(tmp_path)
    with other_process(backup) as copy:
        assert copy.execute("SELECT * FROM notes").fetchall() == [(1, "kept")]
        assert copy.execute("SELECT max(version) FROM schema_version").fetchall() == [(1,)]
    assert os.name != "posix" or mode(backup) == 0o600


async def test_opening_an_up_to_date_file_makes_no_copy(tmp_path: Path) -> None:
    for _ in range(2):
        database = Database(tmp_path / "x.db", (FIRST, SECOND))
        await database.open()
        await database.close()
    assert backups(tmp_path) == []


async def test_a_migration_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    old = Database(tmp_path / "x.db", (FIRST,))
    await old.open()
    await old.close()
    broken = Migration(2, "broken", ("CREATE TABLE half (id INTEGER)", "NOT SQL"))
    with pytest.raises(DatabaseError):
        await Database(tmp_path / "x.db", (FIRST, broken)).open()
    await old.close()
    with other_process(tmp_path / "x.db") as other:
        tables = [row[0] for row in other.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        assert tables == ["notes", "schema_version"]


async def test_rows_can_be_computed_in_a_migration(tmp_path: Path) -> None:
    old = Database(tmp_path / "x.db", (FIRST,))
    await old.open()
    await old.write(lambda c: put(c, "four"))
    await old.close()
    step = Migration(2, "more", SECOND.statements, lambda c: c.exec_driver_sql("UPDATE notes SET size = length(body)"))
    new = Database(tmp_path / "x.db", (FIRST, step))
    await new.open()
    assert await new.read(lambda c: c.exec_driver_sql("SELECT size FROM notes").scalar_one()) == 4
    await new.close()


async def test_two_processes_that_open_a_new_file_at_once_both_succeed(tmp_path: Path) -> None:
    databases = [Database(tmp_path / "x.db", (FIRST, SECOND)) for _ in range(4)]
    await asyncio.gather(*(database.open() for database in databases))
    for number, database in enumerate(databases):
        await database.write(lambda c, n=number: put(c, f"{n}"))
    assert await databases[0].read(bodies) == ["0", "1", "2", "3"]
    await asyncio.gather(*(database.close() for database in databases))


async def test_a_newer_schema_is_refused_with_both_ways_out(tmp_path: Path) -> None:
    new = Database(tmp_path / "x.db", (FIRST, SECOND))
    await new.open()
    await new.close()
    with pytest.raises(DatabaseRefused, match=r"x\.db has schema version 2 and this release knows 1; install .* or put back the backup"):
        await Database(tmp_path / "x.db", (FIRST,)).open()


async def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    with other_process(tmp_path / "x.db") as other:
        other.execute("CREATE TABLE theirs (id INTEGER)")
    with pytest.raises(DatabaseRefused, match="another program; name another file"):
        await Database(tmp_path / "x.db", (FIRST,)).open()
    with other_process(tmp_path / "x.db") as other:
        assert [row[0] for row in other.execute("SELECT name FROM sqlite_master")] == ["theirs"]


async def test_a_file_that_is_no_database_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    path.write_bytes(b"this is not a database at all" * 100)
    with pytest.raises(DatabaseRefused, match=r"x\.db is not a SQLite database; move it away"):
        await Database(path, (FIRST,)).open()
    assert path.read_bytes().startswith(b"this is not")


async def test_a_damaged_file_is_found_out(tmp_path: Path) -> None:
    database = Database(tmp_path / "x.db", (FIRST,))
    await database.open()
    await database.write(lambda c: put(c, *(f"{n:05}" * 40 for n in range(500))))
    assert await database.integrity() == []
    await database.close()
    raw = bytearray(database.path.read_bytes())
    raw[8192 : len(raw) - 8192] = b"\xff" * (len(raw) - 16384)
    database.path.write_bytes(raw)
    damaged = Database(tmp_path / "x.db", (FIRST,))
    await damaged.open()
    with pytest.raises(DatabaseRefused, match=r"x\.db is damaged; stop every program .* backup"):
        await damaged.read(bodies)
    with contextlib.suppress(DatabaseRefused):
        assert await damaged.integrity() != []
    await damaged.close()


async def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DatabaseRefused, match=r"x\.db: .*; check that its folder can be written") as refusal:
        await Database(tmp_path / "file" / "x.db", (FIRST,)).open()
    assert isinstance(refusal.value, ProviderRefused)


async def test_a_path_that_is_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatabaseRefused, match="check that its folder can be written"):
        await Database(tmp_path, (FIRST,)).open()


async def test_a_copy_is_whole_while_the_database_is_in_use(database: Database, tmp_path: Path) -> None:
    await database.write(lambda c: put(c, *(f"{n}" for n in range(500))))
    target = tmp_path / "copy.db"
    await asyncio.gather(database.backup_to(target), *(database.write(lambda c, n=n: put(c, f"later {n}")) for n in range(20)))
    with other_process(target) as copy:
        assert copy.execute("SELECT count(*) FROM notes WHERE body NOT LIKE 'later%'").fetchone() == (500,)
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    with pytest.raises(DatabaseRefused):
        await database.backup_to(target)


async def test_a_closed_database_says_so_with_its_own_error(tmp_path: Path) -> None:
    database = Database(tmp_path / "x.db", (FIRST,))
    with pytest.raises(DatabaseError):
        await database.read(bodies)
    await database.open()
    await database.close()
    await database.close()
    with pytest.raises(DatabaseError):
        await database.write(lambda c: put(c, "a"))


def test_misnumbered_migrations_are_a_mistake_of_ours(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="numbered"):
        Database(tmp_path / "x.db", (SECOND,))


async def test_a_process_killed_in_the_middle_of_a_write_leaves_a_sound_file(database: Database) -> None:
    await database.write(lambda c: put(c, "before"))
    script = textwrap.dedent("""
        import asyncio, os, sys
        from pathlib import Path
        from providers.database import Database
        from tests.unit.providers.test_database import FIRST, put

        def die(connection):
            put(connection, *(str(n) * 200 for n in range(2000)))
            os._exit(9)

        async def main():
            database = Database(Path(sys.argv[1]), (FIRST,))
            await database.open()
            await database.write(die)

        asyncio.run(main())
    """)
    killed = await asyncio.to_thread(subprocess.run, [sys.executable, "-c", script, str(database.path)], check=False, timeout=30)
    assert killed.returncode == 9
    assert await database.integrity() == []
    assert await database.read(bodies) == ["before"]
    await database.write(lambda c: put(c, "after"))
