"""The drain: takes finished turns out of the outbox and puts them into memory, in the background.

Where the gateway draws the facts itself, storing them again changes nothing, and every turn is tried until it is stored.

A provider that draws the facts itself gets each turn once. It may not recognise a turn that it has already, so a note that the turn is
about to be sent is written first, and only a try that surely failed is repeated: the provider could not be reached, or said that it
failed. When the outcome is unknown (the process died, no answer came in time) the turn is given up: one that may be missing is better
than one stored twice. `eluvix doctor` shows it and `eluvix outbox retry` sends it again.

A provider that is down is left alone for a while, so that its turns do not use up their tries; they keep their place in the queue.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from contextlib import suppress
from typing import TYPE_CHECKING

import structlog

from providers.base import ProviderRefused, ProviderUnavailable, ProviderUnclear, TurnRecord

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

    from gateway.commit.outbox import Outbox, Row
    from gateway.memories import Memories
    from gateway.telemetry import Metrics
    from gateway.turn import Exchange
    from providers.base import Memory, MemoryProvider, NewMemory

    Digest = Callable[[Sequence[Exchange]], Awaitable[list[list[NewMemory]]]]

log = structlog.get_logger()

BATCH = 64
_LOOK_AGAIN_S = 2.0
_LONGEST_PAUSE_S = 60.0
_PRUNE_EVERY = 500


class Drain:
    """Works through the outbox. `use` gives it new parts after a reload."""

    def __init__(self, outbox: Outbox, provider: MemoryProvider, metrics: Metrics) -> None:
        self._outbox = outbox
        self._provider = provider
        self._metrics = metrics
        self._memories: Memories | None = None
        self._digest: Digest | None = None
        self._batch = BATCH
        self._task: asyncio.Task[None] | None = None
        self._stopping = asyncio.Event()
        self._pause_s = 0.0
        self._rounds = 0
        self._busy = asyncio.Lock()

    def use(self, memories: Memories, digest: Digest, batch: int = BATCH) -> None:
        """From now on turns are digested and stored with these, at most `batch` at a time."""
        self._memories = memories
        self._digest = digest
        self._batch = batch

    def start(self) -> None:
        """Begins to work in the background, on what an earlier process left first."""
        self._outbox.appended.set()
        self._task = asyncio.create_task(self._run(), name="drain")

    async def stop(self, timeout_s: float) -> None:
        """Works off what waits, for at most `timeout_s` seconds; the rest stays for the next start."""
        self._stopping.set()
        self._outbox.appended.set()
        work = self.flush() if self._task is None else self._task
        self._task = None
        try:
            async with asyncio.timeout(timeout_s):
                await work
        except TimeoutError:
            log.warning("stopped with turns that wait; the next start works them off")
        except Exception as error:
            log.error("the outbox could not be worked on", error=type(error).__name__)

    async def flush(self) -> bool:
        """Works until nothing is due (True), or the provider turns out to be down (False)."""
        while (more := await self._round()) is True:
            pass
        return more is None

    async def _run(self) -> None:
        while not self._stopping.is_set():
            await self._woken()
            self._outbox.appended.clear()
            try:
                well = await self.flush()
                await self._report()
            except Exception as error:
                log.error("the outbox could not be worked on; trying again", error=type(error).__name__)
                well = False
            self._pause_s = 0.0 if well else min(max(2 * self._pause_s, _LOOK_AGAIN_S), _LONGEST_PAUSE_S)

    async def _woken(self) -> None:
        """Returns when something was appended, or after a while: something may be due again. When all is not well, only after a pause."""
        event = self._stopping if self._pause_s else self._outbox.appended
        with suppress(TimeoutError):
            async with asyncio.timeout(self._pause_s or _LOOK_AGAIN_S):
                await event.wait()

    async def _round(self) -> bool | None:
        """One batch. None when there was nothing to do, False when the provider is down."""
        async with self._busy:
            rows = await self._outbox.due(self._batch)
            if not rows:
                return None
            if not self._provider.digests_turns:
                return await self._store(rows)
            for row in rows:
                if not await self._hand_over(row):
                    return False
            return True

    async def _store(self, rows: list[Row]) -> bool:
        """Digests a batch in one go and adds the facts, those of a user together. False when the provider is down."""
        assert self._digest is not None  # noqa: S101 - `use` comes before `start`
        assert self._memories is not None  # noqa: S101
        done: list[Row] = []
        added: dict[str, Sequence[Memory]] = {}
        try:
            facts = dict(zip(rows, await self._digest([row.exchange for row in rows]), strict=True))
        except Exception as error:
            return await self._apart(rows, error)
        well = True
        for user, mine in _by_user(rows).items():
            try:
                added[user] = await self._memories.add(user, [fact for row in mine for fact in facts[row]])
            except Exception as error:
                well = await self._apart(mine, error)
                if not well:
                    break
            else:
                done += mine
        await self._close(done, added)
        return well

    async def _apart(self, rows: list[Row], error: Exception) -> bool:
        """Rows that failed together are tried one by one, so that a bad one does not hold up the others; a single one has failed."""
        if len(rows) == 1:
            await self._failed(rows[0], error, give_up=isinstance(error, ProviderRefused))
            return not isinstance(error, ProviderUnavailable)
        for row in rows:
            if not await self._store([row]):
                return False
        return True

    async def _hand_over(self, row: Row) -> bool:
        """Gives a whole turn to a provider that extracts facts itself. False when it is down."""
        assert self._memories is not None  # noqa: S101
        if row.unclear:
            await self._failed(row, ProviderUnclear(), give_up=True)
            return True
        user, turn = row.exchange.user, _record(row.exchange)
        try:
            leaving = await self._memories.leaving(turn)
        except Exception as error:
            await self._failed(row, error, give_up=False)
            return True
        if leaving is None:
            await self._outbox.done([row])
            self._metrics.commit("withheld")
            return True
        if not await self._outbox.begin(row):
            return True  # erased meanwhile
        try:
            made = await self._provider.commit(user, leaving)
        except Exception as error:
            sure = isinstance(error, ProviderUnavailable) and not isinstance(error, ProviderUnclear)
            await self._failed(row, error, give_up=not sure)
            return not isinstance(error, ProviderUnavailable)
        await self._close([row], {user: made})
        return True

    async def _close(self, rows: list[Row], made: Mapping[str, Sequence[Memory]]) -> None:
        """These are stored. Where a user's turns were erased in the meantime, what was just made of them goes too."""
        assert self._memories is not None  # noqa: S101
        erased = await self._outbox.done(rows)
        for _ in range(len(rows) - len(erased)):
            self._metrics.commit("committed")
        for user in {row.exchange.user for row in erased}:
            for memory in made[user]:
                await self._memories.delete(user, memory.id)

    async def _failed(self, row: Row, error: Exception, *, give_up: bool) -> None:
        state = await self._outbox.retry(row, type(error).__name__, give_up=give_up)
        self._metrics.commit("dead" if state == "dead" else "retried")
        log.warning(
            "a turn was not stored", error=type(error).__name__, provider=self._provider.name, state=state, attempts=row.attempts + 1
        )

    async def _report(self) -> None:
        counts = await self._outbox.counts()
        self._metrics.outbox(counts.pending, counts.dead, counts.oldest_s)
        self._rounds += 1
        if self._rounds % _PRUNE_EVERY == 1:
            await self._outbox.prune()


def _by_user(rows: Iterable[Row]) -> Mapping[str, list[Row]]:
    """The rows of each user, in their order."""
    of_user: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        of_user[row.exchange.user].append(row)
    return of_user


def _record(exchange: Exchange) -> TurnRecord:
    return TurnRecord(exchange.key, exchange.question, exchange.answer, exchange.created_at, exchange.session)
