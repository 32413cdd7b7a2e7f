"""What of a message the user wrote as prose: without code, logs, quotes, tables and pasted text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gateway.facts.pasted import code_like, paste_begins

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_INPUT: Final = 65_536
"""Characters of a message that are looked at."""
_WRAPPED: Final = 60
"""A line at least this long that goes on in lower case was wrapped by an editor."""

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b\u2028\u2029\ufeff]")
_SPACES = re.compile(r"[ \t\u00a0\u3000]+")
_BULLET = re.compile(r"\A\s*(?:[-*+\u2022\u2013]|\d{1,2}[.)])\s+(?=\S)")
_HEADING = re.compile(r"\A\s*#{1,6}\s+")
_FENCE = re.compile(r"\s*(```|~~~|\"\"\"|''')")
_OPENING_TAG = re.compile(r"\s*<([A-Za-z][\w-]{0,40})(?: [^<>]{0,200})?>\s*$")
_ENDED = (".", "!", "?", ":", ";", "\u3002", "\uff01", "\uff1f", "\u2026")


def clean(text: str) -> str:
    """The first MAX_INPUT characters, with one kind of line end and without control characters and lone surrogates."""
    cut = text[:MAX_INPUT].replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL.sub(" ", cut.encode("utf-8", "ignore").decode())


def prose(text: str) -> list[str]:
    """The units of a (clean) message, in order: a paragraph or a line each. A unit of several lines is a heading line with its list."""
    units: list[str] = []
    fresh = True
    for line in _own_lines(text.split("\n")):
        if not line.strip():
            fresh = True
            continue
        _append(units, line, fresh)
        fresh = False
    return units


def without_bullet(line: str) -> str:
    """The text of a list item."""
    return _BULLET.sub("", line, count=1).strip()


def _append(units: list[str], line: str, fresh: bool) -> None:
    """Adds a line to the unit that it belongs to, or as a new one. `fresh`: a blank line came before."""
    bullet = _BULLET.match(line) is not None
    line = _SPACES.sub(" ", line).strip()
    last = units[-1] if units else ""
    if bullet and (last.endswith(":") or "\n" in last):
        units[-1] = f"{last}\n{line}"
    elif not fresh and not bullet and len(last) >= _WRAPPED and not last.endswith(_ENDED) and line[:1].islower():
        units[-1] = f"{last} {line}"
    else:
        units.append(_HEADING.sub("", without_bullet(line) if bullet else line, count=1))


def _own_lines(lines: list[str]) -> Iterator[str]:
    """The lines that are the user's own words; "" for a blank line or one that was left out."""
    closing = {line.strip()[2:-1] for line in lines if line.strip().startswith("</") and line.strip().endswith(">")}
    until: str | None = None
    for number, line in enumerate(lines):
        if until is not None:
            until = None if line.strip().startswith(until) or line.rstrip().endswith(until) else until
            yield ""
        elif fence := _FENCE.match(line):
            until = None if line.strip().endswith(fence[1]) and len(line.strip()) > len(fence[1]) else fence[1]
            yield ""
        elif (tag := _OPENING_TAG.match(line)) and tag[1] in closing:
            until = f"</{tag[1]}>"
            yield ""
        elif begins := paste_begins(line, more=any(map(str.strip, lines[number + 1 : number + 4]))):
            yield line[:begins]
            return
        else:
            yield "" if code_like(line) else line
