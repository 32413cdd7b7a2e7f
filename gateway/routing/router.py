"""The router: from a model name to a plan."""

from __future__ import annotations

from difflib import get_close_matches
from types import MappingProxyType
from typing import TYPE_CHECKING

from gateway.errors import ConfigError, NotFound
from gateway.routing.plan import Plan, Target
from gateway.routing.routes import RouteTarget
from gateway.upstreams import is_local

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gateway.routing.breaker import Breakers
    from gateway.routing.catalog import Catalog
    from gateway.routing.routes import Routes
    from gateway.upstreams.base import Upstream

_NONE: Mapping[str, Mapping[str, str]] = MappingProxyType({})
_SHOWN = 100
"""Characters of an unknown model's name that the error repeats."""


class Router:
    """Plans requests. A matching route comes first, then an address `upstream/model`, then whoever serves the model.

    `rewrites`: upstream -> {model name as asked: model name there}. Raises ConfigError when a route leads nowhere.
    """

    def __init__(
        self,
        upstreams: Mapping[str, Upstream],
        routes: Routes,
        catalog: Catalog,
        breakers: Breakers,
        rewrites: Mapping[str, Mapping[str, str]] = _NONE,
    ) -> None:
        self._upstreams = upstreams
        self._routes = routes
        self._catalog = catalog
        self._breakers = breakers
        self._rewrites = rewrites
        _check(routes, upstreams)

    def plan(self, model: str) -> Plan | None:
        """The plan for a model that is known already, else None. Takes the one try of a half-open breaker: plan to send."""
        route = self._routes.match(model)
        if route is not None:
            return self._ordered(route.targets, model, route.pattern)
        address = self._catalog.address(model)
        if address is not None:
            return self._addressed(*address) if self._catalog.settled else None
        owner = self._catalog.owner(model)
        return None if owner is None else self._ordered((RouteTarget(owner),), model, owner)

    async def resolve(self, model: str) -> Plan:
        """As `plan`, but asks the upstreams about a model that is not known yet. Raises NotFound when nobody serves it."""
        plan = self.plan(model)
        if plan is not None:
            return plan
        owner = await self._catalog.locate(model)
        address = self._catalog.address(model)
        if address is not None:
            return self._addressed(*address)
        if owner is None:
            raise self._not_found(model)
        return self._ordered((RouteTarget(owner),), model, owner)

    def target(self, upstream: str, model: str = "") -> Target:
        """An upstream by its name, for a model by its name there (or for none). Raises NotFound."""
        if upstream not in self._upstreams:
            message = f"There is no upstream {upstream[:_SHOWN]!r}. Configured: {', '.join(self._upstreams)}."
            raise NotFound(message, code="upstream_not_found", param="upstream")
        return self._target(RouteTarget(upstream, model or None), "")

    def _addressed(self, upstream: str, model: str) -> Plan:
        return self._ordered((RouteTarget(upstream),), model, upstream)

    def _ordered(self, targets: Iterable[RouteTarget], model: str, route: str) -> Plan:
        """Upstreams with an open breaker go to the end, and stay in the plan: a last try is better than none."""
        ordered = sorted(targets, key=lambda target: not self._breakers.available(target.upstream))
        self._breakers.claim(ordered[0].upstream)
        return Plan(tuple(self._target(target, model) for target in ordered), route)

    def _target(self, target: RouteTarget, model: str) -> Target:
        upstream = self._upstreams[target.upstream]
        there = target.model or self._name_at(target.upstream, model)
        return Target(upstream, there, is_local(upstream.config, there))

    def _name_at(self, upstream: str, model: str) -> str:
        rewrite = self._rewrites.get(upstream, {})
        own = model.removeprefix(f"{upstream}/")
        if own and own != model and model not in rewrite and not self._catalog.names(model, upstream):
            model = own  # a route such as `ollama/*` keeps the address form working
        return rewrite.get(model, model)

    def _not_found(self, model: str) -> NotFound:
        shown = model[:_SHOWN]
        known = self._catalog.known()
        parts = [f"No upstream offers the model {shown!r}."]
        if close := get_close_matches(shown, known, n=3, cutoff=0.6):
            parts.append(f"Did you mean {' or '.join(map(repr, close))}?")
        if silent := self._catalog.silent:
            parts.append(f"Not answering when asked for models: {', '.join(silent)}; is it running?")
        parts.append(_next_step(bool(self._upstreams)))
        return NotFound(" ".join(parts), code="model_not_found", param="model")


def _next_step(configured: bool) -> str:
    if not configured:
        return "No upstream is configured: add one under `upstreams` in config.yaml, or start a local model server and restart."
    return "GET /v1/models lists what there is; a route or `upstreams.<name>.models` in config.yaml adds a name."


def _check(routes: Routes, upstreams: Mapping[str, Upstream]) -> None:
    for route in routes.all:
        for target in route.targets:
            if target.upstream not in upstreams:
                close = get_close_matches(target.upstream, upstreams, n=1)
                hint = f"did you mean {close[0]!r}?" if close else "add it under `upstreams`."
                message = f"The route for {route.pattern!r} leads to the upstream {target.upstream!r}, which is not configured: {hint}"
                raise ConfigError(message)
