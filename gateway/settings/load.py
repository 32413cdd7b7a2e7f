"""Loading the configuration: defaults < YAML < environment < flags. Whatever is wrong is said at once, with the fix."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from gateway.errors import ConfigError
from gateway.settings.checks import problems_of, warnings_of
from gateway.settings.model import Settings
from gateway.settings.problems import config_error, from_validation
from gateway.settings.sources import Layer, read_environment, read_overrides, read_yaml

if TYPE_CHECKING:
    from collections.abc import Mapping

CONFIG_NAME = "config.yaml"
_NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Loaded:
    """A valid configuration and where it came from."""

    settings: Settings
    home: Path
    config_file: Path | None
    """The YAML file that was read, if any."""
    warnings: tuple[str, ...] = ()


def home_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """`$ELUVIX_HOME`, else ~/.config/eluvix; absolute. It need not exist. Raises ConfigError where there is no home to be found."""
    given = environ.get("ELUVIX_HOME")
    try:
        return Path(given or "~/.config/eluvix").expanduser().absolute()
    except RuntimeError:
        message = "This user has no home folder. Set ELUVIX_HOME to a folder that can be written."
        raise ConfigError(message) from None


def make_home(home: Path) -> Path:
    """Creates the home folder, for this user only. Raises ConfigError when that cannot be."""
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        probe = home / f".writable-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        message = f"The home folder {home} cannot be written: {error.strerror}. Mend its permissions, or set ELUVIX_HOME to another folder."
        raise ConfigError(message) from None
    return home


def load(config: Path | None = None, *, environ: Mapping[str, str] = os.environ, overrides: Mapping[str, Any] = _NOTHING) -> Loaded:
    """The configuration in force. `config` names a YAML file; None = `config.yaml` in the home folder, if it is there.

    A file in the working directory is never picked up: a cloned repository could redirect traffic with it. Raises ConfigError.
    """
    home = home_folder(environ)
    chosen = config or _named(environ)
    path = chosen or home / CONFIG_NAME
    file = path if chosen or path.is_file() else None
    layer = read_yaml(path, environ) if file else Layer()
    layer = layer.under(read_environment(environ)).under(read_overrides(overrides))
    settings = _validated(layer, file)
    return Loaded(settings, home, file, layer.warnings + tuple(warnings_of(settings)))


def _validated(layer: Layer, file: Path | None) -> Settings:
    try:
        settings = Settings.model_validate(layer.values)
    except ValidationError as error:
        raise config_error((*layer.problems, *from_validation(error.errors())), layer.origins, file) from None
    problems = (*layer.problems, *problems_of(settings))
    if problems:
        raise config_error(problems, layer.origins, file)
    return settings


def _named(environ: Mapping[str, str]) -> Path | None:
    given = environ.get("ELUVIX_CONFIG")
    return Path(given).expanduser() if given else None
