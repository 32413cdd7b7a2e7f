"""Seed phrases of wallets, word by word."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gateway.egress.rules.base import Finder, vocabulary, word_list
from gateway.egress.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gateway.egress.views import View

_WORDS = vocabulary(
    "mnemonic mnemonics seed seedphrase bip39 bip-39 recovery wallet metamask ledger trezor electrum phantom "
    "diceware secret passphrase backup "
    "wiederherstellungsphrase merkphrase récupération recuperación semilla recupero recuperação herstelzin "
    "сид сид-фраза мнемоническая фраза tohum "
    "助记词 助記詞 シード ニーモニック 니모닉 시드 بذرة"
)
_RUN = re.compile(
    r"(?<![^\W\d_])(?:\d{1,2}[.)]?\s{0,2})?[a-zà-ÿ]{3,10}(?:(?:[ \t]{1,3}|,[ \t]?|\n[ \t]?|\s?-\s?|"
    r"\s?\|\s?)(?:\d{1,2}[.):]?\s{0,2})?[a-zà-ÿ]{3,10}){10,26}(?![^\W\d_])"
)
_ANY_WORD = re.compile(r"[a-zà-ÿ]{3,10}")
_FUNCTION_WORDS = frozenset(
    word_list(
        "the and for with that from are was were has not but his her its our their they them where which who how "
        "why does did been being into than these those your user users prefers likes wants"
    )
)
"""Words of prose that no list of seed words has."""
_SIZES = frozenset((12, 15, 18, 21, 24))
_HEX_SEED = re.compile(r"(?<![\w])(?:0x)?[0-9a-fA-F]{64}(?!\w)")
_KEY_WORDS = vocabulary("privkey private private_key private-key seed mnemonic xprv wallet metamask eth ethereum")
_WIF = re.compile(r"(?<!\w)(?:[5KL][1-9A-HJ-NP-Za-km-z]{50,51}|6P[1-9A-HJ-NP-Za-km-z]{56})(?!\w)")


def find_seed_phrases(view: View) -> Iterator[Span]:
    """SEED_PHRASE: 11 and more short words in a row without function words, after a word for it (or 12/24 exactly without)."""
    if _WORDS.within(view):
        for found in _RUN.finditer(view.text):
            yield from _named(view, found)
    else:
        yield from _bare(view)
    if _KEY_WORDS.within(view):
        for found in _HEX_SEED.finditer(view.text):
            if _KEY_WORDS.near(view, *found.span(), before=40, after=0):
                yield Span(*found.span(), "PRIVATE_KEY", 0.8)
        for found in _WIF.finditer(view.text):
            yield Span(*found.span(), "PRIVATE_KEY", 0.9)


def _named(view: View, found: re.Match[str]) -> Iterator[Span]:
    words = _ANY_WORD.findall(found[0])
    stops = sum(word in _FUNCTION_WORDS for word in words)
    named = _WORDS.near(view, *found.span(), before=64, after=32) or _WORDS.inside(found[0])
    if named and stops <= 1:
        yield Span(*found.span(), "SEED_PHRASE", 0.85)


def _bare(view: View) -> Iterator[Span]:
    """Lines of exactly 12, 15, 18, 21 or 24 short words, none of them a function word."""
    at = 0
    for line in view.text.splitlines(keepends=True):
        words = line.rpartition(":")[2].split()
        if len(words) in _SIZES and all(map(_is_seed_word, words)):
            start = at + line.index(words[0], line.rfind(":") + 1)
            yield Span(start, at + len(line.rstrip()), "SEED_PHRASE", 0.6)
        at += len(line)


def _is_seed_word(word: str) -> bool:
    return 3 <= len(word) <= 8 and word.isalpha() and word.islower() and word not in _FUNCTION_WORDS


SEED_PHRASES = Finder(("SEED_PHRASE", "PRIVATE_KEY"), find_seed_phrases)
