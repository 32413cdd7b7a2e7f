"""One running gateway: opens what outlives a reload, builds the parts, swaps them, and closes everything in order."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import structlog

from gateway.app.build import Access, Foundation, build
from gateway.app.offload import Offload
from gateway.app.provider import make_provider
from gateway.app.translate import policy_of
from gateway.cache import CACHES
from gateway.cache.flight import Flights
from gateway.cache.responses import ResponseCache
from gateway.cache.store import StoreConfig
from gateway.commit.drain import Drain
from gateway.commit.outbox import Outbox
from gateway.context.tokens import TokenCounter
from gateway.settings import changed, is_loopback
from gateway.storage import state_database
from gateway.storage.keys import KeyStore
from gateway.storage.purges import Purges
from gateway.telemetry import Metrics, new_registry
from gateway.worker import Worker, WorkerFailed

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from gateway.parts import Parts
    from gateway.settings import Settings

log = structlog.get_logger()

_WARM_UP = "I like the sea, and I always use tabs."
_RECLASSIFY_EVERY_S = 30.0
_LOOK_EVERY_S = 1.0
"""How often the gateway looks for what the command line has changed in state.db."""


class Gateway:
    """Start it, take `parts` for each request, reload it, stop it. Two may live in one process, each with its own home."""

    def __init__(self, settings: Settings, home: Path) -> None:
        self._started_with = settings
        self._settings = settings
        self._home = home
        self._exit = AsyncExitStack()
        self._changing = asyncio.Lock()
        self._base: Foundation | None = None
        self._parts: Parts | None = None
        self._keys_seen = 0

    def parts(self) -> Parts:
        """The parts in use now. A request keeps those that it began with."""
        assert self._parts is not None  # noqa: S101 - only asked between start and stop
        return self._parts

    async def start(self) -> None:
        """Opens and builds everything. Raises ConfigError or ProviderError, and leaves nothing open then."""
        try:
            await self._start()
        except BaseException:
            await self._exit.aclose()
            raise

    async def stop(self) -> None:
        """Works off the outbox as far as the shutdown time allows, then closes everything; what is left waits for the next start."""
        if self._base is not None:
            await self._base.drain.stop(max(1.0, self._settings.server.shutdown_timeout_s / 2))
        async with self._changing:  # a reload under way ends first, so that what it has made is closed too
            if self._parts is not None:
                await self._parts.close()
            await self._exit.aclose()
            self._base = None

    async def reload(self, settings: Settings) -> tuple[str, ...]:
        """Takes a new configuration into use. Returns the changed keys that wait for a restart.

        Raises ConfigError or ProviderError and changes nothing then.
        """
        async with self._changing:
            assert self._base is not None  # noqa: S101 - only between start and stop
            old, parts = self._parts, await build(settings, self._base)
            self._parts, self._settings = parts, settings
        if old is not None:
            await old.close()
        return changed(self._started_with, settings)

    async def _start(self) -> None:
        settings = self._settings
        state = state_database(self._home)
        await state.open()
        self._exit.push_async_callback(state.close)
        provider = make_provider(settings, self._home)
        await provider.open()
        self._exit.push_async_callback(provider.close)
        worker = Worker()
        self._exit.push_async_callback(worker.close)
        store = CACHES[settings.cache.backend](StoreConfig(settings.cache.ttl_s, settings.cache.max_mib))
        self._exit.push_async_callback(store.close)
        metrics = Metrics(new_registry())
        outbox = Outbox(state, max_attempts=settings.outbox.max_attempts, keep_days=settings.outbox.keep_days)
        drain = Drain(outbox, provider, metrics)
        access = Access(KeyStore(state), loopback=is_loopback(settings.server.host))
        purges = Purges(state)
        await purges.clear()
        self._keys_seen = await access.version()
        self._base = Foundation(provider, access, outbox, drain, worker, metrics, TokenCounter(), store, Flights())
        self._parts = await build(settings, self._base)
        drain.start()
        self._background(asyncio.to_thread(self._base.counter.load))
        self._background(_warm(worker, settings))
        self._background(self._reclassify())
        self._background(self._watch(self._notice_keys))
        self._background(self._watch(lambda: self._carry_out(purges)))

    async def _watch(self, look: Callable[[], Awaitable[None]]) -> None:
        """Looks again and again at what the command line changes in state.db while the gateway runs."""
        failing = False
        while True:
            await asyncio.sleep(_LOOK_EVERY_S)
            try:
                await look()
            except Exception as error:
                if not failing:
                    log.warning("what the command line changes is not noticed for now", error=type(error).__name__)
                failing = True
            else:
                failing = False

    async def _reclassify(self) -> None:
        """Brings stored verdicts up to date: after a change of the policy, and where the worker failed when a memory was written."""
        while True:
            parts = self.parts()
            try:
                count = await parts.memories.reclassify(parts.pipeline.guard.policy.version)
            except Exception as error:
                log.warning("verdicts are not all up to date; trying again", error=type(error).__name__)
            else:
                if count:
                    log.info("verdicts are up to date again", memories=count)
            await asyncio.sleep(_RECLASSIFY_EVERY_S)

    async def _notice_keys(self) -> None:
        """Takes keys into use that were made, and refuses those that were revoked."""
        assert self._base is not None  # noqa: S101
        version = await self._base.access.version()
        if version == self._keys_seen:
            return
        async with self._changing:
            identity = await self._base.access.identity(self._settings)
            self._parts = replace(self.parts(), identity=identity)
        self._keys_seen = version
        log.info("the keys have changed")

    async def _carry_out(self, purges: Purges) -> None:
        """Lets go of what the command line has taken from users. (A turn that is just being stored is taken back by the drain.)"""
        assert self._base is not None  # noqa: S101
        base = self._base
        waiting = await purges.waiting()
        cache = ResponseCache(base.store, base.flights, self._settings.cache.mode)
        for purge in waiting:
            await cache.purge(purge.user)
        for purge in waiting:
            if purge.everything:
                await base.outbox.erase(purge.user)
                await base.provider.clear(purge.user)  # what it holds in memory goes too
                await cache.purge(purge.user)  # answers that were made meanwhile, of what was still there
            await purges.done(purge.id)

    def _background(self, work: Any) -> None:
        task = asyncio.ensure_future(work)

        async def cancel() -> None:
            task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await task

        self._exit.push_async_callback(cancel)


async def _warm(worker: Worker, settings: Settings) -> None:
    """Loads the recognizers, which takes seconds, so that the first thing that is said can be found at once."""
    offload = Offload(worker, policy_of(settings))
    with suppress(WorkerFailed):
        await offload.levels([_WARM_UP])
        await offload.classify([_WARM_UP])
