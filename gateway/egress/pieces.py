"""Cuts a text into pieces that presidio can take: its time grows with the square of some texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PIECE = 4_000
"""Characters given to presidio at once."""

LONGEST_RUN = 400
"""Characters without white space after which a run is cut: presidio's expressions go back over such runs again and again."""


def pieces(text: str) -> Iterator[tuple[int, str]]:
    """The text in pieces of at most PIECE characters, each with its place; cut at white space, and inside runs of over LONGEST_RUN."""
    start = 0
    for end in _cuts(text):
        if text[start:end].strip():
            yield start, text[start:end]
        start = end


def _cuts(text: str) -> Iterator[int]:
    begun = blank = run = 0
    for place, char in enumerate(text):
        run = 0 if char.isspace() else run + 1
        if char.isspace():
            blank = place
        if run > LONGEST_RUN:
            yield place
            begun, run = place, 0
        elif place - begun >= PIECE:
            begun = blank if blank > begun else place
            yield begun
    yield len(text)
