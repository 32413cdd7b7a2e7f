"""Tokens that carry their vendor's prefix."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from gateway.egress.rules.base import Finder
from gateway.egress.rules.randomness import drawn
from gateway.egress.rules.vendor_table import CLOUDS, CODE_HOSTS, MODELS_AND_APPS
from gateway.egress.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gateway.egress.views import View

_ALPHABETS: Mapping[str, str] = {
    "alnum": r"[A-Za-z0-9]{1,400}",
    "upper": r"[A-Z0-9]{1,400}",
    "word": r"[A-Za-z0-9_]{1,400}",
    "url": r"[A-Za-z0-9_\-]{1,800}",
    "urldot": r"[A-Za-z0-9_\-.]{1,4000}",
    "dot": r"[A-Za-z0-9_.\-]{1,800}",
    "hex": r"[0-9a-fA-F]{1,400}",
    "uuid": r"[0-9a-fA-F\-]{1,400}",
    "b64": r"[A-Za-z0-9+/_=\-]{1,4000}",
    "b64dot": r"[A-Za-z0-9+/_=.\-]{1,4000}",
}
_START = re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9]")

Row = tuple[str, str, int]


@lru_cache(maxsize=1)
def _rows() -> Mapping[str, tuple[Row, ...]]:
    """The table's rows (prefix, alphabet, least length) by their first two characters, longest prefix first."""
    index: dict[str, list[Row]] = {}
    for line in (CODE_HOSTS + CLOUDS + MODELS_AND_APPS).strip().splitlines():
        if not line:
            continue
        prefixes, alphabet, least = (part.strip() for part in line.split("|"))
        for prefix in prefixes.split():
            index.setdefault(prefix[:2], []).append((prefix, alphabet, int(least)))
    return {key: tuple(sorted(rows, key=lambda row: -len(row[0]))) for key, rows in index.items()}


@lru_cache(maxsize=32)
def _rest(alphabet: str) -> re.Pattern[str]:
    return re.compile(_ALPHABETS[alphabet])


def find_vendor_tokens(view: View) -> Iterator[Span]:
    """API_TOKEN spans: the whole token with its prefix."""
    rows, text, done = _rows(), view.text, 0
    for start, end in view.blobs:
        for place in _START.finditer(text, max(start, done), end):
            at = place.start()
            if at < done:
                continue
            for row in rows.get(text[at : at + 2], ()):
                stop = _token_end(text, at, row)
                if stop:
                    yield Span(at, stop, "API_TOKEN", 0.95)
                    done = stop
                    break


def _token_end(text: str, at: int, row: Row) -> int:
    """Where a token of that row that begins at `at` ends, 0 when there is none."""
    prefix, alphabet, least = row
    if not text.startswith(prefix, at):
        return 0
    found = _rest(alphabet).match(text, at + len(prefix))
    body = found[0].rstrip(".-") if found else ""
    return at + len(prefix) + len(body) if len(body) >= least and drawn(body) else 0


VENDOR_TOKENS = Finder(("API_TOKEN",), find_vendor_tokens, across=True)
