"""A SQLite file with one writer and one reader connection."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy.exc import DBAPIError

from providers.database.connection import SqliteConnection
from providers.database.errors import DatabaseRefused, database_error
from providers.database.migration import SchemaMismatch, backup_path, check_order, migrate, version_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from pathlib import Path

    from sqlalchemy import Connection

    from providers.database.migration import Migration

T = TypeVar("T")

_SHARED: dict[str, str | int] = {"foreign_keys": "ON", "synchronous": "NORMAL", "secure_delete": "ON"}
_WAL_ATTEMPTS = 40


class Database:
    """Opens, migrates and serves one SQLite file.

    Work is handed over as plain functions that take a SQLAlchemy `Connection`: all their statements run in the connection's thread,
    in one transaction, without a detour through the event loop. They must not commit, roll back or await. Statements through
    `exec_driver_sql` are the cheapest; rows with the same statement go as one list of tuples.

    Every method raises DatabaseUnavailable or DatabaseRefused; what the work itself raises comes through unchanged.
    """

    def __init__(self, path: Path, migrations: Sequence[Migration], *, timeout: float = 5.0) -> None:
        """`timeout` is how many seconds a write waits for another process. Raises ValueError for misnumbered migrations."""
        check_order(migrations)
        self.path = path
        self._migrations = tuple(migrations)
        self._writer = SqliteConnection(path, _SHARED, timeout)
        self._reader = SqliteConnection(path, _SHARED | {"query_only": "ON"}, timeout)
        self._writes = 0

    async def open(self) -> None:
        """Creates the file (0600, a new folder 0700) or opens it, and migrates it after a backup beside it."""
        try:
            await self._open()
        except BaseException:
            await self.close()
            raise

    async def _open(self) -> None:
        await self._guarded(asyncio.to_thread(_create, self.path))
        await self._guarded(self._writer.open())
        await self._guarded(self._use_wal())
        await self._migrate()
        await self._guarded(self._reader.open())

    async def close(self) -> None:
        """Lets queued work finish and closes both connections. May be called twice."""
        await self._reader.close()
        await self._writer.close()

    async def write(self, work: Callable[[Connection], T], after: Callable[[T], object] | None = None) -> T:
        """Runs `work` in a BEGIN IMMEDIATE transaction: all of it is stored, or nothing when it raises.

        `after` is called on the event loop once it is stored, before this returns, also when the caller was cancelled meanwhile:
        the place for keeping something in memory in step.
        """
        loop = asyncio.get_running_loop()
        committed = None if after is None else lambda result: loop.call_soon_threadsafe(after, result)
        self._writes += 1
        try:
            return await self._guarded(self._writer.run(work, "BEGIN IMMEDIATE", committed))
        finally:
            self._writes -= 1

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Runs `work` on one unchanging view of the database. It cannot write."""
        return await self._guarded(self._reader.run(work, "BEGIN"))

    async def data_version(self) -> int | None:
        """A number that changes when *another* process has written. None while a write of ours is under way: ask again later."""
        if self._writes:
            return None
        return await self._guarded(self._writer.run(lambda c: int(_pragma(c, "data_version"))))

    async def integrity(self) -> list[str]:
        """What SQLite finds wrong with the file; [] when it is sound. Reads all of it."""
        rows = await self.read(lambda c: [str(row[0]) for row in c.exec_driver_sql("PRAGMA integrity_check")])
        return [] if rows == ["ok"] else rows

    async def empty_log(self) -> bool:
        """Brings what the write-ahead log holds into the file and empties the log. False when another process is reading it just now."""
        return await self._guarded(self._writer.run(lambda c: _pragma(c, "wal_checkpoint(TRUNCATE)") == 0))

    async def backup_to(self, target: Path) -> None:
        """Writes a consistent copy to `target` (0600) while the database is in use. Raises DatabaseRefused where it exists."""
        await self._guarded(self._backup(self._reader, target))

    async def _migrate(self) -> None:
        version = await self._guarded(self._writer.run(version_of))
        if 0 < version < len(self._migrations):
            await self._guarded(self._backup(self._writer, backup_path(self.path, version)))
        if version == len(self._migrations):
            return
        try:
            await self.write(lambda c: migrate(c, self._migrations))
        except SchemaMismatch as mismatch:
            raise DatabaseRefused(_mismatch(self.path, mismatch)) from None

    async def _use_wal(self) -> None:
        """The change to WAL does not wait for other processes that do the same at the same time, so it is tried again."""
        for attempt in range(_WAL_ATTEMPTS):
            try:
                await self._writer.run(lambda c: _pragma(c, "journal_mode = WAL"))
            except DBAPIError as error:
                code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
                if code != sqlite3.SQLITE_BUSY or attempt + 1 == _WAL_ATTEMPTS:
                    raise
                await asyncio.sleep(0.05)
            else:
                return

    async def _backup(self, source: SqliteConnection, target: Path) -> None:
        await asyncio.to_thread(_create_new, target)
        copy = await asyncio.to_thread(sqlite3.connect, target, check_same_thread=False)
        try:
            await source.backup(copy)
        finally:
            await asyncio.to_thread(copy.close)

    async def _guarded(self, awaitable: Awaitable[T]) -> T:
        try:
            return await awaitable
        except (DBAPIError, sqlite3.Error, OSError) as error:
            raise database_error(self.path, error) from error


def _pragma(connection: Connection, pragma: str) -> str | int:
    value: str | int = connection.exec_driver_sql(f"PRAGMA {pragma}").scalar_one()
    return value


def _create(path: Path) -> None:
    """An empty file that only this user can read; SQLite gives its side files the same mode."""
    if not path.parent.exists():
        path.parent.mkdir(mode=0o700, parents=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    if os.name == "posix" and path.stat().st_mode & 0o077:
        path.chmod(0o600)


def _create_new(path: Path) -> None:
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))


def _mismatch(path: Path, mismatch: SchemaMismatch) -> str:
    if mismatch.newer:
        return (
            f"{path} has schema version {mismatch.found} and this release knows {mismatch.known}; "
            "install the newer release again, or put back the backup (*.bak) that was made before it"
        )
    return f"{path} is a database of another program; name another file"
