"""What can go wrong with a database file, said so that a person knows what to do next. No statement and no value is ever quoted."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from sqlalchemy.exc import DBAPIError

from providers.base import ProviderError, ProviderRefused, ProviderUnavailable

if TYPE_CHECKING:
    from pathlib import Path


class DatabaseError(ProviderError):
    """A database file cannot be used. The message names the path and the next step."""


class DatabaseUnavailable(DatabaseError, ProviderUnavailable):
    """It may work later: locked by another process, the disk is full, a read failed."""


class DatabaseRefused(DatabaseError, ProviderRefused):
    """It will not work before a person acts: damaged, not writable, newer than this program."""


_CAUSES: dict[int, tuple[type[DatabaseError], str]] = {
    sqlite3.SQLITE_BUSY: (
        DatabaseUnavailable,
        "is locked by another process; close the program that holds it, or try again",
    ),
    sqlite3.SQLITE_LOCKED: (DatabaseUnavailable, "is locked; try again"),
    sqlite3.SQLITE_FULL: (DatabaseUnavailable, "cannot grow because the disk is full; free some space and try again"),
    sqlite3.SQLITE_IOERR: (DatabaseUnavailable, "cannot be read or written; check the disk and try again"),
    sqlite3.SQLITE_CORRUPT: (
        DatabaseRefused,
        "is damaged; stop every program that uses it, keep a copy, and put a backup (*.bak) in its place",
    ),
    sqlite3.SQLITE_NOTADB: (
        DatabaseRefused,
        "is not a SQLite database; move it away, or put a backup (*.bak) in its place",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        DatabaseRefused,
        "cannot be opened; check that its folder exists and belongs to this user",
    ),
    sqlite3.SQLITE_READONLY: (
        DatabaseRefused,
        "cannot be written; check the permissions of the file and of its folder",
    ),
    sqlite3.SQLITE_PERM: (DatabaseRefused, "may not be opened; check the permissions of the file and of its folder"),
    sqlite3.SQLITE_CONSTRAINT: (DatabaseRefused, "did not take a row that contradicts another one"),
    sqlite3.SQLITE_TOOBIG: (DatabaseRefused, "did not take a text that is too long"),
}


def database_error(path: Path, error: Exception) -> DatabaseError:
    """The DatabaseError for what SQLite or SQLAlchemy raised, or for an OSError on the file."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    if isinstance(cause, OSError):
        return DatabaseRefused(f"{path}: {cause.strerror or 'cannot be used'}; check that its folder can be written")
    code = getattr(cause, "sqlite_errorcode", None)
    kind, sentence = _CAUSES.get(_primary(code), (DatabaseUnavailable, ""))
    if not sentence:
        sentence = f"failed ({getattr(cause, 'sqlite_errorname', type(cause).__name__)}); try again"
    return kind(f"{path} {sentence}")


def _primary(code: int | None) -> int:
    """SQLite's extended result codes carry the primary one in their low byte."""
    return -1 if code is None else code & 0xFF
