"""Private keys in their files' own notations: from the line that begins one to the line that ends it, or as far as one can reach."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gateway.egress.rules.base import Finder
from gateway.egress.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gateway.egress.views import View

BLOCKS: tuple[tuple[str, re.Pattern[str], str, str], ...] = (
    # literal in lower case, how a block begins, what must be in it, how it ends
    ("private key", re.compile(r"-{3,5} ?BEGIN[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{0,5}"), "", "-----END"),
    ("encrypted private", re.compile(r"(?:---- )?BEGIN SSH2 ENCRYPTED PRIVATE KEY"), "", "END SSH2"),
    ("putty-user-key", re.compile(r"PuTTY-User-Key-File-[23]:"), "", "Private-MAC:"),
    ("private-lines", re.compile(r"Private-Lines:"), "", "Private-MAC:"),
    ("<rsakeyvalue", re.compile(r"<RSAKeyValue>"), "<D>", "</RSAKeyValue>"),
    ("openssh-key-v1", re.compile(r"openssh-key-v1"), "", "\n\n"),
)
_LONGEST = 16_000
_UNENDED = 4_000


def find_key_blocks(view: View) -> Iterator[Span]:
    """PRIVATE_KEY spans. A block without an end counts as far as the next one, or 4,000 characters."""
    for literal, begin, inside, end in BLOCKS:
        if literal not in view.lower:
            continue
        at = 0
        while found := begin.search(view.text, at):
            at = _end_of(view.text, found.end(), end)
            if not inside or view.text.find(inside, found.end(), at) >= 0:
                yield Span(found.start(), at, "PRIVATE_KEY", 0.95)


def _end_of(text: str, start: int, end: str) -> int:
    closing = text.find(end, start, start + _LONGEST)
    if closing < 0:
        return min(len(text), start + _UNENDED)
    line = text.find("\n", closing + len(end))
    stop = line if 0 <= line - closing < 80 + len(end) else min(len(text), closing + len(end) + 45)
    dashes = text.rfind("-----", closing + len(end), stop)
    return dashes + 5 if dashes >= 0 else stop


KEY_BLOCKS = Finder(("PRIVATE_KEY",), find_key_blocks)
