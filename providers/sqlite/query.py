"""What a question asks for: its terms, its neighbouring pairs of terms, the dates in it, and whether it is about the asker."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from providers.sqlite.dates import named_dates
from providers.sqlite.stopwords import about_memory, first_person, languages_of

if TYPE_CHECKING:
    from providers.sqlite.terms import Analyzer

_END = 2_000  # characters read at each end of a long question
_MOST_TERMS = 48
_FIRST_PERSON_UNSPACED = ("我", "私", "僕", "俺", "나에", "나를", "내가")


@dataclass(frozen=True, slots=True)
class Query:
    """A question, analysed. With no terms, no dates and `about_me` False there is nothing to look for."""

    terms: tuple[str, ...]
    """Distinct, in order."""
    pairs: tuple[str, ...]
    """Terms that stand beside each other, as ` a b `."""
    dates: tuple[str, ...]
    about_me: bool
    """It asks what is remembered of the user, or what the user should do, without naming a subject."""


def analyse(question: str, analyzer: Analyzer) -> Query:
    """Reads a question. Of a very long one its beginning and its end count."""
    if len(question) > 2 * _END:
        question = f"{question[:_END]} {question[-_END:]}"
    words = analyzer.words(question)
    terms = analyzer.terms_of(words)
    return Query(
        terms=tuple(dict.fromkeys(terms))[:_MOST_TERMS],
        pairs=tuple(f" {first} {second} " for first, second in pairwise(terms))[:_MOST_TERMS],
        dates=named_dates(question),
        about_me=_about_me(question, words),
    )


def _about_me(question: str, words: list[str]) -> bool:
    """True when somebody says `I` and no word is left that names a subject."""
    if not words or len(words) > _MOST_TERMS:
        return False
    if not question.isascii() and any(pronoun in question for pronoun in _FIRST_PERSON_UNSPACED):
        return len(question.strip()) <= 12  # 你知道我什么: a short question, where pairs of characters say little
    empty, memory, pronouns = languages_of(), about_memory(), first_person()
    return any(word in pronouns for word in words) and all(word in empty or word in memory for word in words)
