"""What `check` and `doctor` have found."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal

import typer

from gateway.cli.screen import plain, show_json

if TYPE_CHECKING:
    from collections.abc import Sequence

Level = Literal["ok", "warning", "error"]
_COLOURS = {"ok": "green", "warning": "yellow", "error": "red"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    what: str
    level: Level
    detail: str


def tell(findings: Sequence[Finding], *, as_json: bool) -> None:
    """Shows them, and ends the command with 1 when something is wrong."""
    wrong = any(finding.level == "error" for finding in findings)
    if as_json:
        show_json({"ok": not wrong, "findings": [asdict(finding) for finding in findings]})
    else:
        for finding in findings:
            typer.secho(f"{finding.level:8}", fg=_COLOURS[finding.level], nl=False)
            typer.echo(plain(f"{finding.what}: {finding.detail}"))
    if wrong:
        raise typer.Exit(1)
