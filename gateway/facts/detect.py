"""Which language a text is in, told by its most common words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gateway.facts.elsewhere import ELSEWHERE
from gateway.facts.english import ENGLISH
from gateway.facts.french import FRENCH
from gateway.facts.german import GERMAN
from gateway.facts.language import Language, plain
from gateway.facts.spanish import SPANISH

if TYPE_CHECKING:
    from collections.abc import Sequence

LANGUAGES: Final = (ENGLISH, GERMAN, FRENCH, SPANISH)
"""In the order in which a tie is decided."""

_LOOKED_AT: Final = 4_000
_TRIED: Final = 400
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def language_of(text: str, usual: Language | None = None) -> Language:
    """The language with most common words in `text`; `usual` (that of the whole message) when nothing or a tie speaks."""
    found = [word.casefold() for word in _WORD.findall(plain(text[:_LOOKED_AT]))]
    scores = {language.code: _score(found, language) for language in LANGUAGES}
    best = max(scores.values())
    if not best:
        return _by_rules(text, LANGUAGES) or (_unknown(text) if usual is None or _IDEOGRAPH.search(text) else usual)
    likely = [language for language in LANGUAGES if scores[language.code] == best]
    if usual in likely or len(likely) == 1:
        return usual if usual in likely and usual is not None else likely[0]
    return _by_rules(text, likely) or likely[0]


def content_words(text: str, language: Language) -> int:
    """How many words carry content; two ideographs count as a word."""
    ideographs = len(_IDEOGRAPH.findall(text))
    kept = (word for word in _WORD.findall(plain(text)) if not _IDEOGRAPH.match(word))
    return ideographs // 2 + sum(len(word) > 1 and word.casefold() not in language.common for word in kept)


def _score(found: list[str], language: Language) -> int:
    """Common words count twice if they are long enough not to mean something else elsewhere."""
    return sum(1 + (len(word) > 2) for word in found if word in language.common or word.partition("'")[0] + "'" in language.common)


def _by_rules(text: str, likely: Sequence[Language]) -> Language | None:
    """The first language with a rule for `text`, where common words do not tell."""
    head = plain(text[:_TRIED])
    return next((language for language in likely if language.category(head)), None)


def _unknown(text: str) -> Language:
    """English for a few Latin words that say nothing about their language, else a language without rules."""
    letters = [char for char in text[:_LOOKED_AT] if char.isalpha()]
    return ENGLISH if letters and all(char < "\u0250" for char in letters) and len(text.split()) < 8 else ELSEWHERE
