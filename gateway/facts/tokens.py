"""An estimate of how many tokens a text has. Near enough for levels; what is sent is counted exactly elsewhere."""

from __future__ import annotations

import re

_PIECE = re.compile(
    r"(?P<latin>[A-Za-z\u00c0-\u024f']+)|(?P<digits>\d+)|(?P<wide>[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff])|"
    r"(?P<other>[^\W\d_A-Za-z]+)|(?P<sign>\S)"
)
_LETTERS = {"latin": 6, "digits": 3, "wide": 1, "other": 3, "sign": 1}
"""Characters of a token in each kind of piece: a longer piece counts for more than one."""


def estimate(text: str) -> int:
    """About the number of tokens in o200k_base."""
    return sum(_size(piece) for piece in _PIECE.finditer(text))


def within(text: str, limit: int) -> str:
    """The longest start of `text` of at most `limit` tokens, cut at white space where there is some, and with "\u2026" where it was cut."""
    left = limit - 1
    for piece in _PIECE.finditer(text):
        left -= _size(piece)
        if left < 0:
            return _cut(text, piece, left + _size(piece))
    return text


def _size(piece: re.Match[str]) -> int:
    kind = piece.lastgroup or "sign"
    return -(-len(piece[0]) // _LETTERS[kind])


def _cut(text: str, piece: re.Match[str], left: int) -> str:
    """The text before `piece`, or within it where it is all there is."""
    kind = piece.lastgroup or "sign"
    end = piece.start()
    if not text[:end].strip():
        end += left * _LETTERS[kind]
    elif kind != "wide" and not text[end - 1].isspace():
        space = max(text.rfind(" ", 0, end), text.rfind("\n", 0, end))
        end = space if space > end // 2 else end
    return text[:end].rstrip(" \t\n,;:-\u2013\u2014\uff0c\u3001") + "\u2026"
