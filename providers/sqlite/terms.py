"""From text to the terms that are compared: folded, without stop words, stemmed; character pairs where words are not spaced."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

import snowballstemmer

from providers.sqlite.stopwords import ENGLISH, languages_of

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_CHARACTERS = 20_000
"""Only so much of a text's beginning is indexed; the text itself is stored whole."""

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_MARKS = "\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0900-\u0963\u0966-\u0dff"
_WORD = re.compile(f"[{_UNSPACED}]+|(?:(?![_{_UNSPACED}])[\\w{_MARKS}])+")
_UNSPACED_START = re.compile(f"[{_UNSPACED}]")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")
_LATIN_MARKS = re.compile("[\u0300-\u036f]")
_STEMS_KEPT = 50_000
_LONGEST = 64  # characters of a term: longer runs are hashes and encoded data


class Analyzer:
    """Makes terms. Remembers stems, since most words have been seen before."""

    def __init__(self) -> None:
        self._stemmer = snowballstemmer.stemmer("english")
        self._stems: dict[str, str] = {}

    def terms(self, text: str) -> list[str]:
        """The terms of a text in order, repeated where they repeat. Each is made of word characters only, without `_`."""
        return self.terms_of(self.words(text[:MAX_CHARACTERS]))

    def terms_of(self, words: list[str]) -> list[str]:
        """The same from folded words."""
        languages = languages_of()
        stop = _stop_language(words)
        return [self._stem(word) for word in words if stop not in languages.get(word, ())]

    def words(self, text: str) -> list[str]:
        """The folded words of a text, stop words included."""
        if text.isascii():
            return [word for piece in _WORD.findall(text) for word in _ascii(piece)]
        return [word for piece in _WORD.findall(unicodedata.normalize("NFKC", text)) for word in _folded(piece)]

    def _stem(self, word: str) -> str:
        stem = self._stems.get(word)
        if stem is None:
            if len(self._stems) >= _STEMS_KEPT:
                self._stems.clear()
            stem = word if any(map(str.isdigit, word)) else str(self._stemmer.stemWord(word))
            self._stems[word] = stem
        return stem


def _ascii(piece: str) -> tuple[str, ...]:
    """A word folded; camelCase is found whole and by its parts."""
    folded = piece.lower()
    if folded == piece or folded[1:] == piece[1:]:
        return (folded[:_LONGEST],)
    parts = _HUMP.split(piece)
    return (folded[:_LONGEST], *(part.lower()[:_LONGEST] for part in parts if len(parts) > 1))


def _folded(piece: str) -> Iterable[str]:
    if piece.isascii():
        return _ascii(piece)
    return _pairs(piece) if _UNSPACED_START.match(piece) else (_fold(piece),)


def _fold(word: str) -> str:
    word = word.casefold()
    return (_LATIN_MARKS.sub("", unicodedata.normalize("NFKD", word)) or word)[:_LONGEST]


def _pairs(run: str) -> list[str]:
    """Overlapping pairs of characters; a single one stands for itself."""
    return [run[start : start + 2] for start in range(max(1, len(run) - 1))]


def _stop_language(words: list[str]) -> str:
    """The language whose stop words are most frequent; English unless another is clearly ahead, since `die`, `son` and `car` mislead."""
    languages = languages_of()
    counts: dict[str, int] = {}
    for word in words:
        for language in languages.get(word, ()):
            counts[language] = counts.get(language, 0) + 1
    best = max(counts, key=counts.__getitem__, default=ENGLISH)
    return best if counts.get(best, 0) > max(1, counts.get(ENGLISH, 0)) else ENGLISH
