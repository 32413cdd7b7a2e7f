"""Key facts of what a user said in one turn: a memory for each sentence that a rule knows, and one for all else that they stated."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gateway.facts.detect import content_words, language_of
from gateway.facts.language import TURN, plain
from gateway.facts.prose import clean, prose, without_bullet
from gateway.facts.sentences import sentences
from gateway.facts.statements import statements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gateway.facts.language import Language

MAX_CHARS: Final = 2_000
"""Characters of a memory."""
MAX_FACTS: Final = 12
"""Memories of a turn."""
_MAX_SENTENCES: Final = 1_500
_LONGEST_SENTENCE: Final = 2_000
"""Sentences of a message and characters of a sentence that the rules are tried on; what comes after is not what a person says in a turn."""
_FEWEST_WORDS: Final = 3
"""Content words below which what no rule knows is trivial; one less where the user speaks of themselves."""

_ANAPHORA = re.compile(
    r"\W*(?:i|we|ich|wir|je|j'|on|nous|me|lo|la)?\W*(?:(?:really|do|don't|still|also|just|would|ne|n')\W+){0,2}"
    r"(?:like|love|hate|prefer|use|enjoy|want|need|mag|liebe|hasse|aime|adore|déteste|gusta|encanta|odio|prefiero|did|do|have|had|"
    r"tried|think)"
    r"\W+(?:it|that|this|them|these|those|both|so|es|das|ihn|ça|cela|eso|esto)\W*(?:so much|a lot|too|already|sehr|beaucoup|mucho)?\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Fact:
    """What is kept of a turn: the user's words and their category."""

    text: str
    category: str


def facts(question: str) -> list[Fact]:
    """At most MAX_FACTS memories of what the user said, in the order said; `turn` memories come last. Never raises."""
    text = clean(question)
    usual = language_of(text)
    known: list[Fact] = []
    rest: list[str] = []
    for statement, language in _stated(text, usual):
        category = None if _ANAPHORA.match(plain(statement)) else language.category(plain(statement))
        if category is None or len(statement) > MAX_CHARS:
            rest.append(statement)
        else:
            known.append(Fact(statement, category))
    known = _distinct(known)
    turns = _turns(rest + [fact.text for fact in known[MAX_FACTS - 1 :]], usual) if rest or len(known) > MAX_FACTS else []
    kept = known[: MAX_FACTS - 1] if turns else known[:MAX_FACTS]
    return kept + turns[: MAX_FACTS - len(kept)]


def _stated(text: str, usual: Language) -> Iterator[tuple[str, Language]]:
    """The statements of a message, each with its language."""
    left = _MAX_SENTENCES
    for unit in prose(text):
        for sentence in _sentences(unit):
            language = language_of(sentence, usual)
            for statement in statements(sentence[:_LONGEST_SENTENCE], language):
                yield statement, language
            left -= 1
            if not left:
                return


def _sentences(unit: str) -> Iterator[str]:
    """The sentences of a unit. A list stays with the line that introduces it, unless its items stand on their own."""
    head, _, tail = unit.partition("\n")
    *before, introduction = sentences(head) or [""]
    yield from before
    items = [without_bullet(line) for line in tail.split("\n")] if tail else []
    alone = [item for item in items if _stands_alone(item)]
    for item in alone:
        yield from sentences(item)
    if not items:
        yield introduction
    elif len(alone) < len(items):
        yield "\n".join([introduction, *(line for line in tail.split("\n") if without_bullet(line) not in alone)])


def _stands_alone(item: str) -> bool:
    """Whether a list item tells of the user without the line above it."""
    language = language_of(item)
    return bool(language.statement.match(plain(item)) or language.instruction.match(plain(item)))


def _turns(rest: list[str], language: Language) -> list[Fact]:
    """What no rule knows, as one memory (more only when it is longer than a memory may be), or none if it is trivial."""
    own = any(language.statement.match(plain(statement)) for statement in rest)
    if sum(content_words(statement, language) for statement in rest) < _FEWEST_WORDS - own:
        return []
    pieces: list[str] = []
    for statement in rest:
        joiner = "\n" if "\n" in statement else " "
        if pieces and len(pieces[-1]) + 1 + len(statement) <= MAX_CHARS:
            pieces[-1] += joiner + statement
        else:
            pieces.append(statement[:MAX_CHARS].strip())
    return [Fact(piece, TURN) for piece in pieces if piece]


def _distinct(found: list[Fact]) -> list[Fact]:
    """Without what was said twice."""
    return list({fact.text.casefold(): fact for fact in reversed(found)}.values())[::-1]
