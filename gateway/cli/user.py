"""`eluvix user`: everything of one user, in every store: taken out as a file, or erased."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gateway.cli.common import ConfigOption, JsonOption, YesOption, new_commands
from gateway.cli.desk import opened
from gateway.cli.erasure import Erased, erase_user, records_of
from gateway.cli.files import written
from gateway.cli.keys import LAST_KEY
from gateway.cli.progress import working
from gateway.cli.screen import must_confirm, say, show_json
from gateway.cli.state import run
from gateway.identity import valid_user

if TYPE_CHECKING:
    from typing import BinaryIO

app = new_commands("Everything of one user, in every store: export, erase.")

NameArgument = Annotated[str, typer.Argument(help="The user's name.")]


@app.command("export")
def export_(
    name: NameArgument,
    file: Annotated[Path | None, typer.Argument(help="Where to write; - or nothing is standard output.", allow_dash=True)] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
    config: ConfigOption = None,
) -> None:
    """Write everything that is kept of a user as JSONL: memories, turns that still wait, keys (without their values)."""
    import orjson

    valid_user(name, "name")

    async def work(target: BinaryIO) -> int:
        count = 0
        async with opened(config) as desk:
            async for record in records_of(desk, name):
                target.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))
                count += 1
        return count

    with written(file, force=force) as target, working("Exporting"):
        count = run(work(target))
    say(f"Exported: {count} records of {name}.")


@app.command()
def erase(name: NameArgument, yes: YesOption = False, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Erase everything of a user: memories, turns that wait, keys, cached answers. Backups are named, since they are files of yours."""
    valid_user(name, "name")
    must_confirm(f"Erase everything of {name}? There is no way back.", yes=yes)

    async def work() -> Erased:
        async with opened(config) as desk:
            return await erase_user(desk, name)

    with working("Erasing"):
        erased = run(work())
    if as_json:
        show_json(erased.as_json())
    else:
        _tell(erased)
    if erased.traces or not erased.running_gateway_agreed:
        raise typer.Exit(1)


def _tell(erased: Erased) -> None:
    say(f"Erased of {erased.user}: {erased.memories} memories, {erased.turns} turns, {erased.keys} keys.")
    if not erased.keys_left and erased.keys:
        say(LAST_KEY)
    for key in erased.configured_keys:
        say(f"The key {key!r} in the configuration is bound to {erased.user}: take it out there.")
    for backup in erased.backups:
        say(f"This backup still holds what was there when it was made: {backup}")
    for name in erased.traces:
        say(f"Another program was reading {name}, so that traces may be left on its unused pages. Run this again later.")
    if not erased.running_gateway_agreed:
        say("The running gateway did not answer. Restart it: until then it may keep answers of this user in its memory.")
