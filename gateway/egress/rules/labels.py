"""Finding any of several hundred labels in a text without paying for each at each character."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from gateway.egress.rules.base import GaveUp

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gateway.egress.views import View

MOST_PLACES = 2_000
_GAP = r"[\s_\-]?"


class Labels:
    """Lower-case labels; `_` in one stands for a blank, `_`, `-` or nothing.

    A label is looked for where its longest word stands as a word of its own, or where one of `anywhere` stands inside a word
    (`dbPassword`); in scripts without blanks always inside. The expression runs only around these places.
    """

    def __init__(self, labels: Iterable[str], extra: str = "", anywhere: tuple[str, ...] = ()) -> None:
        words = sorted(set(labels))
        self._pattern = re.compile("|".join(part for part in (extra, _trie_expression(words)) if part))
        longest = {_longest(word) for word in words}
        self._words = frozenset(word for word in longest if not _UNSPACED.search(word))
        self._anywhere = anywhere
        self._unspaced = _without_longer({word for word in longest if _UNSPACED.search(word)})

    def finditer(self, view: View) -> Iterator[re.Match[str]]:
        """The labels in `view.lower`, from left to right, without overlaps."""
        done = 0
        for start, end in self._places(view):
            for found in self._pattern.finditer(view.lower, max(done, start), end):
                done = found.end()
                yield found

    def _places(self, view: View) -> list[tuple[int, int]]:
        """Stretches around the words, joined where they touch."""
        lower = view.lower
        hits = [*(self._words & view.words), *self._anywhere, *(() if view.plain else self._unspaced)]
        places: list[int] = []
        for word in hits:
            at = lower.find(word)
            while at >= 0:
                places.append(at)
                at = lower.find(word, at + 1)
            if len(places) > MOST_PLACES:
                message = "Too many labels."
                raise GaveUp(message)
        joined: list[tuple[int, int]] = []
        for at in sorted(places):
            start, end = max(0, at - 24), min(len(lower), at + 40)
            if joined and start <= joined[-1][1]:
                joined[-1] = (joined[-1][0], end)
            else:
                joined.append((start, end))
        return joined


_UNSPACED = re.compile(r"[\u0590-\u0eff\u1100-\u11ff\u2e80-\ud7ff]")


def _longest(label: str) -> str:
    return max(re.split(r"[^\w]|_", label), key=len)


def _without_longer(stems: set[str]) -> tuple[str, ...]:
    """Only the stems that no shorter one is part of."""
    return tuple(sorted(stem for stem in stems if not any(other in stem for other in stems if other != stem)))


def _trie_expression(words: Iterable[str]) -> str:
    """An expression for the words that branches character by character, so that most places fail at the first one."""
    root: dict[str, Any] = {}
    for word in words:
        node = root
        for char in word:
            node = node.setdefault(char, {})
        node[""] = {}
    return _branches(root)


def _branches(node: dict[str, Any]) -> str:
    ends = "" in node
    options = []
    for char in sorted(key for key in node if key):
        piece = _GAP if char == "_" else re.escape(char)
        options.append(piece + _branches(node[char]))
    if not options:
        return ""
    body = options[0] if len(options) == 1 and not ends else f"(?:{'|'.join(options)})"
    return body + "?" if ends else body
