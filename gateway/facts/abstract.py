"""Levels of a memory without a model: L0, its key clause and entities; L1, its most informative sentences in their order."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

from gateway.facts.detect import content_words, language_of
from gateway.facts.language import plain
from gateway.facts.prose import clean, without_bullet
from gateway.facts.sentences import clauses, sentences
from gateway.facts.tokens import estimate, within

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gateway.facts.language import Language

L0_TOKENS: Final = (10, 30)
L1_TOKENS: Final = (50, 150)
"""(fewest, most) tokens of a level."""
_L0_AIM: Final = 26
_L1_AIM: Final = 135
"""Levels stay below their limit, since tokens are estimated."""
_CANDIDATES: Final = 400
"""Sentences of a text that are weighed."""
_LONGEST: Final = 2_000
"""Characters of a sentence that are weighed."""
_LONGEST_KEY: Final = 600
"""Characters of a sentence in which its key clause is looked for."""

_ENTITY = re.compile(
    r"[^\W\d_][\w.+#-]*\d[\w.+#-]*|\d[\d.,:/-]*\d?(?: ?(?:%|\u20ac|\$|\u00a3|EUR|USD|GB|MB|km|kg|am|pm))?|"
    r"[A-Z\u00c0-\u00de][\w&+#'-]*(?: [A-Z\u00c0-\u00de][\w&+#'-]*){0,3}"
)
_PRONOUN = re.compile(r"I(?!\w)|I'|(?:He|She|It|We|You|They|My|The|This|That)(?!\w)")
_WORD = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True, slots=True)
class _Weighed:
    """A sentence of the text, with its place and its weight."""

    place: int
    text: str
    weight: float


def levels_of(text: str) -> tuple[str | None, str | None]:
    """L0 and L1 of a text; None for a level that the text itself is no longer than. Never raises."""
    cleaned = clean(text).strip()
    size = estimate(cleaned)
    if size <= L0_TOKENS[1]:
        return None, None
    language = language_of(cleaned)
    weighed = _weigh(list(islice(_sentences(cleaned), _CANDIDATES)), language)
    if not weighed:
        return within(cleaned, _L0_AIM), within(cleaned, _L1_AIM) if size > L1_TOKENS[1] else None
    return _l0(weighed, language), _l1(weighed) if size > L1_TOKENS[1] else None


def _l0(weighed: list[_Weighed], language: Language) -> str:
    """The key clause of the weightiest sentence, and entities of the others as far as there is room."""
    best, *others = sorted(weighed, key=lambda sentence: -sentence.weight)
    chosen = _key_clause(best.text, language)
    while others and estimate(chosen) < L0_TOKENS[0]:
        chosen = f"{chosen} {within(others.pop(0).text, _L0_AIM - estimate(chosen))}"
    known = chosen.casefold()
    parts = [chosen.rstrip(" .")]
    for entity in _entities(sentence.text for sentence in weighed):
        if entity.casefold() not in known and estimate("; ".join([*parts, entity])) <= _L0_AIM:
            parts.append(entity)
            known += " " + entity.casefold()
    return "; ".join(parts) if len(parts) > 1 else chosen


def _key_clause(sentence: str, language: Language) -> str:
    """The sentence, or as many of its clauses in a row as there is room for, from the first one that tells something of the user."""
    if estimate(sentence) <= _L0_AIM:
        return sentence
    sentence = sentence[:_LONGEST_KEY]
    text = plain(sentence)
    spans = clauses(text, language)
    first = next((start for start, end in spans if language.statement.match(text[start:end].lstrip())), 0)
    ends = [end for _, end in spans if end > first and L0_TOKENS[0] <= estimate(sentence[first:end]) <= _L0_AIM]
    return sentence[first : ends[-1]].strip() if ends else within(sentence[first:].strip(), _L0_AIM)


def _l1(weighed: list[_Weighed]) -> str:
    """The weightiest sentences, in their order, as many as there is room for."""
    chosen: list[_Weighed] = []
    left = _L1_AIM
    for sentence in sorted(weighed, key=lambda one: -one.weight):
        size = estimate(sentence.text)
        if size <= left:
            chosen.append(sentence)
            left -= size
    if _L1_AIM - left < L1_TOKENS[0]:
        chosen = [*chosen, _shortened(next(one for one in weighed if one not in chosen), left)] if len(chosen) < len(weighed) else chosen
    return " ".join(one.text for one in sorted(chosen, key=lambda one: one.place))


def _shortened(sentence: _Weighed, limit: int) -> _Weighed:
    return _Weighed(sentence.place, within(sentence.text, limit), sentence.weight)


def _weigh(found: list[str], language: Language) -> list[_Weighed]:
    """Sentences weigh more when they come early, fit a rule, name things, and speak of what the text speaks of."""
    topic = Counter(word.casefold() for sentence in found for word in _WORD.findall(sentence) if word.casefold() not in language.common)
    return [_Weighed(place, text, _weight(place, text, topic, language)) for place, text in enumerate(found)]


def _weight(place: int, text: str, topic: Counter[str], language: Language) -> float:
    words = {word.casefold() for word in _WORD.findall(text[:_LONGEST])}
    central = sum(min(topic[word] - 1, 3) for word in words) / (1 + len(words))
    named = min(sum(1 for _ in islice(_ENTITY.finditer(text[:_LONGEST]), 4)), 3)
    told = language.category(plain(text[:_LONGEST])) is not None
    return 2.0 * told + central + 0.4 * named + 1.5 / (1 + place) + 0.15 * min(content_words(text[:_LONGEST], language), 8)


def _entities(texts: Iterable[str]) -> Iterator[str]:
    """Names and numbers in the texts, those that only start a sentence left out."""
    return islice(
        (m[0].strip(".,:-") for text in texts for m in _ENTITY.finditer(text[:_LONGEST], 1) if len(m[0]) > 1 and not _PRONOUN.match(m[0])),
        40,
    )


def _sentences(text: str) -> Iterator[str]:
    """The sentences of every line that is not code fence."""
    for line in text.split("\n"):
        if line.strip() and not line.lstrip().startswith("```"):
            yield from (sentence[: 2 * _LONGEST] for sentence in sentences(without_bullet(line)))
