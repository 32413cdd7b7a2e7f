"""`eluvix backup`: the databases as one file, made while the gateway runs; put back while it does not."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gateway.cli.backups import back_up, new_backup, put_back
from gateway.cli.common import ConfigOption, YesOption, load_settings, new_commands
from gateway.cli.files import written
from gateway.cli.progress import working
from gateway.cli.running import home_held
from gateway.cli.screen import must_confirm, say, show
from gateway.cli.state import run
from gateway.errors import BadRequest

app = new_commands("Backups of the databases: create, restore.")


@app.command()
def create(
    file: Annotated[
        Path | None,
        typer.Argument(help="Where to write; - is standard output. Default: a new file in the home folder's backups.", allow_dash=True),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
    config: ConfigOption = None,
) -> None:
    """Write memories, outbox and keys into one file, and print its name. The gateway may go on running."""
    loaded = load_settings(config)
    target = file or new_backup(loaded.home)
    with working("Writing the backup"), written(target, force=force) as archive:
        run(back_up(loaded, archive))
    say("The backup holds everybody's memories in the clear: keep it as safe as the databases.")
    if str(target) != "-":
        show(str(target))


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A file that create wrote.")],
    yes: YesOption = False,
    config: ConfigOption = None,
) -> None:
    """Put a backup in the place of the databases. Stop the gateway first; the databases of now are kept beside."""
    loaded = load_settings(config)
    if not file.is_file():
        message = f"There is no file {file}. Name a file that `eluvix backup create` wrote."
        raise BadRequest(message)
    with home_held(loaded.home, "Stop it first, then restore."):
        must_confirm("Shall the backup take the place of the databases of now?", yes=yes)
        with working("Checking and restoring"):
            kept = run(put_back(loaded, file))
    say(f"Restored from {file}." + (f" What was there before: {kept}" if kept else ""))
