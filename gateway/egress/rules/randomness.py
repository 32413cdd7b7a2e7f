"""Telling values that a machine drew from words that a person wrote, and real values from placeholders."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import Literal

Kind = Literal["mixed", "hex", "uuid", "lower", "upper", ""]
"""What a run of token characters looks like; "" is not random."""

_UUID = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}")
_HEX = re.compile(r"(?=[a-fA-F]*[0-9])(?=[0-9]*[a-fA-F])(?:[0-9a-f]{12,}|[0-9A-F]{12,})")
_CHANGE = re.compile(r"[a-z](?=[A-Z0-9])|[A-Z](?=[0-9])|[0-9](?=[A-Za-z])|[A-Z](?=[A-Z]?[a-z])")
_PLACEHOLDER = re.compile(
    r"^[<\[{$%#*&@]*[<{(\[]|^\$[A-Z_a-z]+$|^%[A-Z_a-z]+%$|^\[redacted|x{4}|\*{3}|\.{3}|…|•{2}|_{4}"
    r"|example|placeholder|your[_\-]|^your|change[_\-]?(?:me|this|it)|redacted|dummy|insert[_\-]|replace[_\-]?(?:me|with|this)"
    r"|^(?:my|the|some|any|a|fake|test)[_\-](?:\w+[_\-])*(?:password|secret|token|key|pass|value)s?$"
    r"|^(?:password|secret|token|key|pass|api)[_\-]?(?:here|value|goes)|^todo|^fixme|^tbd$|^n/?a$|^deadbeef"
)
_WORDS = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{5,}")
_NUMBERS = re.compile(r"\d+")
_PATH = re.compile(r"(?:^|/)[a-z][a-z_.\-]{2,}/|/[a-z]+[-_.][a-z]+|^\.{0,2}/[a-z]")


def entropy(text: str) -> float:
    """Shannon entropy in bits per character."""
    length = len(text)
    return -sum(n / length * math.log2(n / length) for n in Counter(text).values())


def is_placeholder(value: str) -> bool:
    """Whether this stands where a value would be: a variable, a template, stars, an example."""
    return len(set(value)) < 3 or _PLACEHOLDER.search(value.lower()) is not None


def drawn(body: str) -> bool:
    """Whether the part after a vendor's prefix could have been drawn at random (loose: the prefix already says a lot)."""
    if len(set(body)) < min(6, max(4, len(body) // 4)) or is_placeholder(body):
        return False
    if unpronounceable(body):
        return True
    changes = len(_CHANGE.findall(body))
    return changes >= 2 or (changes >= 1 and len(body) >= 16 and any(c.isdigit() for c in body))


def unpronounceable(text: str) -> bool:
    """Whether these are at least sixteen letters of one case, with fewer vowels than any language has."""
    letters = text.lower()
    one_case = text.isalpha() and (text.islower() or text.isupper())
    return one_case and len(text) >= 16 and sum(letters.count(vowel) for vowel in "aeiouy") <= 0.29 * len(text)


def kind(run: str) -> Kind:
    """What kind of randomness a run of token characters has. Paths, dotted names, versions, words and numbers have none."""
    if _UUID.fullmatch(run):
        return "uuid"
    if _HEX.fullmatch(run):
        return "hex"
    if _PATH.search(run) or is_placeholder(run):
        return ""
    return _kind_of_letters(run)


def _kind_of_letters(run: str) -> Kind:
    core = max(re.split(r"[._\-~]", run), key=len) if len(run) < 40 else re.sub(r"[._\-~]", "", run)
    if len(core) < 10 and not _busy(run):
        return ""
    if unpronounceable(core):
        return "lower"
    body = core if len(core) >= 10 else run
    digit = sum(char.isdigit() for char in body)
    low, up = any(char.islower() for char in body), any(char.isupper() for char in body)
    changes = len(_CHANGE.findall(body)) / len(body)
    if low and up and not _camel(body) and (changes >= 0.3 or (changes >= 0.2 and digit >= 2)):
        return "mixed"
    if digit < 2 or digit > 0.8 * len(body) or changes < 0.14:
        return ""
    return "lower" if low and not up else "upper" if up and not low else ""


def _camel(body: str) -> bool:
    """Words with capitals, as in `parseRowsOfTable2`: at most one number, and mostly runs of small letters."""
    return len(_NUMBERS.findall(body)) <= 1 and sum(map(len, _WORDS.findall(body))) >= 0.6 * len(body)


def _busy(run: str) -> bool:
    """Short pieces between separators that change kind all the time, as base64url text does."""
    return len(_CHANGE.findall(run)) >= len(run) * 0.3 and any(c.islower() for c in run) and any(c.isupper() for c in run)
