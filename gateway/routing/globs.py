"""Model names matched against globs: case counts, `*` crosses slashes, `?` and `[...]` as in a shell."""

from __future__ import annotations

import re
from fnmatch import translate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_WILDCARDS = frozenset("*?[")


def is_glob(pattern: str) -> bool:
    """Whether a pattern can match more than the name that it spells."""
    return not _WILDCARDS.isdisjoint(pattern)


class Globs:
    """A set of globs, compiled once into one expression. Plain names are looked up, not matched."""

    __slots__ = ("_expression", "names")

    def __init__(self, patterns: Iterable[str]) -> None:
        distinct = dict.fromkeys(patterns)
        self.names: tuple[str, ...] = tuple(pattern for pattern in distinct if not is_glob(pattern))
        """The patterns without wildcards, in the order given."""
        wild = [translate(pattern) for pattern in distinct if is_glob(pattern)]
        self._expression = re.compile("|".join(wild)) if wild else None

    @property
    def wild(self) -> bool:
        """Whether any pattern has a wildcard."""
        return self._expression is not None

    def matches(self, name: str) -> bool:
        """Whether any pattern matches the whole name."""
        return name in self.names or (self._expression is not None and self._expression.match(name) is not None)
