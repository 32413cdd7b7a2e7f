"""What a language brings to the rules: its common words, how it asks and requests, and the rules that name a category."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

INSTRUCTIONS: Final = "instructions"
CONSTRAINTS: Final = "constraints"
DECISIONS: Final = "decisions"
PREFERENCES: Final = "preferences"
FACTS: Final = "facts"
TURN: Final = "turn"
"""The category of statements that no rule knows."""

_APOSTROPHES = str.maketrans({"\u2019": "'", "\u2018": "'", "\u00b4": "'", "\u02bc": "'"})


@dataclass(frozen=True, slots=True)
class Language:
    """One language. All patterns but those of `rules` are matched at the start of a clause, never searched for."""

    code: str
    common: frozenset[str]
    """Function words, casefolded: they tell the language and carry no content."""
    pleasantry: re.Pattern[str]
    """Greetings, thanks, fillers; also remarks about the conversation itself."""
    question: re.Pattern[str]
    request: re.Pattern[str]
    """Imperatives and polite requests that open a sentence."""
    request_inside: re.Pattern[str]
    """The same within a sentence, where it takes more to tell one from a word in an enumeration."""
    statement: re.Pattern[str]
    """A clause in which the user tells of themselves or their own."""
    subordinate: re.Pattern[str]
    """Openings that tell nothing when a question or a request follows: conditions, prepositions."""
    joint: re.Pattern[str]
    """White space before a conjunction with which the user starts to tell something."""
    instruction: re.Pattern[str]
    """A standing wish: from here on, always, never, remember."""
    rules: tuple[tuple[str, re.Pattern[str]], ...]
    """Categories in order of precedence, each with what to search for in a sentence."""

    def category(self, sentence: str) -> str | None:
        """The first category with a rule for this (plain) sentence."""
        if self.instruction.match(sentence):
            return INSTRUCTIONS
        return next((category for category, pattern in self.rules if pattern.search(sentence)), None)


def starts(*alternatives: str) -> re.Pattern[str]:
    """A pattern for the start of a clause, any of `alternatives` as whole words; case does not matter."""
    return re.compile(rf"(?:{'|'.join(alternatives)})(?!\w)", re.IGNORECASE)


def anywhere(*alternatives: str) -> re.Pattern[str]:
    """A pattern to search for, any of `alternatives` as whole words; case does not matter."""
    return re.compile(rf"(?<![\w'])(?:{'|'.join(alternatives)})(?!\w)", re.IGNORECASE)


def joints(*alternatives: str) -> re.Pattern[str]:
    """A pattern for where a clause begins; each of `alternatives` ends by looking ahead."""
    return re.compile(rf"(?<![\w'])(?:{'|'.join(alternatives)})", re.IGNORECASE)


def words(text: str) -> frozenset[str]:
    """A set of casefolded words, written in one string."""
    return frozenset(text.casefold().split())


def plain(text: str) -> str:
    """The same text with one kind of apostrophe; positions stay what they were."""
    return text.translate(_APOSTROPHES)
