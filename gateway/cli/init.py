"""`eluvix init`: asks what it needs to know, and writes configuration, certificate, admin password and first key."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gateway.cli.common import YesOption, load_settings, new_commands, read_settings, usable_home
from gateway.cli.files import written
from gateway.cli.firstrun import FIRST_KEY, admin_password
from gateway.cli.progress import working
from gateway.cli.screen import confirmed, say, show
from gateway.cli.state import opened_state, run
from gateway.errors import ConfigError
from gateway.settings import example_text
from gateway.settings.load import CONFIG_NAME
from gateway.storage.keys import KeyStore
from gateway.tls import ensure_certificate
from gateway.upstreams.discovery import discover

if TYPE_CHECKING:
    from gateway.upstreams.base import UpstreamConfig

app = new_commands()
_UPSTREAMS = re.compile(r"^upstreams:.*$", re.MULTILINE)


@app.command()
def init(
    config: Annotated[
        Path | None,
        typer.Option(
            "--config", "-c", envvar="ELUVIX_CONFIG", help="Where to write. Default: config.yaml in the home folder.", dir_okay=False
        ),
    ] = None,
    yes: YesOption = False,
    force: Annotated[bool, typer.Option("--force", help="Write the configuration anew; the old one is kept beside.")] = False,
    key: Annotated[bool, typer.Option("--key/--no-key", help="Make a first key. From then on every client needs one.")] = True,
) -> None:
    """Set up: configuration, certificate, admin password and a first key."""
    home = usable_home()
    file = config or home / CONFIG_NAME
    _check_target(file, force=force)
    _checked(example_text(), file)  # the environment may be wrong: said before anything is asked
    chosen = _chosen_upstreams(yes=yes)
    wants_key = key and (yes or confirmed("Make a first key? From then on every client needs one.", default=True))
    _write(file, _checked(with_upstreams(example_text(), [upstream.name for upstream in chosen]), file))
    loaded = load_settings(file)
    say(f"Configuration:  {file}")
    if loaded.settings.server.tls == "on" and loaded.settings.server.certificate is None:
        say(f"Certificate:    {ensure_certificate(home).certificate}")
    say(f"Admin password: {admin_password(loaded).file or 'as configured'}")
    if wants_key:
        _first_key(file)
    say("Start it with: eluvix serve")


def with_upstreams(text: str, names: list[str]) -> str:
    """The example with these presets in its `upstreams`. Raises ConfigError when the example has no such section."""
    if not names:
        return text
    lines = ["upstreams:", *(f"  {name}: {{preset: {name}}}" for name in names)]
    changed, count = _UPSTREAMS.subn("\n".join(lines), text, count=1)
    if not count:
        message = "The packaged config.example.yaml has no `upstreams:`. Use --force after reinstalling Eluvix."
        raise ConfigError(message)
    return changed


def _chosen_upstreams(*, yes: bool) -> list[UpstreamConfig]:
    with working("Looking for model servers on this machine"):
        found = run(discover(os.environ))
    if not found:
        say("No model server was found on this machine; add yours under `upstreams` later. eluvix/inspect works without one.")
    for upstream in found:
        say(f"Found {upstream.name} at {upstream.url}.")
    return [upstream for upstream in found if yes or confirmed(f"Use {upstream.name} at {upstream.url}?", default=True)]


def _check_target(file: Path, *, force: bool) -> None:
    if file.exists() and not force:
        message = f"{file} exists already. Edit it, or use --force to write it anew (the old one is kept)."
        raise ConfigError(message)
    if not file.parent.is_dir():
        message = f"There is no folder {file.parent}. Make it first."
        raise ConfigError(message)


def _checked(text: str, file: Path) -> str:
    """The same text, if it is a valid configuration together with the environment. Raises ConfigError that speaks of `file`."""
    with tempfile.TemporaryDirectory() as folder:
        trial = Path(folder) / CONFIG_NAME
        trial.write_text(text, encoding="utf-8")
        try:
            read_settings(trial)
        except ConfigError as error:
            raise ConfigError(str(error).replace(str(trial), str(file))) from None
    return text


def _write(file: Path, text: str) -> None:
    """Replaces the file in one step; the old one is kept beside."""
    if file.exists():
        old = file.with_name(f"{file.name}.{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}.old")
        shutil.copy2(file, old)
        say(f"The old configuration is kept as {old}.")
    with written(file, force=True) as target:
        target.write(text.encode())


def _first_key(file: Path) -> None:
    async def work() -> str | None:
        async with opened_state(file) as (loaded, state):
            store = KeyStore(state)
            if await store.all() or loaded.settings.keys:
                return None
            return await store.add(FIRST_KEY, None)

    made = run(work())
    if made is None:
        say("There is a key already; `eluvix keys list` shows which, `eluvix keys rotate NAME` gives one a new value.")
        return
    say(f"The key {FIRST_KEY!r}, shown this once (any user):")
    show(made)
