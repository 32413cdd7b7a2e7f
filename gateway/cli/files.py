"""Files that commands read and write; `-` is standard input or output."""

from __future__ import annotations

import os
import secrets
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

from gateway.errors import BadRequest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_BOM = b"\xef\xbb\xbf"


def lines_of(file: Path | None) -> Iterator[bytes]:
    """The lines of a file, or of standard input; a byte order mark at the beginning is left out. Raises BadRequest or OSError."""
    with _opened(file) as source:
        for number, line in enumerate(source):
            yield line if number else line.removeprefix(_BOM)


def text_of_input() -> str:
    """All of standard input. Raises BadRequest when it is not UTF-8."""
    try:
        return b"".join(lines_of(None)).decode()
    except UnicodeDecodeError:
        message = "Standard input is not UTF-8 text. Convert it first, for example with iconv."
        raise BadRequest(message) from None


@contextmanager
def written(file: Path | None, *, force: bool = False) -> Iterator[BinaryIO]:
    """A file to write into, or standard output. A new file is readable for this user only and in its place once all is written.

    Raises BadRequest when it exists and `force` is not given.
    """
    if file is None or str(file) == "-":
        if sys.stdout is None:
            message = "There is no standard output. Name a file."
            raise BadRequest(message)
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    _check_target(file, force=force)
    if file.exists() and not file.is_file():  # a device or a pipe
        with file.open("wb") as target:
            yield target
        return
    fresh = file.with_name(f".{secrets.token_hex(4)}.part")
    try:
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as target:
            yield target
        fresh.replace(file)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


def _check_target(file: Path, *, force: bool) -> None:
    if file.is_dir():
        message = f"{file} is a folder. Name a file in it."
        raise BadRequest(message)
    if not file.parent.is_dir():
        message = f"There is no folder {file.parent}. Make it, or name a file elsewhere."
        raise BadRequest(message)
    if file.is_file() and not force:
        message = f"{file} exists already. Name another file, or use --force to replace it."
        raise BadRequest(message)


@contextmanager
def _opened(file: Path | None) -> Iterator[BinaryIO]:
    if file is None or str(file) == "-":
        if sys.stdin is None:
            message = "There is no standard input. Name a file."
            raise BadRequest(message)
        yield sys.stdin.buffer
        return
    if not file.exists():
        message = f"There is no file {file}. Check its name, or use - for standard input."
        raise BadRequest(message)
    with file.open("rb") as source:
        yield source
