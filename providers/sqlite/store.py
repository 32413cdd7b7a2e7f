"""The statements on memory.db. Each function runs within one transaction of a Database."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING

from providers.base import ProviderRefused
from providers.sqlite.records import COLUMNS, Record, fingerprint, verdict_values

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import Connection

    from providers.base import Memory, Verdict

_PLACES = 400  # bound values per statement, well below SQLite's smallest limit


@dataclass(frozen=True, slots=True)
class Draft:
    """A memory that is ready to be written: checked and analysed."""

    hash: bytes
    text: str
    category: str
    metadata: str
    created: int
    l0: str | None
    l1: str | None
    session: str | None
    verdict: Verdict | None
    terms: Sequence[str]


def user_number(connection: Connection, user: str) -> int | None:
    """The number of a user, None for one who never had a memory."""
    row = connection.exec_driver_sql("SELECT id FROM users WHERE name = ?", (user,)).first()
    return None if row is None else int(row[0])


def insert(connection: Connection, user: str, drafts: Sequence[Draft]) -> list[Record]:
    """Stores what is new and returns the records of all drafts in order. A text that was there counts as said again: it is newer now."""
    number = user_number(connection, user)
    if number is None:
        number = int(connection.exec_driver_sql("INSERT INTO users (name) VALUES (?) RETURNING id", (user,)).scalar_one())
    hashes = {draft.hash for draft in drafts}
    known = _by_hash(connection, number, hashes)
    fresh = {draft.hash: draft for draft in reversed(drafts) if draft.hash not in known}  # of equal ones the first
    if fresh:
        connection.exec_driver_sql(_INSERT, [_values(number, draft) for draft in reversed(fresh.values())])
        known = _by_hash(connection, number, hashes)
    for draft in drafts:
        record = known[draft.hash]
        if draft.created > record.updated:
            connection.exec_driver_sql("UPDATE memories SET updated = ? WHERE seq = ?", (draft.created, record.seq))
            known[draft.hash] = record._replace(updated=draft.created)
    return [known[draft.hash] for draft in drafts]


def get(connection: Connection, user: str, memory_id: str) -> Record | None:
    """That record of that user."""
    return _first(connection, "id = ? AND user_id = (SELECT id FROM users WHERE name = ?)", (memory_id, user))


def newest(connection: Connection, user: str, limit: int, before: tuple[int, int] | None) -> list[Record]:
    """At most `limit` records from the newest on, or from the one after `before` (created, seq)."""
    where, values = "user_id = (SELECT id FROM users WHERE name = ?)", [user]
    if before is not None:
        where, values = f"{where} AND (created, seq) < (?, ?)", [user, *before]  # type: ignore[list-item]
    return _all(connection, f"{where} ORDER BY created DESC, seq DESC LIMIT ?", (*values, limit))


def batch(connection: Connection, number: int, after: tuple[int, int], limit: int) -> list[Record]:
    """At most `limit` records of a user, oldest first, from behind `after` (created, seq) on."""
    return _all(connection, "user_id = ? AND (created, seq) > (?, ?) ORDER BY created, seq LIMIT ?", (number, *after, limit))


def count(connection: Connection, number: int) -> int:
    """How many memories a user has."""
    return int(connection.exec_driver_sql("SELECT count(*) FROM memories WHERE user_id = ?", (number,)).scalar_one())


def usual_length(connection: Connection, number: int) -> float:
    """How many terms a user's memories have on average, at least 1."""
    sql = "SELECT coalesce(avg(length(terms) - length(replace(terms, ' ', '')) + 1), 1) FROM memories WHERE user_id = ?"
    return float(connection.exec_driver_sql(sql, (number,)).scalar_one())


def update(connection: Connection, record: Record, changes: Mapping[str, object]) -> Record | None:
    """Changes columns of one record. Raises ProviderRefused where the user has a memory of the new hash already."""
    same = "SELECT 1 FROM memories WHERE user_id = ? AND hash = ? AND seq <> ?"
    if "hash" in changes and connection.exec_driver_sql(same, (record.user_id, changes["hash"], record.seq)).first():
        message = "sqlite: another memory of this user has the same text; delete one of them"
        raise ProviderRefused(message)
    assignments = ", ".join(f"{column} = ?" for column in changes)
    sql = f"UPDATE memories SET {assignments} WHERE seq = ?"  # noqa: S608 (columns are ours)
    connection.exec_driver_sql(sql, (*changes.values(), record.seq))
    return _first(connection, "seq = ?", (record.seq,))


def delete(connection: Connection, user: str, memory_id: str) -> bool:
    """Whether there was such a record."""
    sql = "DELETE FROM memories WHERE id = ? AND user_id = (SELECT id FROM users WHERE name = ?)"
    return connection.exec_driver_sql(sql, (memory_id, user)).rowcount > 0


