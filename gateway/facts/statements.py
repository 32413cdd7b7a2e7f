"""What the user states: sentences, or the clauses of one, that are not questions, requests or pleasantries."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

from gateway.facts.elsewhere import ELSEWHERE
from gateway.facts.language import plain
from gateway.facts.sentences import clauses

if TYPE_CHECKING:
    from gateway.facts.language import Language

_QUESTION_MARKS = ("?", "\uff1f", "\u061f", "\u037e")
_EDGES = " \t\n,;:-\u2013\u2014\uff0c\uff1b\u3001("
_MARKS = " \t\n.!?\u2026\u3002\uff01\uff1f"
_CLOSING = "\"'\u201d\u2019\u00bb) \t\n"
_RELATIVE = re.compile(
    r"(?:who|which|where|when|whose|whom|as|qui|que|o\u00f9|dont|donde|quien|cuando|wo|der|die|das)(?!\w)", re.IGNORECASE
)
_FEWEST_WORDS = 3
"""Words of an opening clause before it counts as a statement without naming the user."""


class Act(Enum):
    """What a clause does."""

    STATE = 1
    ASK = 2
    """A question or a request: nothing to keep."""
    GREET = 3
    """A greeting, thanks, a filler: nothing to keep either, but what follows it stands on its own."""
    RULE = 4
    """A standing instruction; what follows it belongs to it."""
    OPEN = 5
    """An opening that is nothing without what follows: it goes the way of that."""
    GO_ON = 6
    """It belongs to the clause before."""


_UNKEPT = (Act.ASK, Act.GREET)
_NOTHING_YET = (*_UNKEPT, Act.OPEN)


def statements(sentence: str, language: Language) -> list[str]:
    """The parts of a sentence that state something, verbatim. The whole sentence when no part of it asks."""
    text = plain(sentence)
    asks = text.rstrip(_CLOSING).endswith(_QUESTION_MARKS)
    spans = clauses(text, language)
    acts = _acts(text, spans, language, asks=asks)
    if not any(act in _UNKEPT for act in acts):
        return [sentence.strip()] if spans and (Act.RULE in acts or not asks) else []
    kept = [_trim(sentence[start:end]) for start, end in _runs(spans, acts)]
    return [part for part in kept if part]


def _acts(text: str, spans: list[tuple[int, int]], language: Language, *, asks: bool) -> list[Act]:
    """The act of each clause, GO_ON resolved."""
    acts: list[Act] = []
    for place, (start, end) in enumerate(spans):
        after = acts[-1] if acts else Act.GREET
        last = place == len(spans) - 1
        relative = after not in _UNKEPT and not (asks and last) and _RELATIVE.match(text, start)
        begin = _first_letter(text, start, end)
        act = Act.GO_ON if relative else _act(text, begin, end, language, opens=after in _NOTHING_YET, asks=asks)
        if after is not Act.GREET and (act is Act.GO_ON or (after is Act.RULE and act in _UNKEPT)):
            act = after
        elif act is Act.GO_ON:
            act = _opening(text[start:end], language, alone=asks and last)
        acts.append(act)
    return acts


def _act(text: str, start: int, end: int, language: Language, *, opens: bool, asks: bool) -> Act:
    """What a clause does, by how it starts. `opens`: nothing that is kept came before it. `asks`: the sentence is a question, and
    then only a request is an instruction, as in "Can you always ...?"."""
    if language.instruction.match(text, start) and (not asks or language.request.match(text, start)):
        return Act.RULE
    end = len(text[:end].rstrip(_MARKS))
    if language.pleasantry.match(text, start, end) or ELSEWHERE.pleasantry.match(text, start, end):
        return Act.GREET
    if _asks(text, start, end, language, opens=opens):
        return Act.ASK
    return Act.STATE if language.statement.match(text, start) else Act.GO_ON


def _asks(text: str, start: int, end: int, language: Language, *, opens: bool) -> bool:
    """Whether a clause asks or requests."""
    request = language.request if opens else language.request_inside
    return bool(language.question.match(text, start, end) or request.match(text, start, end))


def _opening(clause: str, language: Language, *, alone: bool) -> Act:
    """What a first clause does that says nothing of its kind: it states something if it is long enough and not a condition."""
    ideographs = any(char > "\u2fff" for char in clause) and len(clause) >= 2 * _FEWEST_WORDS
    short = len(clause.split()) < _FEWEST_WORDS and not ideographs
    if alone:
        return Act.ASK
    return Act.OPEN if short or language.subordinate.match(clause.lstrip()) else Act.STATE


def _first_letter(text: str, start: int, end: int) -> int:
    """Where a clause begins, leaving out quotes and brackets."""
    while start < end and not text[start].isalnum() and text[start] != "\u00bf":
        start += 1
    return start


def _runs(spans: list[tuple[int, int]], acts: list[Act]) -> list[tuple[int, int]]:
    """(start, end) of the clauses in a row that are kept."""
    runs: list[tuple[int, int]] = []
    previous = Act.ASK
    for (start, end), act in zip(spans, acts, strict=True):
        if act not in _NOTHING_YET:
            joined = previous not in _NOTHING_YET
            runs = [*runs[:-1], (runs[-1][0], end)] if joined else [*runs, (start, end)]
        previous = act
    return runs


def _trim(part: str) -> str:
    """A part without the separators around it, and with its bracket closed."""
    trimmed = part.strip(_EDGES).rstrip(_EDGES + "".join(_QUESTION_MARKS))
    if "(" in trimmed and ")" not in trimmed:
        trimmed += ")"
    return trimmed
