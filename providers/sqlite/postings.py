"""Which of a user's memories hold a term, and how much it says about each: BM25, with the weights worked out on writing."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

K1, B = 1.2, 0.4
"""BM25: how soon repeated terms stop counting, and how much a long text is marked down. Memories are short, so B is low."""

_KIN = 0.4
"""What a term is worth that only begins as the asked one does (allergy, allergic; Einstellung, Einstellungen)."""
_KIN_LETTERS = 5
_MOST_KIN = 16
_SCALE = 255 / (K1 + 1)
_NONE: tuple[Sequence[int], Sequence[int]] = ((), ())


class Postings:
    """Term -> numbers of memories, and beside each number the term's weight in that memory as a byte."""

    def __init__(self, average: float) -> None:
        """`average` is the usual length of a memory in terms."""
        self.average = max(1.0, average)
        self._lists: dict[str, tuple[array[int], array[int]]] = {}
        self._kin: dict[str, list[str]] = {}

    def put(self, slot: int, terms: Sequence[str], labels: Sequence[str]) -> None:
        """Adds a memory's terms, and labels: terms that are not part of its text."""
        norm = K1 * (1 - B + B * len(terms) / self.average)
        for term, times in Counter(terms).items():
            self._put(term, slot, times * (K1 + 1) / (times + norm))
        for label in labels:
            self._put(label, slot, 1.0)

    def score(self, terms: Sequence[str], total: int, slots: int) -> tuple[list[float], set[int], float]:
        """For each memory number below `slots` the sum of what the terms are worth in it; the numbers that hold any of them; and what all
        terms are worth, once each.

        `total` is how many memories there are.
        """
        scores = [0.0] * slots
        touched: set[int] = set()
        whole = 0.0
        for term in terms:
            numbers, weights = self._lists.get(term, _NONE)
            worth = rarity(len(numbers), total)
            whole += worth
            touched.update(numbers)
            _add(scores, numbers, weights, worth / _SCALE)
            for kin in self._kin_of(term):
                numbers, weights = self._lists[kin]
                touched.update(numbers)
                _add(scores, numbers, weights, _KIN * min(worth, rarity(len(numbers), total)) / _SCALE)
        return scores, touched, whole

    def with_label(self, label: str) -> Sequence[int]:
        """Numbers of the memories that carry a label."""
        return self._lists.get(label, _NONE)[0]

    def _kin_of(self, term: str) -> Sequence[str]:
        if len(term) < _KIN_LETTERS:
            return ()
        return [other for other in self._kin.get(term[:_KIN_LETTERS], ())[:_MOST_KIN] if other != term]

    def _put(self, term: str, slot: int, weight: float) -> None:
        entry = self._lists.get(term)
        if entry is None:
            entry = self._lists[term] = (array("I"), array("B"))
            if len(term) >= _KIN_LETTERS and not term.startswith("@"):
                self._kin.setdefault(term[:_KIN_LETTERS], []).append(term)
        entry[0].append(slot)
        entry[1].append(round(weight * _SCALE))


def rarity(found: int, total: int) -> float:
    """What a term is worth that stands in `found` of `total` memories."""
    return math.log1p((max(total - found, 0) + 0.5) / (found + 0.5))


def _add(scores: list[float], numbers: Sequence[int], weights: Sequence[int], worth: float) -> None:
    for slot, weight in zip(numbers, weights, strict=True):
        scores[slot] += worth * weight
