"""The embedded memory: one SQLite file, ranking in process, no network and no service."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from providers.base import Health, Memory, MemoryPatch, MemoryProvider, NewMemory, Page, ProviderError, ProviderRefused, TurnRecord, Verdict
from providers.database import Database
from providers.sqlite import store
from providers.sqlite.cursors import cursor_after, position_of
from providers.sqlite.drafts import changes_of, draft_of
from providers.sqlite.index import Hit, rank_candidates
from providers.sqlite.indexes import UserIndexes
from providers.sqlite.query import Query, analyse
from providers.sqlite.records import check_verdict, to_memory
from providers.sqlite.schema import MIGRATIONS
from providers.sqlite.terms import Analyzer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sqlalchemy import Connection

    from providers.sqlite.records import Record

_MOST_ROWS = 50_000
_MOST_ROWS_OF_USER = 20_000
_CANDIDATES = 200
_CHECK_OTHERS = 0.25  # seconds between two looks for writes of other processes
_LONG = 5_000  # characters from which analysing moves off the event loop
_LARGEST_PAGE = 1_000


class SqliteProvider(MemoryProvider):
    """Memories in `path`. Users with up to `most_rows_of_user` memories are searched in memory, larger ones through FTS5.

    `most_rows` bounds what is held in memory: rows of all users together, a long text counting for several.
    """

    name: ClassVar[str] = "sqlite"
    digests_turns: ClassVar[bool] = False

    def __init__(self, path: Path, *, most_rows: int = _MOST_ROWS, most_rows_of_user: int = _MOST_ROWS_OF_USER) -> None:
        self.local = True
        self.database = Database(path, MIGRATIONS)
        self._indexes = UserIndexes(self.database, most_rows=most_rows, most_rows_of_user=most_rows_of_user)
        self._analyzer = Analyzer()
        self._version: int | None = None
        self._looked = 0.0

    async def open(self) -> None:
        """Opens, creates or migrates the file."""
        await self.database.open()
        self._version = await self.database.data_version()

    async def close(self) -> None:
        """Lets queued writes finish and closes the file."""
        await self._indexes.close()
        await self.database.close()

    async def search(self, user: str, query: str, limit: int) -> list[Memory]:
        """The best memories by shared terms, phrases, neighbours and recency. Warm, it makes no database call."""
        asked = analyse(query, self._analyzer)
        if limit <= 0 or not (asked.terms or asked.dates or asked.about_me):
            return []
        await self._notice_others()
        index = await self._indexes.of(user)
        if index is not None:
            return index.memories(index.search(asked, limit), user)
        return [to_memory(record, user, round(score, 4)) for record, score in await self._search_large(user, asked, limit)]

    async def add(self, user: str, memories: Sequence[NewMemory]) -> list[Memory]:
        """Stores them in one transaction. A text that is there already counts as said again: `updated_at` moves on."""
        if not memories:
            return []
        prepare = partial(_drafts, memories, self._analyzer, datetime.now(UTC))
        long = sum(len(memory.text) for memory in memories) > _LONG
        drafts = await asyncio.to_thread(prepare) if long else prepare()
        records = await self.database.write(lambda c: store.insert(c, user, drafts), lambda stored: self._indexes.put(user, stored))
        return [to_memory(record, user) for record in records]

    async def commit(self, user: str, turn: TurnRecord) -> list[Memory]:  # noqa: ARG002 (the protocol's names)
        """Not supported: the caller extracts facts and adds them."""
        message = "sqlite: it stores memories, not turns; add the facts of a turn instead"
        raise ProviderRefused(message)

    async def get(self, user: str, memory_id: str) -> Memory | None:
        """That memory of that user."""
        record = await self.database.read(lambda c: store.get(c, user, _sound(memory_id)))
        return to_memory(record, user) if record is not None else None

    async def update(self, user: str, memory_id: str, patch: MemoryPatch) -> Memory | None:
        """Changes one memory. Raises ProviderRefused where the user has the new text already."""
        changes = changes_of(patch, datetime.now(UTC))
        terms = self._analyzer.terms(patch.text) if patch.text is not None else None

        def work(connection: Connection) -> Record | None:
            found = store.get(connection, user, _sound(memory_id))
            if found is None:
                return None
            own = {} if terms is None else {"terms": store.prefixed(found.user_id, terms)}
            return store.update(connection, found, {**changes, **own})

        record = await self.database.write(work, lambda stored: self._indexes.put(user, [stored] if stored else []))
        return to_memory(record, user) if record is not None else None

    async def delete(self, user: str, memory_id: str) -> bool:
        """Forgets one memory."""
        return await self.database.write(
            lambda c: store.delete(c, user, _sound(memory_id)), lambda _: self._indexes.remove(user, memory_id)
        )

    async def clear(self, user: str) -> int:
        """Forgets everything of a user."""
        return await self.database.write(lambda c: store.clear(c, user), lambda _: self._indexes.forget(user))

    async def scrub(self) -> bool:
        """Leaves no word of what was deleted in the file: its index and its log keep them for a while. Takes long for a large file.

        False when another process is reading just now: then ask again.
        """
        await self.database.write(store.merge_index)
        return await self.database.empty_log()

    async def users(self) -> list[str]:
        """Every user with a memory, sorted."""
        return await self.database.read(store.users)

    async def health(self) -> Health:
        """Whether the file answers, and how much is in it."""
        try:
            people, memories = await self.database.read(store.totals)
        except ProviderError as error:
            return Health(ok=False, detail=str(error))
        return Health(ok=True, detail=f"sqlite: {memories} memories of {people} users")

    async def stale(self, policy: str, limit: int) -> list[Memory]:
        """At most `limit` memories, of any user, whose verdict is missing or not of this policy. [] = all are up to date."""
        found = await self.database.read(lambda c: store.stale(c, policy, limit))
        return [to_memory(record, user) for user, record in found]

    async def stamp(self, judged: Sequence[tuple[Memory, Verdict]]) -> None:
        """Stores verdicts; those of memories that are gone, or have another text by now, are left out."""
        for _, verdict in judged:
            check_verdict(verdict)
        if judged:
            await self.database.write(lambda c: store.stamp(c, judged), self._stamped)

    async def list(self, user: str, limit: int, cursor: str | None = None) -> Page:
        """One page, newest first. Raises ProviderRefused for a cursor that is none of ours."""
        before = position_of(cursor) if cursor is not None else None
        size = min(max(1, limit), _LARGEST_PAGE)
        records = await self.database.read(lambda c: store.newest(c, user, size + 1, before))
        memories = tuple(to_memory(record, user) for record in records[:size])
        return Page(memories, cursor_after(records[size - 1]) if len(records) > size else None)

    def _stamped(self, found: Sequence[tuple[str, Record]]) -> None:
        for user, record in found:
            self._indexes.put(user, [record])

    async def _search_large(self, user: str, asked: Query, limit: int) -> Sequence[Hit]:
        """Through the database's own index, for a user with too many memories to hold."""

        def work(connection: Connection) -> Sequence[tuple[Record, float]]:
            number = store.user_number(connection, user)
            return store.candidates(connection, number, asked.terms, max(_CANDIDATES, limit)) if number is not None else ()

        return rank_candidates(await self.database.read(work), asked, limit)

    async def _notice_others(self) -> None:
        """Forgets what is held in memory when another process has written. Looks at most four times a second."""
        now = time.monotonic()
        if now - self._looked < _CHECK_OTHERS:
            return
        self._looked = now
        version = await self.database.data_version()
        if version is not None and version != self._version:
            self._version = version
            self._indexes.forget_all()


def _drafts(memories: Sequence[NewMemory], analyzer: Analyzer, now: datetime) -> Sequence[store.Draft]:
    return [draft_of(memory, analyzer, now) for memory in memories]


def _sound(memory_id: str) -> str:
    """An id that can be looked for: one that is not Unicode is nobody's."""
    return memory_id.encode(errors="replace").decode()
