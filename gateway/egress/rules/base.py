"""What a rule is, and the tools that most rules are made of: vocabularies and the words around a place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gateway.egress.spans import Span
    from gateway.egress.views import View

_LATIN_OR_CYRILLIC = re.compile(r"[a-z\u00df-\u024f\u0370-\u058f\u1e00-\u1eff]+")
_WORD = re.compile(r"[^\W\d_]+")


class GaveUp(Exception):
    """A text has so many places to look at that no person wrote it. It counts as not looked through."""


class Rule(Protocol):
    """One family of things to find. It sees canonical text, says where in the view something is, and raises nothing but GaveUp."""

    @property
    def entities(self) -> tuple[str, ...]:
        """The kinds of spans that it finds."""
        ...

    @property
    def across(self) -> bool:
        """Whether it is worth asking again on text whose line breaks were joined: true for long tokens."""
        ...

    @property
    def exact(self) -> bool:
        """Whether it may be asked on decoded text: false for what needs prose around it or goes by randomness alone."""
        ...

    def find(self, view: View) -> Iterable[Span]:
        """What is there, in offsets of `view.text`."""
        ...


@dataclass(frozen=True, slots=True)
class Finder:
    """A rule made of a function."""

    entities: tuple[str, ...]
    search: Callable[[View], Iterable[Span]]
    across: bool = False
    exact: bool = True

    def find(self, view: View) -> Iterable[Span]:
        """What the function finds."""
        return self.search(view)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words in many languages: `whole` are compared as words, `parts` as strings (phrases, scripts without spaces)."""

    whole: frozenset[str]
    parts: tuple[str, ...]

    def within(self, view: View) -> bool:
        """Whether one of them occurs anywhere: the cheap test before a regular expression."""
        return not self.whole.isdisjoint(view.words) or view.has_any(self.parts)

    def inside(self, text: str) -> bool:
        """Whether one of them occurs in a lower-case piece of text."""
        return not self.whole.isdisjoint(_WORD.findall(text)) or any(part in text for part in self.parts)

    def last(self, text: str) -> int:
        """Where the last of them begins in a lower-case piece of text, -1 when there is none."""
        places = [found.start() for found in _WORD.finditer(text) if found[0] in self.whole]
        return max([*places[-1:], *(text.rfind(part) for part in self.parts)], default=-1)

    def near(self, view: View, start: int, end: int, before: int = 48, after: int = 24) -> bool:
        """Whether one of them stands within so many characters of start..end."""
        return self.inside(view.lower[max(0, start - before) : start]) or (after > 0 and self.inside(view.lower[end : end + after]))


def vocabulary(text: str) -> Vocabulary:
    """A vocabulary of lower-case words separated by white space; `_` stands for a space inside a phrase."""
    entries = text.split()
    whole = frozenset(word for word in entries if _LATIN_OR_CYRILLIC.fullmatch(word))
    return Vocabulary(whole, tuple(word.replace("_", " ") for word in entries if word not in whole))


def word_list(text: str) -> tuple[str, ...]:
    """The words of a list that is written as running text."""
    return tuple(text.split())


def any_in(parts: tuple[str, ...], text: str) -> bool:
    """Whether one of the strings occurs in the text."""
    for part in parts:  # noqa: SIM110 - a generator would cost several times the search
        if part in text:
            return True
    return False
