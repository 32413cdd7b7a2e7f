"""Prometheus metrics. Names follow OpenTelemetry's conventions for generative AI where those have one, with `_` for `.`.

Labels come from the configuration and from closed lists: a user, a key, a path or a model as a client wrote it never becomes one.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.gc_collector import GCCollector
from prometheus_client.process_collector import ProcessCollector

OVERHEAD_BUCKETS = (0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
RECALL_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 1.5, 3.0)
DURATION_BUCKETS = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92)
"""As the conventions ask for `gen_ai.client.operation.duration`, seconds."""
TOKEN_BUCKETS = tuple(float(4**power) for power in range(14))
"""As the conventions ask for `gen_ai.client.token.usage`, tokens."""

OPERATIONS = {"/chat/completions": "chat", "/completions": "text_completion", "/embeddings": "embeddings"}
"""Our endpoints -> `gen_ai.operation.name`."""

NONE = "none"
"""The label where there is nothing to name (no upstream was reached, no error)."""

Metric = TypeVar("Metric", Counter, Histogram, Gauge)


class _Family(Generic[Metric]):
    """A metric whose children are looked up in a dict: cheaper than `labels()` on the hot path."""

    __slots__ = ("_children", "_metric")

    def __init__(self, metric: Metric) -> None:
        self._metric: Metric = metric
        self._children: dict[tuple[str | int, ...], Metric] = {}

    def of(self, *labels: str | int) -> Metric:
        """The child with these label values, in the order in which the metric names them."""
        child = self._children.get(labels)
        if child is None:
            child = self._children[labels] = self._metric.labels(*labels)
        return child


def new_registry() -> CollectorRegistry:
    """A registry of its own (two gateways may live in one process), with memory, CPU and open files of the process."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    GCCollector(registry=registry)
    return registry


class Metrics:
    """The gateway's figures, kept in `registry`. Every method is cheap enough for the hot path; any thread may call it."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.registry = registry
        self._recall_seconds = Histogram("eluvix_recall_seconds", "Time taken by recall.", registry=registry, buckets=RECALL_BUCKETS)
        self._oldest = Gauge("eluvix_outbox_oldest_seconds", "Age of the oldest turn that waits.", registry=registry)
        self._add_request_metrics()
        self._add_memory_metrics()

    def _add_request_metrics(self) -> None:
        self._requests = self._counter("eluvix_requests", "Model requests.", "endpoint", "upstream", "status")
        self._overhead = self._histogram(
            "eluvix_overhead_seconds", "Time that the gateway itself adds to a request.", OVERHEAD_BUCKETS, "endpoint"
        )
        self._duration = self._histogram(
            "gen_ai_client_operation_duration_seconds",
            "Time from a request's arrival to the end of its answer.",
            DURATION_BUCKETS,
            *("gen_ai_operation_name", "gen_ai_provider_name", "error_type"),
        )
        self._tokens = self._histogram(
            "gen_ai_client_token_usage",
            "Tokens of one request as its upstream reported them.",
            TOKEN_BUCKETS,
            *("gen_ai_provider_name", "gen_ai_token_type"),
        )
        self._upstream_errors = self._counter("eluvix_upstream_errors", "Attempts that an upstream failed.", "upstream", "kind")

    def _add_memory_metrics(self) -> None:
        self._recalls = self._counter("eluvix_recalls", "Recalls by outcome.", "status")
        self._guard_actions = self._counter("eluvix_guard_actions", "What the egress guard did.", "action")
        self._cache = self._counter("eluvix_cache", "Cache look-ups by outcome.", "outcome")
        self._commits = self._counter("eluvix_commits", "Turns by what became of them.", "outcome")
        self._outbox = _Family(Gauge("eluvix_outbox_turns", "Turns in the outbox by state.", ["state"], registry=self.registry))

    def _counter(self, name: str, text: str, *labels: str) -> _Family[Counter]:
        return _Family(Counter(name, text, labels, registry=self.registry))

    def _histogram(self, name: str, text: str, buckets: tuple[float, ...], *labels: str) -> _Family[Histogram]:
        return _Family(Histogram(name, text, labels, registry=self.registry, buckets=buckets))

    def request(self, endpoint: str, upstream: str, status: int, overhead_s: float, duration_s: float) -> None:
        """A model request that an upstream answered has ended. `endpoint` is the path below /v1; times in seconds."""
        self._overhead.of(endpoint).observe(overhead_s)
        self._ended(endpoint, upstream, status, duration_s)

    def refused(self, endpoint: str, status: int, duration_s: float) -> None:
        """A model request has ended with an error of the gateway's own: no upstream answered it."""
        self._ended(endpoint, NONE, status, duration_s)

    def _ended(self, endpoint: str, upstream: str, status: int, duration_s: float) -> None:
        self._requests.of(endpoint, upstream, status).inc()
        error = str(status) if status >= 400 else NONE
        self._duration.of(OPERATIONS.get(endpoint, "other"), upstream, error).observe(duration_s)

    def recall(self, status: str, seconds: float) -> None:
        """A recall has ended: `hit`, `miss` or `error`, or `off` where none was made (then no time is taken)."""
        self._recalls.of(status).inc()
        if status != "off":
            self._recall_seconds.observe(seconds)

    def guard(self, filtered: int, stripped: bool) -> None:
        """The guard has seen a block on its way to a cloud: how many memories it masked or removed, whether it took all of it."""
        if filtered:
            self._guard_actions.of("filtered").inc(filtered)
        if stripped:
            self._guard_actions.of("stripped").inc()
        if not filtered and not stripped:
            self._guard_actions.of("passed").inc()

    def cache(self, outcome: str) -> None:
        """A cache look-up: `hit`, `miss` or `bypass`."""
        self._cache.of(outcome).inc()

    def upstream_error(self, upstream: str, kind: str) -> None:
        """One attempt failed; `kind` is an error code such as `upstream_timeout`."""
        self._upstream_errors.of(upstream, kind).inc()

    def commit(self, outcome: str) -> None:
        """What became of a turn: `queued`, `known`, `committed`, `withheld`, `retried`, `dead`, `failed`."""
        self._commits.of(outcome).inc()

    def tokens(self, upstream: str, kind: str, n: int) -> None:
        """`n` tokens of `kind` (`input` or `output`), as reported by the upstream for one request."""
        self._tokens.of(upstream, kind).observe(n)

    def outbox(self, pending: int, dead: int, oldest_s: float) -> None:
        """How the outbox stands: turns that wait, turns given up, and the age of the oldest that waits, in seconds."""
        self._outbox.of("pending").set(pending)
        self._outbox.of("dead").set(dead)
        self._oldest.set(oldest_s)
