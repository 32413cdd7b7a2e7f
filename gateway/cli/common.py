"""Options that commands share, and reading the configuration."""

from __future__ import annotations

import os
from getpass import getuser
from pathlib import Path
from typing import Annotated

import typer

from gateway.errors import BadRequest, ConfigError
from gateway.identity import USER_RULE, valid_user
from gateway.settings import Loaded, home_folder, load, make_home

ConfigOption = Annotated[
    Path | None, typer.Option("--config", "-c", help="The config file. Default: config.yaml in the Eluvix home folder.", dir_okay=False)
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]
UserOption = Annotated[str | None, typer.Option("--user", "-u", help="Default: ELUVIX_USER, else your login name.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


def new_commands(text: str | None = None) -> typer.Typer:
    """An empty group of commands with this line in its help; without one, a command that stands alone."""
    return typer.Typer(help=text, no_args_is_help=text is not None, add_completion=False, rich_markup_mode=None)


def read_settings(config: Path | None, overrides: dict[str, object] | None = None) -> Loaded:
    """The configuration in force; nothing is made or changed. Raises ConfigError."""
    return load(config, environ=os.environ, overrides=overrides or {})


def load_settings(config: Path | None, overrides: dict[str, object] | None = None) -> Loaded:
    """The configuration in force, its home folder made. Raises ConfigError."""
    usable_home()
    return read_settings(config, overrides)


def usable_home() -> Path:
    """The home folder, made where there is none. Raises ConfigError."""
    home = home_folder(os.environ)
    if home.exists() and not home.is_dir():
        message = f"The home folder {home} is a file. Move it away, or set ELUVIX_HOME to a folder."
        raise ConfigError(message)
    return make_home(home)


def acting_user(named: str | None) -> str:
    """The user whose memories are meant: `--user`, else ELUVIX_USER, else the login name. Raises BadRequest."""
    if named is not None:
        return valid_user(named, "--user")
    if given := os.environ.get("ELUVIX_USER"):
        return valid_user(given, "ELUVIX_USER")
    try:
        return valid_user(getuser(), "login name")
    except (OSError, KeyError, ImportError, BadRequest):
        message = f"Your login name cannot be a user name here, which has {USER_RULE}. Say whose memories are meant: --user NAME."
        raise BadRequest(message, param="--user") from None