def clear(connection: Connection, user: str) -> int:
    """Removes everything of a user, the name included; how many memories there were."""
    number = user_number(connection, user)
    if number is None:
        return 0
    removed = connection.exec_driver_sql("DELETE FROM memories WHERE user_id = ?", (number,)).rowcount
    connection.exec_driver_sql("DELETE FROM users WHERE id = ?", (number,))
    return removed


def merge_index(connection: Connection) -> None:
    """Rewrites the index without the terms of deleted records, which it only marks as gone."""
    connection.exec_driver_sql("INSERT INTO memories_terms(memories_terms) VALUES ('optimize')")


def users(connection: Connection) -> list[str]:
    """Every user with a memory."""
    sql = "SELECT name FROM users u WHERE EXISTS (SELECT 1 FROM memories m WHERE m.user_id = u.id) ORDER BY name"
    return [str(name) for name in connection.exec_driver_sql(sql).scalars()]


def totals(connection: Connection) -> tuple[int, int]:
    """How many users and memories there are."""
    row = connection.exec_driver_sql("SELECT count(DISTINCT user_id), count(*) FROM memories").one()
    return int(row[0]), int(row[1])


def stale(connection: Connection, policy: str, limit: int) -> list[tuple[str, Record]]:
    """Users and records whose verdict is missing or of another policy. (Two ranges instead of `<>`, which would use no index.)"""
    found: list[tuple[str, Record]] = []
    for where, values in (("policy IS NULL", ()), ("policy < ?", (policy,)), ("policy > ?", (policy,))):
        rest = limit - len(found)
        if rest > 0:
            found += [(_name(connection, record.user_id), record) for record in _all(connection, f"{where} LIMIT ?", (*values, rest))]
    return found


def stamp(connection: Connection, judged: Sequence[tuple[Memory, Verdict]]) -> list[tuple[str, Record]]:
    """Stores verdicts where the memory still has the text that was judged; returns users and records."""
    connection.exec_driver_sql(_STAMP, [(*verdict_values(verdict), memory.id, memory.text) for memory, verdict in judged])
    records = [_first(connection, "id = ?", (memory.id,)) for memory, _ in judged]
    return [(_name(connection, record.user_id), record) for record in records if record is not None]


def candidates(connection: Connection, number: int, terms: Iterable[str], limit: int) -> list[tuple[Record, float]]:
    """The best records by BM25 over the database's own index, and their scores (higher is better)."""
    match = " OR ".join(f'"{number}_{term}"' for term in terms)
    sql = "SELECT rowid, -bm25(memories_terms) FROM memories_terms WHERE memories_terms MATCH ? ORDER BY rank LIMIT ?"
    scores = {int(seq): float(score) for seq, score in connection.exec_driver_sql(sql, (match, limit)) if match}
    return [(record, scores[record.seq]) for record in _in(connection, "seq", list(scores)) if record.user_id == number]


_INSERT = """INSERT INTO memories (id, user_id, hash, text, category, metadata, created, updated, l0, l1, session,
    sensitivity, masked, policy, entities, terms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""

_STAMP = """UPDATE memories SET sensitivity = ?, masked = ?, policy = ?, entities = ?
    WHERE id = ? AND text = ?"""


def _values(number: int, draft: Draft) -> tuple[object, ...]:
    return (
        str(uuid.uuid4()),
        number,
        draft.hash,
        draft.text,
        draft.category,
        draft.metadata,
        draft.created,
        draft.created,
        draft.l0,
        draft.l1,
        draft.session,
        *verdict_values(draft.verdict),
        prefixed(number, draft.terms),
    )


def prefixed(number: int, terms: Iterable[str]) -> str:
    """Terms as they are stored for a user."""
    return " ".join([f"{number}_{term}" for term in terms])


def _by_hash(connection: Connection, number: int, hashes: set[bytes]) -> dict[bytes, Record]:
    records = _in(connection, "hash", list(hashes), "user_id = ? AND", (number,))
    return {fingerprint(record.text): record for record in records}


def _in(connection: Connection, column: str, values: Sequence[object], where: str = "", first: tuple[object, ...] = ()) -> list[Record]:
    found: list[Record] = []
    for start in range(0, len(values), _PLACES):
        part = values[start : start + _PLACES]
        found += _all(connection, f"{where} {column} IN ({', '.join('?' * len(part))})", (*first, *part))
    return found


def _all(connection: Connection, where: str, values: tuple[object, ...]) -> list[Record]:
    rows = connection.exec_driver_sql(f"SELECT {COLUMNS} FROM memories WHERE {where}", values)  # noqa: S608 (no outside text)
    return [Record(*row) for row in rows]


def _first(connection: Connection, where: str, values: tuple[object, ...]) -> Record | None:
    return next(iter(_all(connection, where, values)), None)


def _name(connection: Connection, number: int) -> str:
    return str(connection.exec_driver_sql("SELECT name FROM users WHERE id = ?", (number,)).scalar_one())
