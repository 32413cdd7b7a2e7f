from dataclasses import dataclass, field

import pytest
from prometheus_client import CollectorRegistry

from gateway.cache.flight import Flights
from gateway.cache.memory import MemoryStore
from gateway.cache.responses import ResponseCache
from gateway.cache.store import StoreConfig
from gateway.context.block import BlockWriter
from gateway.context.recall import Recall, RecallLimits
from gateway.context.tokens import TokenCounter
from gateway.delivery import Delivery
from gateway.egress.guard import Guard
from gateway.egress.policy import Policy
from gateway.egress.scan import Rules, judge
from gateway.egress.verdicts import Verdicts
from gateway.pipeline import Pipeline
from gateway.routing.breaker import Breakers
from gateway.routing.catalog import Catalog
from gateway.routing.router import Router
from gateway.routing.routes import Route, Routes, RouteTarget
from gateway.telemetry import Metrics
from tests.fakes.provider import DictProvider

COUNTER = TokenCounter()


class ListOutbox:
    """Keeps exchanges in a list; `problem` is raised instead."""

    def __init__(self):
        self.exchanges = []
        self.problem = None

    async def append(self, exchange):
        if self.problem:
            raise self.problem
        self.exchanges.append(exchange)
        return True


@dataclass
class Scene:
    """A pipeline with everything around it, for tests to look into."""

    upstreams: dict
    pipeline: Pipeline
    provider: DictProvider
    outbox: ListOutbox
    guard: Guard
    policy: Policy
    catalog: Catalog
    rules: Rules = field(repr=False)
    metrics: Metrics = field(repr=False)

    def figure(self, name, **labels):
        """What a metric says, 0 for one that was never touched."""
        return self.metrics.registry.get_sample_value(name, labels) or 0


@pytest.fixture
async def scene():
    """Makes a scene: upstreams, and routes as glob -> names of upstreams."""
    made = []

    def make(*upstreams, routes=None, cache="off", policy=None, provider=None, limit=500):
        policy = policy or Policy(ner="off")
        rules = Rules(policy)

        async def classify(texts):
            return [judge(text, rules.scan(text), policy) for text in texts]

        named = {upstream.config.name: upstream for upstream in upstreams}
        paths = routes or {"*": [upstream.config.name for upstream in upstreams]}
        table = Routes(Route(glob, tuple(RouteTarget(name) for name in names)) for glob, names in paths.items())
        metrics = Metrics(CollectorRegistry())
        writer = BlockWriter(COUNTER)
        guard = Guard(policy, rules, Verdicts(policy, rules, classify), writer)
        provider = provider or DictProvider()
        outbox = ListOutbox()
        catalog = Catalog(named, {}, aliases=table.aliases)
        breakers = Breakers({})
        pipeline = Pipeline(
            recall=Recall(provider, writer, RecallLimits(max_tokens=limit), metrics, None),
            router=Router(named, table, catalog, breakers),
            guard=guard,
            cache=ResponseCache(MemoryStore(StoreConfig()), Flights(), cache),
            breakers=breakers,
            delivery=Delivery(outbox, metrics),
            metrics=metrics,
        )
        made.append(catalog)
        return Scene(named, pipeline, provider, outbox, guard, policy, catalog, rules, metrics)

    yield make
    for catalog in made:
        await catalog.close()
