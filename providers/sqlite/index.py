"""One user's memories, kept in memory so that they are searched without a database call."""

from __future__ import annotations

from heapq import nlargest
from itertools import islice
from typing import TYPE_CHECKING

from providers.sqlite.dates import date_terms
from providers.sqlite.postings import Postings, rarity
from providers.sqlite.ranking import damping, lift, newest_first, phrase_bonus, recency
from providers.sqlite.records import scored, to_memory
from providers.sqlite.timeline import Timeline

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from providers.base import Memory
    from providers.sqlite.query import Query
    from providers.sqlite.records import Record

Hit = tuple["Record", float]

_SOURCES = 16  # the best by terms alone, which lift their neighbours
_FAR = 0.3  # of the best score
_CLOSE = 12  # so many behind the last place may still come forward by phrase and recency
_PHRASES = 16  # the best, which are looked through for phrases
_REPLACING = 6  # the best, among which a later statement goes before an earlier one
_DATE = 0.7
_DRIFT = 1.25  # lengths that differ so much from those the weights were made with ask for new weights
_CHARACTERS_PER_ROW = 2_000
_SMALL = 200  # memories that are indexed anew within about 10 ms, between two requests

_ABOUT_SCORE = 0.09
_ABOUT_STEP = 0.002
_PERSONAL = ("prefer", "fact", "profile", "identity", "personal", "goal", "project", "instruction", "bio")
"""How categories begin that say who the user is."""


class UserIndex:
    """Holds records by number (`slot`). A changed memory gets a new number; the old one stays empty until the next rebuild."""

    def __init__(self, records: Iterable[Record] = (), usual_length: float | None = None) -> None:
        """`usual_length`, in terms, of all memories that are going to be put in; None = that of `records`."""
        self._fill(list(records), usual_length)

    def _fill(self, records: list[Record], usual_length: float | None = None) -> None:
        lengths = [record.terms.count(" ") + 1 for record in records]
        self._records: list[Record | None] = []
        self._made: dict[str, Memory] = {}
        self._slots: dict[str, int] = {}
        self._damp: list[float] = []
        self._terms: list[str] = []
        self._timeline = Timeline()
        self._postings = Postings(usual_length or (sum(lengths) / len(lengths) if lengths else 1.0))
        self._length = 0
        self._newest = 0
        self.rows = 0
        """What it takes to hold it, in rows of usual size."""
        for record in records:
            self._append(record)

    def __len__(self) -> int:
        return len(self._slots)

    @property
    def outworn(self) -> bool:
        """Whether it should be made anew by whoever keeps it: a small one does that by itself."""
        return len(self._slots) > _SMALL and self._worn()

    def put(self, record: Record) -> None:
        """Adds a memory, or takes over its changes."""
        self._made.pop(record.id, None)
        slot = self._slots.get(record.id)
        old = None if slot is None else self._records[slot]
        if slot is not None and old is not None and (old.terms, old.created) == (record.terms, record.created):
            self._records[slot] = record
            self._newest = max(self._newest, record.updated)
            return
        self.remove(record.id)
        self._append(record)

    def remove(self, memory_id: str) -> None:
        """Forgets a memory, if it is there."""
        self._made.pop(memory_id, None)
        slot = self._slots.pop(memory_id, None)
        if slot is None:
            return
        record = self._records[slot]
        self._records[slot], self._terms[slot] = None, ""
        if record is not None:
            self.rows -= _rows(record)
            self._length -= record.terms.count(" ") + 1

    def search(self, query: Query, limit: int) -> list[Hit]:
        """The best memories and their scores (0..1, 1 = holds all that was asked for), best first."""
        if not self._slots or limit <= 0:
            return []
        self._refresh()
        hits = self._matching(query, limit)
        if query.about_me and len(hits) < limit:
            found = {record.id for record, _ in hits}
            hits += [hit for hit in self._about(limit) if hit[0].id not in found][: limit - len(hits)]
        return hits

    def memories(self, hits: Sequence[Hit], user: str) -> list[Memory]:
        """What was found, as Memories. They are made once and kept, since the same ones are found again and again."""
        found = []
        for record, score in hits:
            memory = self._made.get(record.id)
            if memory is None:
                memory = self._made[record.id] = to_memory(record, user)
            found.append(scored(memory, round(score, 4)))
        return found

    def _matching(self, query: Query, limit: int) -> list[Hit]:
        scores, touched, worth = self._postings.score(query.terms, len(self._slots), len(self._records))
        worth += self._add_dates(scores, touched, query.dates)
        best = self._best(scores, touched, limit)
        if not best:
            return []
        lifted = {slot: scores[slot] for slot in best} | lift(scores, best[:_SOURCES], self._timeline, self._damp)
        ranked = self._refine(lifted, query, worth, limit)
        if not query.dates:  # who names a date wants what was true then
            ranked[:_REPLACING] = self._newest_first(ranked[:_REPLACING], frozenset(query.terms))
        return [(record, min(1.0, lifted[slot] / worth)) for slot in ranked[:limit] if (record := self._records[slot]) is not None]

    def _newest_first(self, ranked: list[int], asked: frozenset[str]) -> list[int]:
        living = [(slot, record.updated) for slot in ranked if (record := self._records[slot]) is not None]
        slots, updated = [slot for slot, _ in living], [time for _, time in living]
        return newest_first(slots, updated, [set(self._terms[slot].split()) for slot in slots], asked)

    def _best(self, scores: list[float], touched: set[int], limit: int) -> list[int]:
        """Numbers of the best memories, best first. What is far behind the best is only looked at where there is nothing else."""
        if not touched:
            return []
        floor = _FAR * max(map(scores.__getitem__, touched))
        ordered = sorted(touched)
        found = [slot for slot in ordered if scores[slot] > floor]
        if len(found) < limit:
            found = ordered
        found.sort(key=scores.__getitem__, reverse=True)
        living = (slot for slot in found if self._records[slot] is not None)
        return list(islice(living, max(_SOURCES, limit)))

    def _add_dates(self, scores: list[float], touched: set[int], dates: Sequence[str]) -> float:
        """Lifts what is of a named date. A question that names nothing else is answered with that date's memories."""
        worth, alone = 0.0, bool(dates) and not touched
        for label in dates:
            slots = self._postings.with_label(label)
            value = _DATE * rarity(len(slots), len(self._slots))
            worth += value if alone else 0.0
            for slot in slots:
                if alone or scores[slot]:
                    scores[slot] += value
                    touched.add(slot)
        return worth

    def _refine(self, scores: dict[int, float], query: Query, worth: float, limit: int) -> list[int]:
        """The best numbers after phrase and recency, best first, and some more; their `scores` are brought up to date."""
        records, newest = self._records, self._newest
        ranked = sorted(scores, key=scores.__getitem__, reverse=True)[: limit + _CLOSE]
        for place, slot in enumerate(ranked):
            record = records[slot]
            if record is None:
                scores[slot] = 0.0
                continue
            scores[slot] *= recency(record.updated, newest)
            if query.pairs and place < _PHRASES:
                scores[slot] += phrase_bonus(self._terms[slot], query.pairs, worth)
        ranked.sort(key=scores.__getitem__, reverse=True)
        return ranked

    def _about(self, limit: int) -> list[Hit]:
        """The newest of what is known about the user as a person, with low scores."""
        personal = [r for r in self._records if r is not None and r.category.casefold().startswith(_PERSONAL)]
        newest = nlargest(limit, personal, key=lambda record: (record.updated, record.seq))
        return [(record, max(0.01, _ABOUT_SCORE - _ABOUT_STEP * place)) for place, record in enumerate(newest)]

    def _append(self, record: Record) -> None:
        slot, own = len(self._records), _own_terms(record)
        terms = own.split()
        self._records.append(record)
        self._slots[record.id] = slot
        self._terms.append(f" {own} ")
        self._damp.append(damping(len(terms)))
        self._postings.put(slot, terms, date_terms(record.created))
        self._timeline.put(slot, record)
        self._length += record.terms.count(" ") + 1
        self._newest = max(self._newest, record.updated)
        self.rows += _rows(record)

    def _refresh(self) -> None:
        if len(self._slots) <= _SMALL and self._worn():
            self._fill([record for record in self._records if record is not None])
        self._timeline.arrange(self._records)

    def _worn(self) -> bool:
        """Whether many numbers are empty, or the usual length is no longer what the weights were made with."""
        usual = max(1.0, self._length / len(self._slots))
        drifted = not 1 / _DRIFT <= usual / self._postings.average <= _DRIFT
        return drifted or len(self._records) > 2 * len(self._slots) + 64


