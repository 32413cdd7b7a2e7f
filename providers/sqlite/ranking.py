"""What is added to BM25: neighbours in a conversation, phrases, recency, and that a later fact stands before the one it replaces.

The weights were chosen on the flat part of their curves, on conversations and on long messages; small changes of them change little.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from providers.sqlite.timeline import Timeline

_BESIDE, _NEXT_BUT_ONE = 0.5, 0.3
_CONVERSATION = 0.5
_BEST_OF_CONVERSATION = 3
_SHORT = 40  # terms: a text of this length takes half of what its neighbours give

_PHRASE = 0.15
_RECENCY = 0.1
_HALF_LIFE = 90 * 86_400 * 1_000_000  # microseconds

_ALIKE = 1 / 3  # of the shorter one's terms, which two statements about the same thing have in common
_STATEMENT = 16  # terms: a longer text is a story, which replaces nothing


def damping(length: int) -> float:
    """How much a memory of so many terms takes from its neighbours, 0..1: a long text speaks for itself."""
    return _SHORT / (_SHORT + length)


def lift(scores: Sequence[float], sources: Sequence[int], timeline: Timeline, damp: Sequence[float]) -> dict[int, float]:
    """New scores of the sources and of what stands beside them in their conversations. `sources` are the best by `scores`, best first.

    A memory takes from its best neighbour only, so that one without any asked term stays well behind those that hold some.
    """
    gains: dict[int, float] = {}
    for slot in sources:
        for steps in (timeline.before, timeline.after):
            beside = steps[slot]
            if beside < 0:
                continue
            gains[beside] = max(gains.get(beside, 0.0), _BESIDE * scores[slot])
            further = steps[beside]
            if further >= 0:
                gains[further] = max(gains.get(further, 0.0), _NEXT_BUT_ONE * scores[slot])
    shares = _conversations(scores, sources, timeline.conversation)
    lifted: dict[int, float] = {}
    for slot in {*sources, *gains}:
        own = scores[slot]
        share = shares.get(timeline.conversation[slot], 0.0) if own else 0.0
        lifted[slot] = own + damp[slot] * (gains.get(slot, 0.0) + share)
    return lifted


def _conversations(scores: Sequence[float], sources: Sequence[int], conversation: Sequence[int]) -> dict[int, float]:
    """What a conversation gives to those of its memories that hold asked terms: a share of its best ones' scores."""
    shares: dict[int, float] = {}
    counts: dict[int, int] = {}
    for slot in sources:
        number = conversation[slot]
        counts[number] = counts.get(number, 0) + 1
        if counts[number] <= _BEST_OF_CONVERSATION:
            shares[number] = shares.get(number, 0.0) + scores[slot] * _CONVERSATION / _BEST_OF_CONVERSATION
    return shares


def phrase_bonus(terms: str, pairs: Sequence[str], worth: float) -> float:
    """What a memory gains for pairs of terms as the question has them. `terms` have spaces around; a whole match is worth `worth`."""
    found = 0
    for pair in pairs:
        if pair in terms:
            found += 1
    return _PHRASE * worth * found / len(pairs)


def recency(updated: int, newest: int) -> float:
    """A factor from 1 to 1.1: full for the user's newest memory, half of the gain at the half-life. No clock is read."""
    return 1 + _RECENCY / (1 + (newest - updated) / _HALF_LIFE)


def newest_first(ranked: Sequence[int], updated: Sequence[int], terms: Sequence[set[str]], asked: frozenset[str]) -> list[int]:
    """Among statements about the same thing, the later one takes the better place. `updated` and `terms` belong to `ranked`."""
    found = list(zip(ranked, updated, terms, strict=True))
    for first in range(len(found)):
        for second in range(first + 1, len(found)):
            if found[second][1] > found[first][1] and _replaces(found[second][2], found[first][2], asked):
                found[first], found[second] = found[second], found[first]
    return [slot for slot, _, _ in found]


def _replaces(later: set[str], earlier: set[str], asked: frozenset[str]) -> bool:
    """Both are single statements, alike, and the later one answers all that the earlier one answers of the question."""
    answered = earlier & asked
    if not answered or not answered <= later:
        return False
    shorter, longer = sorted((len(later), len(earlier)))
    return longer <= _STATEMENT and len(later & earlier) >= _ALIKE * shorter
