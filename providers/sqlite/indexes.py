"""The users whose memories are held in memory: the latest used, loaded on first use, in step with what is written."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from functools import partial
from typing import TYPE_CHECKING

from providers.sqlite import store
from providers.sqlite.index import UserIndex

if TYPE_CHECKING:
    from collections.abc import Callable

    from providers.database import Database
    from providers.sqlite.records import Record

_BEGINNING = (-(2**63), 0)
_BATCH = 120  # records that are read and indexed before other work gets its turn


class UserIndexes:
    """Least recently used indexes go first when all together hold more rows than `most_rows`.

    A write that is stored while an index is being loaded makes the loading start again, so that no index misses a memory.
    """

    def __init__(self, database: Database, *, most_rows: int, most_rows_of_user: int) -> None:
        self._database = database
        self._most_rows, self._most_of_user = most_rows, most_rows_of_user
        self._indexes: OrderedDict[str, UserIndex | None] = OrderedDict()
        self._loading: dict[str, asyncio.Task[UserIndex | None]] = {}
        self._outdated: set[str] = set()
        """Users that were written to while their index was being loaded."""
        self._rows = 0

    async def of(self, user: str) -> UserIndex | None:
        """The user's index; None for one with too many memories. Raises DatabaseError."""
        if user not in self._indexes:
            return await asyncio.shield(self._begin(user))  # a caller that gives up leaves the index for the next one
        self._indexes.move_to_end(user)
        index = self._indexes[user]
        if index is not None and index.outworn:
            self._begin(user)  # this one answers until the new one is there
        return index

    async def close(self) -> None:
        """Ends what is being loaded and forgets everything."""
        tasks = list(self._loading.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._indexes.clear()

    def put(self, user: str, records: list[Record]) -> None:
        """These records were stored."""

        def take(index: UserIndex) -> None:
            for record in records:
                index.put(record)

        self._change(user, take)

    def remove(self, user: str, memory_id: str) -> None:
        """This memory was deleted."""
        self._change(user, lambda index: index.remove(memory_id))

    def forget(self, user: str) -> None:
        """Everything of the user was deleted."""
        self._mark(user)
        self._drop(user)

    def forget_all(self) -> None:
        """Somebody else wrote."""
        self._outdated.update(self._loading)
        self._indexes.clear()
        self._rows = 0

    def _change(self, user: str, change: Callable[[UserIndex], object]) -> None:
        self._mark(user)
        index = self._indexes.get(user)
        if index is not None:
            self._rows -= _cost(index)
            change(index)
            self._keep(user, index if len(index) <= self._most_of_user else None)

    def _drop(self, user: str) -> None:
        if user in self._indexes:
            self._rows -= _cost(self._indexes.pop(user))

    def _mark(self, user: str) -> None:
        if user in self._loading:
            self._outdated.add(user)

    def _keep(self, user: str, index: UserIndex | None) -> None:
        """Puts it in its place, and lets go of the least recently used ones that are too many now."""
        self._indexes[user] = index
        self._rows += _cost(index)
        while self._rows > self._most_rows and len(self._indexes) > 1:
            self._rows -= _cost(self._indexes.popitem(last=False)[1])

    def _begin(self, user: str) -> asyncio.Task[UserIndex | None]:
        """The loading of this user's index, begun now unless it is under way."""
        task = self._loading.get(user)
        if task is None:
            task = self._loading[user] = asyncio.create_task(self._load(user))
            task.add_done_callback(lambda done: self._loaded(user, done))
        return task

    def _loaded(self, user: str, task: asyncio.Task[UserIndex | None]) -> None:
        del self._loading[user]
        self._outdated.discard(user)
        if not task.cancelled():
            task.exception()  # was raised to whoever waited

    async def _load(self, user: str) -> UserIndex | None:
        while True:
            self._outdated.discard(user)
            index = await self._build(user)
            if user not in self._outdated:
                self._drop(user)
                self._keep(user, index)
                return index

    async def _build(self, user: str) -> UserIndex | None:
        number = await self._database.read(lambda c: store.user_number(c, user))
        if number is None:
            return UserIndex()
        if await self._database.read(lambda c: store.count(c, number)) > self._most_of_user:
            return None
        index = UserIndex(usual_length=await self._database.read(lambda c: store.usual_length(c, number)))
        last = _BEGINNING
        while True:
            part = await self._database.read(partial(store.batch, number=number, after=last, limit=_BATCH))
            for record in part:
                index.put(record)
            if len(part) < _BATCH:
                return index
            last = part[-1].created, part[-1].seq


def _cost(index: UserIndex | None) -> int:
    return 1 + (index.rows if index is not None else 0)
