"""Bringing a database from the version it has to the one that this program knows."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from sqlalchemy import Connection

_TABLE = """CREATE TABLE IF NOT EXISTS schema_version (
    version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT"""


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of a schema. Versions are 1, 2, 3, ...; a released step never changes."""

    version: int
    name: str
    statements: tuple[str, ...]
    then: Callable[[Connection], None] | None = None
    """Runs after the statements, in the same transaction: for rows that have to be computed."""


class SchemaMismatch(Exception):
    """The file holds another schema than ours; `newer` tells whether it is one of a later release."""

    def __init__(self, found: int, known: int) -> None:
        super().__init__(f"schema {found}, known {known}")
        self.found, self.known, self.newer = found, known, found > known


def check_order(migrations: Sequence[Migration]) -> None:
    """Raises ValueError when versions are not 1, 2, 3, ..."""
    if [step.version for step in migrations] != list(range(1, len(migrations) + 1)):
        message = "migrations must be numbered 1, 2, 3, ..."
        raise ValueError(message)


def version_of(connection: Connection) -> int:
    """The version of the schema, 0 for an empty file, -1 where the tables are another program's."""
    names = set(connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'").scalars())
    if "schema_version" not in names:
        return -1 if names else 0
    return int(connection.exec_driver_sql("SELECT coalesce(max(version), 0) FROM schema_version").scalar_one())


def migrate(connection: Connection, migrations: Sequence[Migration]) -> None:
    """Applies what is missing; to be called within one write transaction. Raises SchemaMismatch."""
    version = version_of(connection)  # read again under the lock: another process may have been faster
    if version < 0 or version > len(migrations):
        raise SchemaMismatch(version, len(migrations))
    connection.exec_driver_sql(_TABLE)
    for step in migrations[version:]:
        for statement in step.statements:
            connection.exec_driver_sql(statement)
        if step.then is not None:
            step.then(connection)
        row = (step.version, step.name, int(time.time()))
        connection.exec_driver_sql("INSERT INTO schema_version VALUES (?, ?, ?)", row)


def backup_path(path: Path, version: int) -> Path:
    """Where a copy of the file goes before it is migrated from `version`: `memory.db.v1-20260131T120000Z.bak`."""
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    return path.with_name(f"{path.name}.v{version}-{stamp}.bak")
