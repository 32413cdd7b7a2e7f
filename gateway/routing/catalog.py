"""The catalog: which upstream offers which model, and the list behind `/v1/models`."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gateway.routing.offer import Freshness, Offer

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from gateway.upstreams.base import Upstream

_NONE: Mapping[str, Collection[str]] = MappingProxyType({})
_ALWAYS = 0.0


class Catalog:
    """Who serves a model. Every upstream is asked on its own, in the background; the order of `upstreams` decides between them.

    `declared`: upstream -> globs or names from config; with any, only those models are looked for there, and without a glob
    among them it is never asked. `renamed`: upstream -> the names that its rewrites understand. `aliases`: model names that
    routes spell out, for the list only. Use it on one event loop, and `close` it.
    """

    def __init__(
        self,
        upstreams: Mapping[str, Upstream],
        declared: Mapping[str, Sequence[str]],
        freshness: Freshness | None = None,
        *,
        aliases: Sequence[str] = (),
        renamed: Mapping[str, Collection[str]] = _NONE,
    ) -> None:
        self._freshness = freshness or Freshness()
        self._aliases = tuple(aliases)
        self._offers = {
            name: Offer(upstream, declared.get(name, ()), renamed.get(name, ()), self._freshness) for name, upstream in upstreams.items()
        }

    @property
    def settled(self) -> bool:
        """Whether every upstream was asked at least once."""
        return all(offer.settled for offer in self._offers.values())

    @property
    def silent(self) -> tuple[str, ...]:
        """The upstreams that did not answer when they were last asked for their models."""
        return tuple(name for name, offer in self._offers.items() if offer.failed)

    def refresh(self) -> None:
        """Asks every upstream in the background: called at the start, so that the first request need not wait."""
        self._refresh(_ALWAYS)

    def names(self, model: str, upstream: str | None = None) -> bool:
        """Whether the whole name is a model, at this upstream or (None) at any: declared without a glob, or listed."""
        offers = self._offers.values() if upstream is None else (self._offers[upstream],)
        return any(offer.names(model) for offer in offers)

    def known(self) -> list[str]:
        """Every model and alias known by name, without repetition, in the order of `all`."""
        return [str(entry["id"]) for entry in self._entries()]

    def address(self, model: str) -> tuple[str, str] | None:
        """`upstream/model` as (upstream, model there), or None where the whole name is itself a model or names no upstream."""
        upstream, _, rest = model.partition("/")
        if not rest or upstream not in self._offers or self.names(model):
            return None
        return upstream, rest

    def owner(self, model: str) -> str | None:
        """The first upstream that serves this model. None: nobody does, or an earlier one in the order was never asked yet."""
        self._refresh(self._freshness.ttl_s)
        for name, offer in self._offers.items():
            if offer.serves(model):
                return name
            if not offer.settled:
                return None
        return None

    async def locate(self, model: str) -> str | None:
        """As `owner`, but a model that is not known yet waits for one round of asking, at most `wait_s`."""
        if not self._decided(model):
            self._refresh(self._freshness.again_s)
            await self._wait(lambda: self._decided(model))
        return next((name for name, offer in self._offers.items() if offer.serves(model)), None)

    async def all(self) -> list[dict[str, Any]]:
        """Every model and alias in the shape of OpenAI's list, each id once; further fields are the upstream's own.

        The order is that of the upstreams, then by name; aliases that are no model come last.
        """
        self._refresh(self._freshness.ttl_s)
        await self._wait(lambda: self.settled)
        return list(self._entries())

    async def close(self) -> None:
        """Stops asking."""
        tasks = self._tasks()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _decided(self, model: str) -> bool:
        if self.address(model) is not None:
            return self.settled  # until then the whole name may still turn out to be a model
        return self.owner(model) is not None

    def _refresh(self, older_than_s: float) -> None:
        for offer in self._offers.values():
            offer.refresh(older_than_s)

    async def _wait(self, done: Callable[[], bool]) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(self._freshness.wait_s):
                while not done() and (tasks := self._tasks()):
                    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)

    def _tasks(self) -> list[asyncio.Task[None]]:
        return [offer.task for offer in self._offers.values() if offer.task is not None]

    def _entries(self) -> Iterator[dict[str, Any]]:
        seen: set[str] = set()
        for name, offer in self._offers.items():
            for model, raw in offer.entries():
                if model not in seen:
                    seen.add(model)
                    yield _entry(model, name, raw)
        yield from (_entry(alias, "eluvix", {}) for alias in self._aliases if alias not in seen)


def _entry(model: str, owner: str, raw: Mapping[str, object]) -> dict[str, Any]:
    created, owned_by = raw.get("created"), raw.get("owned_by")
    entry: dict[str, Any] = {
        "id": model,
        "object": "model",
        "created": created if type(created) is int else 0,
        "owned_by": owned_by if isinstance(owned_by, str) and owned_by else owner,
    }
    return entry | {field: value for field, value in raw.items() if field not in entry}
