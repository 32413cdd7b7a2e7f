"""The durable outbox: finished turns wait here until memory has them. What was appended survives kill -9.

Appends of many requests at a time are written in one transaction: the first that arrives starts a write, those that come meanwhile
share the next one.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

import orjson

from gateway.turn import Exchange

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Connection

    from providers.database import Database

State = Literal["pending", "done", "dead"]

_INSERT = (
    "INSERT INTO outbox (key, user, payload, state, next_at, created_at) VALUES (?, ?, ?, 'pending', ?, ?) ON CONFLICT (key) DO NOTHING"
)
_DUE = "SELECT id, key, user, payload, attempts, sending FROM outbox WHERE state = 'pending' AND next_at <= ? ORDER BY next_at, id LIMIT ?"
_DONE = "UPDATE outbox SET state = 'done', payload = NULL, error = NULL, done_at = ? WHERE id = ?"
_RETRY = "UPDATE outbox SET state = ?, attempts = attempts + 1, next_at = ?, error = ?, sending = 0 WHERE id = ?"
_BEGUN = "UPDATE outbox SET sending = 1 WHERE id = ?"
_COUNTS = (
    "SELECT (SELECT count(*) FROM outbox WHERE state = 'dead'), count(*), min(created_at) FROM outbox WHERE state = 'pending'"  # by index
)
_BACKOFF_S = (1.0, 3.0, 10.0, 30.0, 120.0, 600.0, 1800.0)


@dataclass(frozen=True, slots=True)
class Row:
    """A turn that waits. `attempts` counts the tries that failed."""

    id: int
    exchange: Exchange
    attempts: int
    unclear: bool = False
    """It was on its way to memory when the process ended: it may have arrived."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How the outbox stands. `oldest_s` is the age of the oldest turn that waits, in seconds."""

    pending: int
    dead: int
    oldest_s: float


class Outbox:
    """Append on the request's path; claim, done and retry in the background."""

    def __init__(self, database: Database, *, max_attempts: int = 20, keep_days: float = 7.0) -> None:
        self._database = database
        self._max_attempts = max_attempts
        self._keep_s = keep_days * 86_400
        self._queue: list[tuple[tuple[Any, ...], asyncio.Future[bool]]] = []
        self._writing: asyncio.Task[None] | None = None
        self._settled: dict[str, set[asyncio.Future[State]]] = {}
        self.appended = asyncio.Event()
        """Set whenever there is something new to claim."""

    async def append(self, exchange: Exchange) -> bool:
        """Returns when the turn is durable: True when it is new, False when it was known already. Raises ProviderError."""
        now = time.time()
        row = (exchange.key, exchange.user, orjson.dumps(_payload(exchange)), now, now)
        place: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._queue.append((row, place))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.ensure_future(self._write_all())
        return await place

    async def due(self, limit: int) -> list[Row]:
        """The turns to work on now, oldest first. They stay pending until `done` or `retry` is said of them."""
        rows = await self._database.read(lambda c: c.exec_driver_sql(_DUE, (time.time(), limit)).all())
        return [
            Row(number, _exchange(key, user, payload), attempts, bool(sending)) for number, key, user, payload, attempts, sending in rows
        ]

    async def begin(self, row: Row) -> bool:
        """Notes that it is about to be sent, for stores that cannot recognise a turn that they have already. False: it was erased."""
        return await self._change(_BEGUN, (row.id,)) > 0

    async def done(self, rows: Sequence[Row]) -> list[Row]:
        """Memory has them: their texts go, their keys stay for `keep_days`. Returns those that were erased meanwhile."""
        ids = [row.id for row in rows]
        erased = await self._database.write(_closing(time.time(), ids)) if ids else ()
        for row in rows:
            self._settle(row.exchange.key, "done")
        return [row for row in rows if row.id in erased]

    async def retry(self, row: Row, error: str, *, give_up: bool = False) -> State:
        """It failed: tried again later, and given up for good after the last attempt. `error` is a class name, never a text."""
        state: State = "dead" if give_up or row.attempts + 1 >= self._max_attempts else "pending"
        wait = _BACKOFF_S[min(row.attempts, len(_BACKOFF_S) - 1)]
        values = (state, time.time() + wait, error, row.id)
        await self._database.write(lambda c: c.exec_driver_sql(_RETRY, values))
        if state == "dead":
            self._settle(row.exchange.key, state)
        return state

    async def status(self, key: str) -> tuple[str, State] | None:
        """(user, state) of a turn; None when it is not known (any more)."""
        statement = "SELECT user, state FROM outbox WHERE key = ?"
        row = await self._database.read(lambda c: c.exec_driver_sql(statement, (key,)).one_or_none())
        return None if row is None else (row[0], row[1])

    async def wait(self, key: str, timeout_s: float) -> State:
        """The state of a turn, once it is settled or after `timeout_s` seconds."""
        place: asyncio.Future[State] = asyncio.get_running_loop().create_future()
        self._settled.setdefault(key, set()).add(place)
        try:
            known = await self.status(key)
            if known is not None and known[1] != "pending":
                return known[1]
            async with asyncio.timeout(timeout_s):
                return await place
        except TimeoutError:
            return "pending"
        finally:
            self._settled.get(key, set()).discard(place)
            if not self._settled.get(key):
                self._settled.pop(key, None)

    async def counts(self) -> Counts:
        """How many wait and how many were given up."""
        dead, pending, oldest = await self._database.read(lambda c: c.exec_driver_sql(_COUNTS).one())
        return Counts(pending, dead, 0.0 if oldest is None else max(0.0, time.time() - oldest))

    async def erase(self, user: str) -> int:
        """Removes everything of a user, also what still waits. Returns how many rows."""
        return await self._change("DELETE FROM outbox WHERE user = ?", (user,))

    async def export(self, user: str) -> list[dict[str, Any]]:
        """What still waits for a user, as JSON can carry it."""
        rows = await self._database.read(
            lambda c: c.exec_driver_sql("SELECT payload FROM outbox WHERE user = ? AND payload IS NOT NULL ORDER BY id", (user,)).all()
        )
        return [orjson.loads(payload) for (payload,) in rows]

    async def revive(self) -> int:
        """Gives turns that were given up another chance. Returns how many."""
        count = await self._change("UPDATE outbox SET state = 'pending', attempts = 0, next_at = 0 WHERE state = 'dead'", ())
        self.appended.set()
        return count

    async def prune(self) -> int:
        """Forgets the keys of turns that were committed long ago."""
        return await self._change("DELETE FROM outbox WHERE state = 'done' AND done_at < ?", (time.time() - self._keep_s,))

    async def _change(self, statement: str, values: tuple[object, ...]) -> int:
        return await self._database.write(lambda c: c.exec_driver_sql(statement, values).rowcount)

    async def _write_all(self) -> None:
        """Writes what is queued, batch after batch, until nothing is."""
        while self._queue:
            batch, self._queue = self._queue, []
            try:
                new = await self._database.write(_inserting([row for row, _ in batch]))
            except Exception as error:  # every request of the batch is told
                _fail(batch, error)
            else:
                if new:
                    self.appended.set()
                _tell(batch, new)

    def _settle(self, key: str, state: State) -> None:
        for place in self._settled.pop(key, ()):
            if not place.done():
                place.set_result(state)


