"""A text as the rules see it: canonical characters, and for each of them the place in the source that it came from."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_WORD = re.compile(r"[^\W\d_]+")
_ASCII_WORD = re.compile(r"[a-z]+")
_BLOB = re.compile(r"(?<![A-Za-z0-9+/_.~\-])[+/_.~\-]*+([A-Za-z0-9][A-Za-z0-9+/_.~\-]{11,}+={0,2})")
_NUMBER = re.compile(r"\d(?:[ .\-/()]{0,3}\d){5,}")

Blob = tuple[int, int]
"""Start and end of a run of characters in which a token could hide."""


@dataclass(frozen=True, slots=True)
class View:
    """`text` with what the rules ask of it again and again, computed once.

    `starts[i]` and `ends[i]` say where character i lies in the source; None where text and source are the same.
    """

    text: str
    starts: tuple[int, ...] | None = None
    ends: tuple[int, ...] | None = None
    lower: str = field(init=False, default="")
    """As long as `text`, index by index."""
    words: frozenset[str] = field(init=False, default=frozenset())
    """The lower-case words: runs of letters."""
    blobs: tuple[Blob, ...] = field(init=False, default=())
    """Runs of at least 12 token characters."""
    tokens: str = field(init=False, default="")
    """The blobs in lower case, one a line."""
    numbers: tuple[Blob, ...] = field(init=False, default=())
    """Runs of at least six digits with at most three separators between two."""
    plain: bool = field(init=False, default=True)
    """Only ASCII."""

    def __post_init__(self) -> None:
        lower = self.text.lower()
        if len(lower) != len(self.text):  # a few letters grow in lower case
            lower = "".join(low if len(low := char.lower()) == 1 else char for char in self.text)
        set_field = object.__setattr__
        set_field(self, "lower", lower)
        plain = self.text.isascii()
        blobs = tuple(match.span(1) for match in _BLOB.finditer(self.text))
        set_field(self, "words", frozenset((_ASCII_WORD if plain else _WORD).findall(lower)))
        set_field(self, "blobs", blobs)
        set_field(self, "tokens", "\n".join([lower[start:end] for start, end in blobs]))
        set_field(self, "numbers", tuple(match.span() for match in _NUMBER.finditer(self.text)))
        set_field(self, "plain", plain)

    def source(self, start: int, end: int) -> tuple[int, int]:
        """The range of the source from which characters `start` up to and without `end` came."""
        if self.starts is None or self.ends is None:
            return start, end
        return self.starts[start], self.ends[end - 1]

    def has_any(self, parts: tuple[str, ...]) -> bool:
        """Whether one of these lower-case strings occurs."""
        lower = self.lower
        for part in parts:  # noqa: SIM110 - a generator would cost several times the search
            if part in lower:
                return True
        return False
