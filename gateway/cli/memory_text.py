"""Texts that a person gives to be remembered, and what may be wrong with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.cli.files import lines_of, text_of_input
from gateway.errors import BadRequest, NotFound
from gateway.memories import MAX_TEXT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Lines:
    """The lines of a file for an import. Remembers which are not UTF-8, so that this can be said of them."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._unreadable: set[int] = set()

    def __iter__(self) -> Iterator[bytes]:
        for number, line in enumerate(lines_of(self._file), 1):
            try:
                line.decode()
            except UnicodeDecodeError:
                self._unreadable.add(number)
            yield line

    def problem(self, number: int, problem: str) -> str:
        """What is wrong with a line: `problem`, unless it is that it is no text."""
        return "this is not UTF-8 text; convert the file first, for example with iconv" if number in self._unreadable else problem


def checked_input(text: str) -> str:
    """A memory's text, from standard input for `-`. Raises BadRequest."""
    return checked(text_of_input() if text == "-" else text, "text")


def checked(text: str, what: str) -> str:
    """`text` without white space around it. Raises BadRequest when it is empty, too long or not Unicode."""
    stripped = text.strip()
    if not stripped or len(stripped) > MAX_TEXT:
        message = f"The {what} must have 1 to {MAX_TEXT} characters."
        raise BadRequest(message)
    if not stripped.isascii() and stripped.encode(errors="replace").decode() != stripped:
        message = f"The {what} is not UTF-8 text. Convert it first, for example with iconv."
        raise BadRequest(message)
    return stripped


def not_leaving() -> BadRequest:
    """The provider is elsewhere and the text stays here."""
    return BadRequest("The memory provider is not local and this text is too sensitive to leave: nothing was stored.")


def unknown(memory_id: str) -> NotFound:
    """There is no such memory."""
    return NotFound(f"This user has no memory {memory_id!r}. `eluvix memory list` shows the ids; --user says whose they are.")
