"""What one upstream offers: the models that config declares for it, or those that it lists when it is asked."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import structlog

from gateway.routing.globs import Globs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from gateway.upstreams.base import ModelInfo, Upstream

log = structlog.get_logger()

_DEFAULT_TAG = ":latest"
"""Ollama lists `llama3:latest` and also answers to `llama3`."""


@dataclass(frozen=True, slots=True)
class Freshness:
    """When upstreams are asked for their models. Seconds."""

    ttl_s: float = 60.0
    """A list older than this is renewed in the background."""
    wait_s: float = 5.0
    """The longest that a look-up waits for answers."""
    again_s: float = 2.0
    """An unknown model does not make an upstream be asked again sooner than this."""
    ask_s: float = 15.0
    """An upstream that takes longer to list its models has failed to."""
    clock: Callable[[], float] = time.monotonic


class Offer:
    """The models of one upstream. An upstream that fails keeps its last list; one with plain names declared is never asked."""

    def __init__(self, upstream: Upstream, declared: Iterable[str], renamed: Iterable[str], freshness: Freshness) -> None:
        self.name = upstream.config.name
        self.failed = False
        """The last time that it was asked it did not answer."""
        self._upstream = upstream
        self._declared = Globs(declared)
        self._exact = frozenset((*self._declared.names, *renamed))
        self._freshness = freshness
        self._asks = self._declared.wild or not self._declared.names
        self._listed: dict[str, Mapping[str, object]] = {}
        self._asked_at: float | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def settled(self) -> bool:
        """Whether its models are known as well as they can be: it was asked once, or need not be."""
        return not self._asks or self._asked_at is not None

    @property
    def task(self) -> asyncio.Task[None] | None:
        """The asking that is under way."""
        return self._task

    def names(self, model: str) -> bool:
        """Whether this very name is declared or listed here, globs aside."""
        return model in self._exact or model in self._listed

    def serves(self, model: str) -> bool:
        """Whether requests for this model may go here."""
        return self.names(model) or self._declared.matches(model) or model + _DEFAULT_TAG in self._listed

    def entries(self) -> list[tuple[str, Mapping[str, object]]]:
        """Every model known by name with the upstream's own object for it, sorted by name."""
        named: dict[str, Mapping[str, object]] = {name: {} for name in self._exact}
        return sorted((named | self._listed).items(), key=lambda entry: entry[0])

    def refresh(self, older_than_s: float) -> None:
        """Asks the upstream in the background, unless that is under way, needless or less than `older_than_s` ago."""
        if not self._asks or self._task is not None:
            return
        if self._asked_at is None or self._freshness.clock() - self._asked_at >= older_than_s:
            self._task = asyncio.get_running_loop().create_task(self._ask())

    async def _ask(self) -> None:
        try:
            async with asyncio.timeout(self._freshness.ask_s):
                self._take(await self._upstream.models())
        except Exception as error:  # whatever one upstream does, the others go on
            self._lose(error)
        finally:
            self._asked_at = self._freshness.clock()
            self._task = None

    def _take(self, models: Iterable[ModelInfo]) -> None:
        kept = (model for model in models if not self._declared.wild or self._declared.matches(model.id))
        self._listed = {model.id: model.raw for model in kept}
        self.failed = False

    def _lose(self, error: Exception) -> None:
        if not self.failed:
            log.warning("an upstream did not list its models", upstream=self.name, error=type(error).__name__)
        self.failed = True