def rank_candidates(found: Sequence[tuple[Record, float]], query: Query, limit: int) -> list[Hit]:
    """Candidates with their BM25 scores, refined by phrase and recency. 1 = the best one, where it holds all terms.

    FTS5 gives nearly nothing for a term that most memories hold, so the share of the terms counts too.
    """
    if not found:
        return []
    best, newest = max(score for _, score in found) or 1.0, max(record.updated for record, _ in found)
    hits: list[Hit] = []
    for record, score in found:
        terms = f" {_own_terms(record)} "
        bonus = phrase_bonus(terms, query.pairs, 1.0) if query.pairs else 0.0
        relevance = 0.7 * score / best + 0.3 * _share(record, query)
        hits.append((record, relevance * recency(record.updated, newest) + bonus))
    hits.sort(key=lambda hit: hit[1], reverse=True)
    share = _share(hits[0][0], query) / hits[0][1]
    return [(record, score * share) for record, score in hits[:limit]]


def _share(record: Record, query: Query) -> float:
    """How many of the asked terms a memory holds, 0..1."""
    held = set(_own_terms(record).split())
    return sum(term in held for term in query.terms) / max(1, len(query.terms))


def _own_terms(record: Record) -> str:
    """A record's terms without the user's number."""
    return record.terms.replace(f"{record.user_id}_", "")


def _rows(record: Record) -> int:
    return 1 + len(record.text) // _CHARACTERS_PER_ROW
