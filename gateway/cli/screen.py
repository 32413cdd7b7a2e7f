"""Where the commands write: results to standard output, everything else to standard error."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

import typer

from gateway.errors import BadRequest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that could make a terminal do or show something else, and those that no encoding can carry."""
_ANSWERS = {"y": True, "yes": True, "n": False, "no": False}


def say(text: str) -> None:
    """A word to the person, on standard error."""
    typer.echo(plain(text), err=True)


def show(text: str) -> None:
    """A result, on standard output."""
    typer.echo(plain(text))


def show_json(value: Any) -> None:
    """A result for a script, on standard output; always UTF-8."""
    import orjson

    typer.echo(orjson.dumps(value, option=orjson.OPT_INDENT_2, default=str))


def show_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table on a terminal; elsewhere one row a line, its cells separated by tabs and without a heading. The first column is whole."""
    cells = [[" ".join(plain(cell).split()) for cell in row] for row in rows]
    if not sys.stdout.isatty():
        for row in cells:
            typer.echo("\t".join(row))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*columns)
    table.columns[0].no_wrap = True
    for row in cells:
        table.add_row(*map(Text, row))
    Console().print(table)


def plain(text: str) -> str:
    """`text` with its control characters spelled out: it may hold what somebody else wrote."""
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def confirmed(question: str, *, default: bool = False) -> bool:
    """Asks on standard error until the answer is yes or no. Raises BadRequest when there is nobody to answer."""
    while True:
        typer.echo(f"{plain(question)} [{'Y/n' if default else 'y/N'}] ", nl=False, err=True)
        answer = sys.stdin.readline() if sys.stdin is not None else ""
        if not answer:
            typer.echo(err=True)
            message = "There was nobody to answer. Use --yes to go on without being asked."
            raise BadRequest(message)
        if not answer.strip():
            return default
        if answer.strip().lower() in _ANSWERS:
            return _ANSWERS[answer.strip().lower()]


def must_confirm(question: str, *, yes: bool) -> None:
    """Ends the command when the answer is no; with `yes` nobody is asked."""
    if not yes and not confirmed(question):
        say("Nothing was changed.")
        raise typer.Exit(1)
