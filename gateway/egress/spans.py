"""Where something was found in a text, and how overlapping finds become one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` up to and without `end` are of the kind `entity` (`EMAIL_ADDRESS`, ...); `score` is 0..1."""

    start: int
    end: int
    entity: str
    score: float


def by_score(span: Span) -> float:
    """The rank used where no policy says which entity counts more."""
    return span.score


def merge(spans: Iterable[Span], rank: Callable[[Span], Any] = by_score) -> tuple[Span, ...]:
    """Sorted spans without overlaps. What overlaps becomes one span over all of it, named after the highest `rank`."""
    merged: list[Span] = []
    for span in sorted(spans, key=lambda found: (found.start, found.end)):
        if merged and span.start < merged[-1].end:
            merged[-1] = _union(merged[-1], span, rank)
        elif span.start < span.end:
            merged.append(span)
    return tuple(merged)


def _union(first: Span, second: Span, rank: Callable[[Span], Any]) -> Span:
    winner = second if rank(second) > rank(first) else first
    return Span(first.start, max(first.end, second.end), winner.entity, winner.score)
