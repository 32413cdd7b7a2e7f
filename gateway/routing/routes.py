"""Routes: which upstreams serve a model name, in the order in which they are tried."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import translate
from typing import TYPE_CHECKING

from gateway.routing.globs import is_glob

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class RouteTarget:
    """An upstream and the model's name there. None = as the client named it, through the upstream's rewrites."""

    upstream: str
    model: str | None = None


@dataclass(frozen=True, slots=True)
class Route:
    """A glob over model names and where it leads. Without wildcards and with a target model it is an alias."""

    pattern: str
    targets: tuple[RouteTarget, ...]


class Routes:
    """All routes in their configured order: the first that matches wins.

    Exact names are found in a dict; of the globs only those that stand before the exact name are tried.
    """

    __slots__ = ("_exact", "_globs", "_routes")

    def __init__(self, routes: Iterable[Route] = ()) -> None:
        self._routes = tuple(routes)
        self._exact: dict[str, int] = {}
        self._globs: list[tuple[int, re.Pattern[str]]] = []
        for position, route in enumerate(self._routes):
            if is_glob(route.pattern):
                self._globs.append((position, re.compile(translate(route.pattern))))
            else:
                self._exact.setdefault(route.pattern, position)

    @property
    def all(self) -> tuple[Route, ...]:
        """Every route, as configured."""
        return self._routes

    @property
    def aliases(self) -> tuple[str, ...]:
        """The model names that routes spell out, in order: what `/v1/models` shows of them."""
        return tuple(self._exact)

    def match(self, model: str) -> Route | None:
        """The first route for this model name, or None."""
        exact = self._exact.get(model, len(self._routes))
        for position, expression in self._globs:
            if position > exact:
                break
            if expression.match(model):
                return self._routes[position]
        return self._routes[exact] if exact < len(self._routes) else None
