"""A plan: the upstreams that a request is tried at, in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gateway.upstreams.base import Upstream


@dataclass(frozen=True, slots=True)
class Target:
    """One upstream to try. `model` is the name there; `local` decides whether the guard lets everything through."""

    upstream: Upstream
    model: str
    local: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """At least one target. `route` is the pattern of the route taken, or the upstream's name where none was needed."""

    targets: tuple[Target, ...]
    route: str
