"""Where sentences and clauses end. One pass over the text, in linear time."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gateway.facts.language import words

if TYPE_CHECKING:
    from gateway.facts.language import Language

_END = re.compile(r"(?P<mark>[.!?\u2026]{1,8})[\"'\u201d\u2019\u00bb)\]]{0,3}(?=\s)|[\u3002\uff01\uff1f\uff61][\u300d\u300f\u201d\uff09]?")
_SEPARATOR = re.compile(r"[,;:]\s+|[\uff0c\uff1b\u3001]|\s?[()]\s?|\s[-\u2013\u2014]{1,2}\s|\s?\u2014\s?|(?=\u00bf)")
_LAST_WORD = re.compile(r"[\w.'-]{1,24}\Z")
_DAY_AND_MONTH = re.compile(r"\d{1,2}\.\d{1,2}")
_ABBREVIATION = words(
    """mr mrs ms dr prof st sr sra jr vs e.g i.e eg ie approx dept est fig vol ca z.b d.h u.a bzw evtl ggf nr str hr
    fr inkl exkl zzgl tel     m mme mlle mm p.ex env av apr jan feb mar jun jul aug sep sept oct nov dec ud uds
    aprox p.ej ee ee.uu cf resp mind max min bspw     sog u.s ph.d abs art gen gov hon capt lt col sgt rev dipl
    ing"""
)
_ORDINAL_LEAD = words("am der die das dem den des zum im vom beim ab bis seit mein meine meinem ihr sein unser jeden jedem")


def sentences(text: str) -> list[str]:
    """The sentences of a unit, each as it stands in the text, trimmed."""
    found: list[str] = []
    start = 0
    for end in _END.finditer(text):
        if end["mark"] is not None and not _closes(text, start, end):
            continue
        found.append(text[start : end.end()].strip())
        start = end.end()
    found.append(text[start:].strip())
    return [sentence for sentence in found if sentence]


def clauses(sentence: str, language: Language) -> list[tuple[int, int]]:
    """(start, end) of the clauses of a (plain) sentence, separators left out."""
    cuts = [(m.start(), m.end()) for m in _SEPARATOR.finditer(sentence)]
    cuts += [(m.start(), m.start()) for m in language.joint.finditer(sentence)]
    spans: list[tuple[int, int]] = []
    start = 0
    for left, right in sorted(cuts):
        if left >= start:
            spans.append((start, left))
            start = right
    spans.append((start, len(sentence)))
    return [(left, right) for left, right in spans if sentence[left:right].strip(" .,;:!?\u00bf\u00a1")]


def _closes(text: str, start: int, end: re.Match[str]) -> bool:
    """Whether a mark followed by white space ends the sentence."""
    following = text[end.end() : end.end() + 24].lstrip()[:1]
    if end["mark"] != ".":
        return not (len(end[0]) > len(end["mark"]) and following.islower())
    last = _LAST_WORD.search(text, max(start, end.start() - 24), end.start())
    if last is None:
        return True
    word = last[0].strip("'-").casefold()
    if len(word) == 1 and word.isalpha():
        return word == "i" and not following.isupper()
    if word.isdigit() and len(word) <= 2:
        return not _ordinal(text, start, last.start())
    if _DAY_AND_MONTH.fullmatch(word):
        return not following.islower()
    return word not in _ABBREVIATION and not (word in {"no", "etc", "usw", "a.m", "p.m"} and not _opens(word, following))


def _ordinal(text: str, start: int, number: int) -> bool:
    """Whether the number at this place is a German ordinal ("am 3. Mai") or the number of a list item."""
    before = text[max(start, number - 16) : number].split()
    return not before or before[-1].casefold() in _ORDINAL_LEAD


def _opens(word: str, following: str) -> bool:
    """Whether a sentence starts after `word`, which is an abbreviation in some places and not in others."""
    return not following.isdigit() if word == "no" else following.isupper()
