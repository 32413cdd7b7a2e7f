"""Other ways to read a text: canonical characters, escapes undone, line breaks joined, encoded runs decoded. Offsets are kept."""

from __future__ import annotations

import base64
import binascii
import html
import re
import string
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from gateway.egress.confusables import CONFUSABLES, SAME
from gateway.egress.views import View

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Piece = tuple[int, int, str]
"""Characters start..end of a text are to be read as that string."""

_FOREIGN = re.compile(r"[^\x00-\x7f]|(?<=[^\x00-\x7f])[\u0300-\u036f]")
_COMPOUND = re.compile(r"[\w.@+\-]+")
_SEGMENT = re.compile(r"[^\W_]+")
_ESCAPE = re.compile(
    r"%[0-9A-Fa-f]{2}|\\u\{?[0-9A-Fa-f]{4}\}?|\\x[0-9A-Fa-f]{2}|&#x?[0-9A-Fa-f]{2,6};|&(?:amp|lt|gt|quot|apos|commat|num|period);"
)
_BREAK = re.compile(r"\r?\n[ \t>|#*]*(?=[\w+/=.~\-])")
_TRAILING = " \t\\`^"
_TOKEN = string.ascii_letters + string.digits + "_+/=~-"
_QUOTES = re.compile(r"""["'][ \t]*[+.&|]?[.|]?[ \t]*["']\w""")
_SPLICE = re.compile(r"""(?<=\w)["'][ \t]*(?:\+|\.|&|\|\||\.\.)?[ \t]*["'](?=\w)""")
_HEX = re.compile(r"(?<![0-9A-Za-z])(?:0x|\\x)?((?:[0-9a-fA-F]{2}[ :]?){8,})(?![0-9A-Za-z])")
_HEX_START = re.compile(r"[0-9a-fA-F]{16}|[0-9a-fA-F]{2}[ :][0-9a-fA-F]{2}[ :][0-9a-fA-F]{2}[ :]")
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_\-])[A-Za-z0-9+/_\-]{12,}={0,2}")


def view_of(text: str) -> View:
    """The canonical view: invisible characters gone, compatibility forms, digits, dashes and quotes made plain, look-alikes folded."""
    if text.isascii():
        return View(text)
    folded = rewrite(View(text), _foreign_pieces(text))
    return View(_fold_look_alikes(folded.text), folded.starts, folded.ends)


def rewrite(view: View, pieces: Iterable[Piece]) -> View:
    """`view` with some of its characters read differently. `pieces` are sorted and do not overlap."""
    text, parts = view.text, []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    for start, end, reading in pieces:
        parts += [text[at:start], reading]
        _keep(view, at, start, starts, ends)
        source = view.source(start, end)
        starts += [source[0]] * len(reading)
        ends += [source[1]] * len(reading)
        at = end
    parts.append(text[at:])
    _keep(view, at, len(text), starts, ends)
    return View("".join(parts), tuple(starts), tuple(ends))


def _keep(view: View, start: int, end: int, starts: list[int], ends: list[int]) -> None:
    if view.starts is None or view.ends is None:
        starts.extend(range(start, end))
        ends.extend(range(start + 1, end + 1))
    else:
        starts.extend(view.starts[start:end])
        ends.extend(view.ends[start:end])


def unescaped(view: View) -> View | None:
    """Percent, backslash and entity escapes undone; None when there are none."""
    if not any(mark in view.text for mark in ("%", "\\u", "\\x", "&")):
        return None
    pieces = [(*found.span(), _unescape(found[0])) for found in _ESCAPE.finditer(view.text)]
    return rewrite(view, pieces) if pieces else None


def _unescape(escape: str) -> str:
    if escape[0] == "&":
        return html.unescape(escape)[:1]
    code = int(escape.lstrip("%\\ux{=").rstrip("}"), 16)
    return chr(code) if code > 31 and not 0xD800 <= code < 0xE000 else ""


def joined(view: View) -> Iterator[View]:
    """The text with every line break inside what could be a token taken out; with two or more, also every other one. Split strings too."""
    breaks = [piece for found in _BREAK.finditer(view.text) for piece in _split_token(found)]
    if breaks:
        yield rewrite(view, breaks)
    if len(breaks) > 1:
        yield rewrite(view, breaks[::2])
        yield rewrite(view, breaks[1::2])
    if _QUOTES.search(view.text):
        splices = [(*found.span(), "") for found in _SPLICE.finditer(view.text)]
        if splices:
            yield rewrite(view, splices)


