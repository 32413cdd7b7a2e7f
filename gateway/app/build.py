"""Builds one set of parts from one configuration, on top of what outlives a reload."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gateway.app.named_keys import configured_keys
from gateway.app.offload import Offload
from gateway.app.translate import breaker_limits, policy_of, recall_limits, routes_of, upstream_configs
from gateway.cache.responses import ResponseCache
from gateway.commit.drain import BATCH
from gateway.commit.summarizer import Ask, Summarizer
from gateway.context.block import BlockWriter
from gateway.context.recall import Recall
from gateway.context.sticky import Sticky
from gateway.delivery import Delivery
from gateway.egress.guard import Guard
from gateway.egress.scan import Rules
from gateway.egress.verdicts import Verdicts
from gateway.identity import Admin, Identity
from gateway.memories import Memories
from gateway.parts import Parts
from gateway.pipeline import Pipeline
from gateway.routing.breaker import Breakers
from gateway.routing.catalog import Catalog
from gateway.routing.router import Router
from gateway.turn import MemoryMode
from gateway.upstreams import connect
from gateway.upstreams.discovery import discover
from gateway.upstreams.inspect import inspect_configs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gateway.cache.flight import Flights
    from gateway.cache.store import CacheStore
    from gateway.commit.drain import Digest, Drain
    from gateway.commit.outbox import Outbox
    from gateway.context.tokens import TokenCounter
    from gateway.settings import Settings
    from gateway.storage.keys import KeyStore
    from gateway.telemetry import Metrics
    from gateway.upstreams.base import Upstream, UpstreamConfig
    from gateway.worker import Worker
    from providers.base import MemoryProvider


class Access:
    """Who may come in. Without any key the gateway is open to its own machine, until there was one: taking away the last key lets nobody
    in who was kept out before."""

    def __init__(self, store: KeyStore, *, loopback: bool) -> None:
        self._store = store
        self._open = loopback

    async def identity(self, settings: Settings) -> Identity:
        """From the keys of the configuration and of the database together. Raises ProviderError."""
        keys = [*configured_keys(settings), *(stored.key for stored in await self._store.all())]
        self._open = self._open and not keys
        return Identity(keys, open_access=self._open)

    async def version(self) -> int:
        """A number that changes with every change of the keys in the database. Raises ProviderError."""
        return await self._store.version()


@dataclass(frozen=True, slots=True)
class Foundation:
    """What outlives a reload."""

    provider: MemoryProvider
    access: Access
    outbox: Outbox
    drain: Drain
    worker: Worker
    metrics: Metrics
    counter: TokenCounter
    store: CacheStore
    flights: Flights


async def build(settings: Settings, base: Foundation) -> Parts:
    """A consistent set of parts; the drain uses them from now on. Raises ConfigError or ProviderError, and changes nothing then."""
    policy = policy_of(settings)
    writer = BlockWriter(base.counter)
    offload = Offload(base.worker, policy)
    rules = Rules(policy)
    guard = Guard(policy, rules, Verdicts(policy, rules, offload.classify), writer)
    cache = ResponseCache(base.store, base.flights, settings.cache.mode)
    memories = Memories(base.provider, offload.classify, offload.levels, cache.purge)
    upstreams = {config.name: connect(config) for config in await upstreams_of(settings)}
    catalog, router, breakers = _routing(settings, upstreams)
    sticky = Sticky() if settings.memory.sticky else None
    recall = Recall(base.provider, writer, recall_limits(settings, local=base.provider.local), base.metrics, sticky)
    delivery = Delivery(base.outbox, base.metrics)
    pipeline = Pipeline(recall, router, guard, cache, breakers, delivery, base.metrics, settings.memory.placement)
    digest = _digest(settings, offload, guard, router)
    identity = await base.access.identity(settings)  # the last that may fail: it remembers that there were keys
    base.drain.use(memories, digest, 1 if settings.memory.summarizer else BATCH)
    catalog.refresh()
    return Parts(
        identity=identity,
        admin=Admin(settings.admin_password.get_secret_value() if settings.admin_password else None),
        pipeline=pipeline,
        catalog=catalog,
        upstreams=tuple(upstreams.values()),
        provider=base.provider,
        memories=memories,
        outbox=base.outbox,
        drain=base.drain,
        metrics=base.metrics,
        memory=MemoryMode(settings.memory.recall == "on", settings.memory.commit == "on"),
    )


async def upstreams_of(settings: Settings) -> list[UpstreamConfig]:
    """Configured upstreams; without any, those that are found; the built-in ones always."""
    configs = upstream_configs(settings)
    if not configs and settings.discover == "on":
        configs = await discover(os.environ)
    return [*configs, *inspect_configs()]


def _routing(settings: Settings, upstreams: Mapping[str, Upstream]) -> tuple[Catalog, Router, Breakers]:
    routes = routes_of(settings)
    declared = {name: upstream.models for name, upstream in settings.upstreams.items()}
    rewrites = {name: upstream.rewrite for name, upstream in settings.upstreams.items()}
    catalog = Catalog(upstreams, declared, aliases=routes.aliases, renamed=rewrites)
    breakers = Breakers(breaker_limits(settings))
    return catalog, Router(upstreams, routes, catalog, breakers, rewrites), breakers


def _digest(settings: Settings, offload: Offload, guard: Guard, router: Router) -> Digest:
    """Facts by a model where one is configured, else by rules."""
    chosen = settings.memory.summarizer
    if chosen is None:
        return offload.digest
    target = router.target(chosen.upstream, chosen.model)
    ask = Ask(target, chosen.model, chosen.timeout_s, chosen.allow_cloud)
    return Summarizer(ask, guard, offload.classify, offload.digest)
