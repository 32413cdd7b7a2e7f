"""Where settings come from: the YAML file, the environment, and flags. Each becomes a layer; upper layers win key by key."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
from ruamel.yaml import YAML
from ruamel.yaml.constructor import DuplicateKeyError
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from gateway.errors import ConfigError
from gateway.settings.model import Settings, route_list
from gateway.settings.problems import Problem, similar_key
from gateway.settings.reading import Reader
from gateway.settings.shape import at, below, is_compound, is_list

if TYPE_CHECKING:
    from collections.abc import Mapping

PREFIX = "ELUVIX_"
NOT_SETTINGS = frozenset({"ELUVIX_HOME", "ELUVIX_USER", "ELUVIX_CONFIG", "ELUVIX_CONTAINER"})
"""Variables of ours that are no settings."""


@dataclass(frozen=True, slots=True)
class Layer:
    """What one source gives."""

    values: dict[str, Any] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)
    """Key path -> where it stands: `line 3`, `ELUVIX_SERVER__PORT`."""
    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()

    def under(self, above: Layer) -> Layer:
        """Both, where `above` wins key by key; lists are replaced whole."""
        origins = {path: where for path, where in self.origins.items() if not _replaced(path, above)}
        return Layer(
            merged(self.values, above.values),
            above.origins | origins,  # a section that both speak of is found where it was first written
            self.problems + above.problems,
            self.warnings + above.warnings,
        )


def merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Both mappings, where `above` wins key by key."""
    result = dict(below)
    for key, value in above.items():
        old = result.get(key)
        result[key] = merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return result


def read_yaml(path: Path, environ: Mapping[str, str]) -> Layer:
    """Reads a config file (YAML 1.2). Raises ConfigError that names the file and, where it can, the line."""
    try:
        document = YAML(typ="rt").load(path.read_text(encoding="utf-8"))
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}. Check the path and its permissions."
        raise ConfigError(message) from None
    except UnicodeDecodeError:
        message = f"{path} is not UTF-8 text. Save it as UTF-8."
        raise ConfigError(message) from None
    except YAMLError as error:
        raise ConfigError(_yaml_problem(path, error)) from None
    if document is None:
        return Layer()
    if not isinstance(document, dict):
        message = f"{path} must hold keys and values such as `server:`. Write `key: value`, with a space after the colon."
        raise ConfigError(message)
    return _layer(Reader(path.absolute().parent, environ), document)


def read_environment(environ: Mapping[str, str]) -> Layer:
    """`ELUVIX_SERVER__PORT=8080` -> `{"server": {"port": "8080"}}`; lists and mappings are JSON. Empty variables count as not set."""
    layer = Layer()
    names = [name for name, text in environ.items() if name.startswith(PREFIX) and text.strip() and name not in NOT_SETTINGS]
    for name in sorted(names):  # the more precise ones come later and win
        layer = layer.under(_variable(name, environ))
    return layer


def read_overrides(overrides: Mapping[str, Any]) -> Layer:
    """Flags, as nested mappings by key. None stands for a flag that was not given."""
    return _layer(Reader(Path.cwd(), None, "command line"), overrides)


def _layer(reader: Reader, node: Mapping[Any, Any]) -> Layer:
    values = reader.mapping(node, Settings)
    if "routes" in values:
        values["routes"] = route_list(values["routes"])  # a list in either form, so that a higher source replaces it whole
    return Layer(values, reader.origins, tuple(reader.problems))


def _variable(name: str, environ: Mapping[str, str]) -> Layer:
    path = tuple(name[len(PREFIX) :].lower().split("__"))
    annotation: Any = Settings
    for number, key in enumerate(path):
        inner = None if is_list(annotation) else below(annotation, key)
        if inner is None:
            return Layer(warnings=(_unknown_variable(name, path[:number], key),))
        annotation = inner
    value, problem = _parsed(environ[name], annotation, path)
    if problem:
        return Layer(origins={problem.path: name}, problems=(problem,))
    for key in reversed(path):
        value = {key: value}
    return _layer(Reader(Path.cwd(), environ if is_compound(annotation) else None, name), value)


def _parsed(text: str, annotation: Any, path: tuple[str, ...]) -> tuple[Any, Problem | None]:
    if not is_compound(annotation):
        return text, None
    try:
        return orjson.loads(text), None
    except orjson.JSONDecodeError:
        text = 'must be JSON, such as ["a", "b"] or {"key": "value"}. Check its quotes and brackets.'
        return None, Problem(".".join(path), text)


def _unknown_variable(name: str, parents: tuple[str, ...], key: str) -> str:
    if is_list(at(Settings, parents)):
        hint = f" Lists are given whole: set {PREFIX}{'__'.join(parents).upper()} to JSON."
    else:
        similar = similar_key(parents, key, "__")
        hint = f" Did you mean {PREFIX}{similar.upper()}?" if similar else ""
    return f"the environment variable {name} is not a setting and was ignored.{hint}"


def _replaced(path: str, above: Layer) -> bool:
    """Whether what stands at `path` gives way to a list or a plain value that `above` puts at it or above it."""
    keys = path.split(".")
    return any(_gives_value(above, keys[:length]) for length in range(1, len(keys) + 1))


def _gives_value(layer: Layer, keys: list[str]) -> bool:
    value: Any = layer.values
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            return False
        value = value[key]
    return not isinstance(value, dict)


def _yaml_problem(path: Path, error: YAMLError) -> str:
    """What is wrong with the YAML and where. ruamel's own words quote values, which may be secrets: those are left out."""
    mark = error.problem_mark if isinstance(error, MarkedYAMLError) else None
    where = f"{path}, line {mark.line + 1}, column {mark.column + 1}" if mark else str(path)
    problem = str(getattr(error, "problem", None) or "")
    if isinstance(error, DuplicateKeyError):
        key = re.match(r'found duplicate key "([^"]*)"', problem)
        return f"{where}: the key {key[1] if key else ''} is given twice. Keep one of them."
    shown = re.sub(r"""(["'<]).{2,}\1|'<.*>'""", "...", problem)
    return f"{where}: this is not YAML{f' ({shown})' if shown else ''}. Check indentation and put texts with special characters in quotes."
