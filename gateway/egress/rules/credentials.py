"""Credentials inside URLs, connection strings, headers, command lines and files of programs."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from gateway.egress.rules.base import Finder, any_in
from gateway.egress.rules.credential_forms import FORMS
from gateway.egress.rules.prose import NOTHING_SAID, is_name_of_secret
from gateway.egress.rules.randomness import is_placeholder, kind
from gateway.egress.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gateway.egress.views import View

_SPENT = frozenset(("-", "--", "true", "false"))


@lru_cache(maxsize=256)
def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.IGNORECASE)


@lru_cache(maxsize=1)
def _triggers() -> tuple[tuple[frozenset[str], tuple[str, ...], str, str], ...]:
    """(words, literals, entity, expression); one of the first two is empty."""
    rows = []
    for mark, entity, expression in FORMS:
        worded = mark[0] == "=" and len(mark) > 1
        options = mark.lstrip("=").split("|") if worded else mark.split("|")
        rows.append((frozenset(options if worded else ()), tuple(() if worded else options), entity, expression))
    return tuple(rows)


def find_credentials(view: View) -> Iterator[Span]:
    """Spans of every form in the table."""
    lower, present = view.lower, view.words
    for words, literals, entity, expression in _triggers():
        if words.isdisjoint(present) if words else not any_in(literals, lower):
            continue
        for found in _compiled(expression).finditer(view.text):
            span = _judged(found, entity)
            if span:
                yield span


def _judged(found: re.Match[str], entity: str) -> Span | None:
    value = found["t"].rstrip(".,;)]}") or found["t"]
    low = value.lower()
    if (
        is_name_of_secret(value)
        or is_placeholder(value)
        or low in NOTHING_SAID
        or low in _SPENT
        or value.startswith(("$", "%", "{", "-", "<"))
    ):
        return None
    if entity == "URL_CREDENTIAL" and found[0][0] in "?&;" and not _worth(value):
        return None
    if entity == "AUTH_HEADER" and not any(map(str.isdigit, value)) and not kind(value) and len(value) < 20:
        return None
    return Span(found.start("t"), found.start("t") + len(value), entity, 0.85)


def _worth(value: str) -> bool:
    """Whether a query parameter's value is more than a word or a number."""
    mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    return mixed and (len(value) >= 8)


CREDENTIALS = Finder(
    ("URL_CREDENTIAL", "AUTH_HEADER", "PASSWORD", "SECRET", "PRIVATE_KEY"),
    find_credentials,
    across=False,
)
