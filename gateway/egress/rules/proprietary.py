"""Marks of confidentiality, and program text of some length."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gateway.egress.rules.base import Finder
from gateway.egress.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gateway.egress.views import View

_MARKS = re.compile(
    r"(?:strictly |company |highly |business )confidential\b|\bproprietary (?:and|&|/) confidential|"
    r"\bconfidential (?:and|&|/) proprietary|\bconfidential\s?[:\-](?!\s?(?:false|no|none|low))|"
    r"\[confidential\]|"
    r"\b(?:for )?internal use only\b|\bdo not (?:distribute|share externally|disclose|redistribute)\b|"
    r"\bnot for (?:external |public )?(?:distribution|release|disclosure)|"
    r"\bunder (?:strict )?(?:nda|embargo)\b|\btrade secrets?\b|\battorney[- ]client privileged?\b|"
    r"\bunpublished proprietary\b|\bproprietary (?:code|algorithm|source|information|software|formula|snippet|"
    r"model)\b|"
    r"\btlp:(?:red|amber)\b|\bstreng vertraulich\b|\bnur für den (?:internen|dienst)gebrauch\b|"
    r"\bstrictement confidentiel\b|\bconfidentiel défense\b|\bestrictamente confidencial\b|"
    r"\bstrettamente riservato\b|"
    r"\bestritamente confidencial\b|\bstrikt vertrouwelijk\b|\bściśle tajne\b|строго конфиденциально|"
    r"коммерческая тайна|для служебного пользования|机密|機密|社外秘|대외비|سري للغاية",
    re.IGNORECASE,
)
_CODE_LINE = re.compile(
    r"^\s*(?:(?:async )?def \w+\(|class \w+|(?:public|private|protected|static|final|abstract|override|export|"
    r"pub)\s+[\w<>\[\]]+|(?:export )?(?:default )?(?:async )?function\b|(?:const|let|var|val)\s+\w+.*=|"
    r"func \w*\(?|fn \w+|impl\b|struct \w+|interface \w+|enum \w+|import [\w{*\"']|from \w[\w.]* import|"
    r"#include|using [\w.]+;|package \w|return\b|if\s*\(|if .+:$|for\s*\(|for .+:$|while\b.*[:({]$|else\b|"
    r"elif\b|"
    r"try\b|except\b|catch\b|switch\s*\(|case .+:|@\w+|[\w.\[\]]+\s*(?:[+\-*/|&]?=|:=)\s*.+|"
    r"[\w.]+\(.*\)[;{]?$|[})\];]+[;,]?$|//|#\s|/\*|\*\s|<\?php|SELECT\b|INSERT\b|CREATE (?:TABLE|FUNCTION|"
    r"PROCEDURE))"
)
_DEFINITION = re.compile(
    r"\b(?:def|class|function|func|fn|struct|impl|interface|public|private|void|module|namespace)\b|=>\s*\{|CREATE (?:FUNCTION|PROCEDURE)",
    re.IGNORECASE,
)
_LEAST_LINES = 4


def find_marks(view: View) -> Iterator[Span]:
    """PROPRIETARY: the words that say so."""
    if not view.plain or any(
        mark in view.lower
        for mark in (
            "confiden",
            "internal use",
            "do not d",
            "do not s",
            "do not r",
            "not for",
            "under nda",
            "under strict",
            "under embargo",
            "trade secret",
            "attorney",
            "proprietary",
            "tlp:",
            "vertraulich",
            "dienstgebrauch",
            "internen",
            "riservat",
            "vertrouwelijk",
        )
    ):
        for found in _MARKS.finditer(view.text):
            yield Span(*found.span(), "PROPRIETARY", 0.7)


def find_program_text(view: View) -> Iterator[Span]:
    """SOURCE_CODE: at least four lines of code in a row with a definition among them."""
    if view.text.count("\n") < _LEAST_LINES - 1:
        return
    start, lines, at = 0, 0, 0
    for line in [*view.text.splitlines(keepends=True), "\x00"]:
        code = bool(_CODE_LINE.match(line)) or (lines > 0 and (not line.strip() or line[0] in " \t"))
        if code and not lines:
            start = at
        if not code and lines:
            yield from _block(view, start, at, lines)
        lines = lines + 1 if code else 0
        at += len(line)


def _block(view: View, start: int, end: int, lines: int) -> Iterator[Span]:
    text = view.text[start:end].rstrip()
    if lines >= _LEAST_LINES and text.count("\n") >= _LEAST_LINES - 1 and _DEFINITION.search(text):
        yield Span(start, start + len(text), "SOURCE_CODE", 0.5)


CONFIDENTIAL_MARKS = Finder(("PROPRIETARY",), find_marks)
PROGRAM_TEXT = Finder(("SOURCE_CODE",), find_program_text, exact=False)