def _split_token(found: re.Match[str]) -> Iterator[Piece]:
    """The break with the blanks around it, if what it parts is as long as a token and has digits."""
    text, end = found.string, found.end()
    before = text[max(0, found.start() - 160) : found.start()]
    kept = before.rstrip(_TRAILING)
    left = kept[len(kept.rstrip(_TOKEN)) :]
    after = text[end : end + 80]
    right = after[: len(after) - len(after.lstrip(_TOKEN))]
    if left and right and len(left) + len(right) >= 16 and any(map(str.isdigit, left + right)):
        yield found.start() - len(before) + len(kept), end, ""


def decoded(view: View) -> View | None:
    """What base64 and hex runs say, one below the other; each character stands for its whole run. None when nothing is readable."""
    runs = sorted(_readable(view))
    if not runs:
        return None
    text, starts, ends = "", [], []
    for start, end, reading in runs:
        source = view.source(start, end)
        text += reading + "\n"
        starts += [source[0]] * (len(reading) + 1)
        ends += [source[1]] * (len(reading) + 1)
    return View(text, tuple(starts), tuple(ends))


def _readable(view: View) -> Iterator[Piece]:
    for found in _HEX.finditer(view.text) if _HEX_START.search(view.text) else ():
        yield from _printable(*found.span(), found[1], _from_hex)
    for start, end in view.blobs:
        for found in _BASE64.finditer(view.text, start, end):
            yield from _printable(*found.span(), found[0], _from_base64)


def _printable(start: int, end: int, run: str, decode: Callable[[str], bytes]) -> Iterator[Piece]:
    try:
        reading = decode(run).decode("utf-8")
    except ValueError:
        return
    if len(reading) >= 6 and all(char.isprintable() or char in "\t\r\n" for char in reading):
        yield start, end, reading.replace("\n", " ")


def _from_hex(run: str) -> bytes:
    return bytes.fromhex(run.replace(":", " "))


def _from_base64(run: str) -> bytes:
    body = run.rstrip("=").translate({45: 43, 95: 47})
    if len(body) % 4 == 1:
        raise binascii.Error
    return base64.b64decode(body + "=" * (-len(body) % 4), validate=True)


def _foreign_pieces(text: str) -> Iterator[Piece]:
    for found in _FOREIGN.finditer(text):
        reading = _plain(found[0])
        if reading != found[0]:
            yield found.start(), found.end(), reading


@lru_cache(maxsize=4096)
def _plain(char: str) -> str:
    """One character in its plain form; "" for what cannot be seen."""
    if char in SAME:
        return SAME[char]
    if _invisible(char):
        return ""
    digit = unicodedata.decimal(char, None)
    if digit is not None:
        return str(digit)
    return unicodedata.normalize("NFKC", char).translate(_LAST_FORM)


_LAST_FORM = str.maketrans({"\u0130": "I", "\u2044": "/"})


def _invisible(char: str) -> bool:
    code = ord(char)
    variation = 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF or 0x180B <= code <= 0x180F
    filler = code in {0x115F, 0x1160, 0x3164, 0xFFA0, 0x034F, 0x17B4, 0x17B5, 0x2800}
    mark = 0x0300 <= code <= 0x036F
    return variation or filler or mark or unicodedata.category(char) == "Cf"


def _fold_look_alikes(text: str) -> str:
    """Latin letters for the foreign ones that look like them, in words that mix both: never in a word of one script."""
    if text.isascii():
        return text
    return _COMPOUND.sub(_fold_compound, text)


def _fold_compound(found: re.Match[str]) -> str:
    compound = found[0]
    if compound.isascii() or not any("a" <= char <= "z" or "A" <= char <= "Z" for char in compound):
        return compound
    address = "@" in compound
    return _SEGMENT.sub(lambda segment: _fold_segment(segment[0], address), compound)


def _fold_segment(segment: str, address: bool) -> str:
    """In an address even a word made of look-alikes only is folded."""
    folded = segment.translate(CONFUSABLES)
    mixed = any("a" <= char <= "z" or "A" <= char <= "Z" for char in segment)
    return folded if mixed or (address and folded.isascii()) else segment