def _inserting(rows: list[tuple[Any, ...]]) -> Callable[[Connection], set[str]]:
    """One transaction and one statement for all rows; the keys that were new."""

    def insert(connection: Connection) -> set[str]:
        last = connection.exec_driver_sql("SELECT coalesce(max(id), 0) FROM outbox").scalar_one()
        if connection.exec_driver_sql(_INSERT, rows).rowcount == len(rows):
            return {row[0] for row in rows}
        return {key for (key,) in connection.exec_driver_sql("SELECT key FROM outbox WHERE id > ?", (last,))}

    return insert


def _closing(now: float, ids: list[int]) -> Callable[[Connection], frozenset[int]]:
    """Marks rows as done; the ids of which there is no row any more."""

    def close(connection: Connection) -> frozenset[int]:
        if connection.exec_driver_sql(_DONE, [(now, number) for number in ids]).rowcount == len(ids):
            return frozenset()
        known = (connection.exec_driver_sql("SELECT 1 FROM outbox WHERE id = ?", (number,)).first() for number in ids)
        return frozenset(number for number, found in zip(ids, known, strict=True) if found is None)

    return close


def _tell(batch: list[tuple[tuple[Any, ...], asyncio.Future[bool]]], new: set[str]) -> None:
    """Each request whether its turn was new; of two alike in one batch, the first."""
    for row, place in batch:
        if not place.done():
            place.set_result(row[0] in new)
        new.discard(row[0])


def _fail(batch: list[tuple[tuple[Any, ...], asyncio.Future[bool]]], error: Exception) -> None:
    for _, place in batch:
        if not place.done():
            place.set_exception(error)


def _payload(exchange: Exchange) -> dict[str, Any]:
    return {
        "question": exchange.question,
        "answer": exchange.answer,
        "created_at": exchange.created_at.isoformat(),
        "session": exchange.session,
    }


def _exchange(key: str, user: str, payload: bytes) -> Exchange:
    data = orjson.loads(payload)
    created = datetime.fromisoformat(data["created_at"]).astimezone(UTC)
    return Exchange(key, user, data["question"], data["answer"], created, data["session"])
