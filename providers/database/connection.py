"""One connection to a SQLite file, living in a thread of its own.

SQLAlchemy's asyncio layer crosses threads for every statement. Here a whole function of statements crosses once, with the same
SQLAlchemy `Connection` in its hands, at about a tenth of the CPU time.
"""

from __future__ import annotations

import contextlib
import sqlite3
from typing import TYPE_CHECKING, TypeVar

import aiosqlite
from sqlalchemy import create_engine
from sqlalchemy.pool import StaticPool

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sqlalchemy import Connection

T = TypeVar("T")

_CACHED_STATEMENTS = 256


class _Thread(aiosqlite.Connection):
    """aiosqlite's connection thread, which also runs a function of ours."""

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connector, iter_chunk_size=64)
        self._thread.daemon = True  # a forgotten close() must not keep the process alive

    async def run(self, function: Callable[[], T]) -> T:
        """Runs it in the connection's thread, after what was asked before. A cancelled caller does not stop it."""
        result: T = await self._execute(function)  # type: ignore[no-untyped-call]
        return result

    @property
    def raw(self) -> sqlite3.Connection:
        return self._conn


class SqliteConnection:
    """An open connection. Statements run in driver autocommit unless `run` is told how to begin."""

    def __init__(self, path: Path, pragmas: dict[str, str | int], timeout: float) -> None:
        """`pragmas` are set when it opens; `timeout` is how many seconds to wait for another process's lock."""
        self._thread = _Thread(lambda: _connect(path, pragmas, timeout))
        self._sqlalchemy: Connection | None = None

    async def open(self) -> None:
        """Starts the thread and connects. Raises sqlite3.Error."""
        await self._thread
        self._sqlalchemy = await self._thread.run(lambda: _wrap(self._thread.raw))

    async def close(self) -> None:
        """Lets what was asked finish, then closes. May be called twice, and after a failed open."""
        connection, self._sqlalchemy = self._sqlalchemy, None
        if connection is not None:
            await self._thread.run(connection.close)  # left to the garbage collector it would look for a closed database
        await self._thread.close()

    async def run(self, work: Callable[[Connection], T], begin: str | None = None, committed: Callable[[T], object] | None = None) -> T:
        """Runs `work` in the connection's thread, within one transaction when `begin` names its statement.

        `committed` is called in that thread after the transaction, also when the caller was cancelled meanwhile.

        Raises what `work` raised after taking everything back, or SQLAlchemy's and sqlite3's errors.
        """
        connection = self._sqlalchemy
        if connection is None:
            message = "the connection is closed"
            raise sqlite3.ProgrammingError(message)
        if begin is None:
            return await self._thread.run(lambda: work(connection))

        def run() -> T:
            result = _transaction(self._thread.raw, connection, begin, work)
            if committed is not None:
                committed(result)
            return result

        return await self._thread.run(run)

    async def backup(self, target: sqlite3.Connection) -> None:
        """Copies the whole database into `target`, in steps that leave room for readers and writers."""
        await self._thread.backup(target, pages=512, sleep=0.01)


def _connect(path: Path, pragmas: dict[str, str | int], timeout: float) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path,
        timeout=timeout,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=_CACHED_STATEMENTS,
    )
    try:
        for name, value in pragmas.items():
            connection.execute(f"PRAGMA {name} = {value}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _wrap(raw: sqlite3.Connection) -> Connection:
    """SQLAlchemy over a connection that stays ours: it begins and ends no transaction by itself."""
    engine = create_engine(
        "sqlite+pysqlite://",
        creator=lambda: raw,
        poolclass=StaticPool,
        isolation_level="AUTOCOMMIT",
        hide_parameters=True,
    )
    return engine.connect()


def _transaction(raw: sqlite3.Connection, connection: Connection, begin: str, work: Callable[[Connection], T]) -> T:
    raw.execute(begin)
    try:
        result = work(connection)
        raw.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):  # SQLite itself rolls back on some errors
            raw.execute("ROLLBACK")
        raise
    return result
