"""What the command line has taken from a user and a running gateway may still hold in its memory, in state.db.

A row is a request to the running gateway; it removes the row when it has let go. So no name stays behind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from providers.database import Database

PURGES_TABLE = "CREATE TABLE purges (id INTEGER PRIMARY KEY AUTOINCREMENT, user TEXT NOT NULL, everything INTEGER NOT NULL) STRICT"


@dataclass(frozen=True, slots=True)
class Purge:
    """Cached answers of `user` are to go; with `everything` also memories and turns that wait."""

    id: int
    user: str
    everything: bool


class Purges:
    """Asked for by the command line, carried out by the running gateway. Every method raises ProviderError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def ask(self, user: str, *, everything: bool = False) -> int:
        """Asks the running gateway to let go of a user's answers. Returns the request's id."""
        statement = "INSERT INTO purges (user, everything) VALUES (?, ?) RETURNING id"
        return await self._database.write(lambda c: int(c.exec_driver_sql(statement, (user, int(everything))).scalar_one()))

    async def waiting(self) -> list[Purge]:
        """What is asked for and not done yet, oldest first."""
        rows = await self._database.read(lambda c: c.exec_driver_sql("SELECT id, user, everything FROM purges ORDER BY id").all())
        return [Purge(number, user, bool(everything)) for number, user, everything in rows]

    async def waits(self, purge_id: int) -> bool:
        """Whether this one is still to be done."""
        statement = "SELECT 1 FROM purges WHERE id = ?"
        return await self._database.read(lambda c: c.exec_driver_sql(statement, (purge_id,)).first() is not None)

    async def done(self, purge_id: int) -> None:
        """It is carried out, or there is nobody who could: the row goes."""
        await self._database.write(lambda c: c.exec_driver_sql("DELETE FROM purges WHERE id = ?", (purge_id,)))

    async def clear(self) -> None:
        """Nothing is to be done: a gateway that has just started holds nothing of anyone."""
        await self._database.write(lambda c: c.exec_driver_sql("DELETE FROM purges"))
