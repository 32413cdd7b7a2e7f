"""`eluvix guard`: what the egress guard would find in a text."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gateway.app.translate import policy_of
from gateway.cli.common import ConfigOption, new_commands, read_settings
from gateway.cli.files import lines_of
from gateway.cli.progress import working
from gateway.cli.screen import plain, say

if TYPE_CHECKING:
    from collections.abc import Iterator

app = new_commands("The egress guard: scan a text and see what it finds.")

_COLOURS = {"none": "green", "medium": "yellow", "high": "red"}


@app.callback()
def group() -> None:
    """Keeps `scan` a command of its own."""


@app.command()
def scan(
    file: Annotated[Path | None, typer.Argument(help="The text; - or nothing reads standard input.", allow_dash=True)] = None,
    jsonl: Annotated[bool, typer.Option("--jsonl", help='One {"id", "text"} a line in, one result a line out.')] = False,
    config: ConfigOption = None,
) -> None:
    """Show what would be masked, line by line, and how sensitive each line is. Nothing is sent or kept."""
    import orjson

    policy = policy_of(read_settings(config).settings)
    lines = _text(file)  # before the recognizers are loaded: that takes seconds
    with working("Loading the recognizers"):
        from gateway.egress.classify import Classifier
        from gateway.egress.report import scan_lines

        classifier = Classifier(policy)
    for row in scan_lines(lines, classifier.spans, policy, jsonl=jsonl):
        if jsonl:
            sys.stdout.buffer.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
        else:
            _show(row)


def _text(file: Path | None) -> Iterator[str]:
    """Lines, where what is not UTF-8 is replaced: the rest of the line is worth a look."""
    if (file is None or str(file) == "-") and sys.stdin is not None and sys.stdin.isatty():
        say("Reading standard input; end it with Ctrl-D.")
    lines = lines_of(file)
    first = next(lines, b"")

    def decoded() -> Iterator[str]:
        yield first.decode(errors="replace")
        for line in lines:
            yield line.decode(errors="replace")

    return decoded()


def _show(row: dict[str, Any]) -> None:
    level = row["sensitivity"]
    kinds = ", ".join(sorted({span[2] for span in row["spans"]}))
    typer.secho(f"{level:8}", fg=_COLOURS[level], nl=False)
    typer.echo(plain(row["masked"]), nl=not kinds)
    if kinds:
        typer.secho(f"  ({kinds})", dim=True)
