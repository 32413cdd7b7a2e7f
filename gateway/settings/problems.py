"""Every problem of a configuration in one message: which key, where it stands, what is wrong, and the fix."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from gateway.errors import ConfigError
from gateway.settings.model import Settings
from gateway.settings.shape import at, key_paths, keys_of, spelled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from pydantic_core import ErrorDetails


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong. `path` is the key (`server.port`), `text` says what is wrong and the fix, and never a secret."""

    path: str
    text: str


def config_error(problems: Iterable[Problem], origins: Mapping[str, str], file: Path | None) -> ConfigError:
    """One error that lists them all, the first of each key. `origins`: key path -> where it stands (`line 3`)."""
    first: dict[str, Problem] = {}
    for problem in problems:
        first.setdefault(problem.path, problem)
    ordered = sorted(first.values(), key=lambda problem: _line(_origin(problem.path, origins)))
    lines = [f"  - {_placed(problem.path, origins)}: {problem.text}" for problem in ordered]
    where = f" in {file}" if file else ""
    return ConfigError("\n".join([f"The configuration{where} has problems:", *lines]))


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`Did you mean 'x'?`, or the list of what is known."""
    names = {each.lower(): each for each in known}
    close = get_close_matches(name.lower(), names, n=1, cutoff=0.6)
    if close:
        return f"Did you mean {names[close[0]]!r}?"
    return f"Known: {', '.join(sorted(names.values()))}." if names else "None is configured."


def similar_key(parents: tuple[str, ...], key: str, separator: str = ".") -> str | None:
    """The path of the key that was probably meant by one that does not exist below `parents`; None when none comes close."""
    siblings = keys_of(at(Settings, parents))
    snake = spelled(at(Settings, parents), key).lower().replace("-", "_")
    close = get_close_matches(snake, siblings, n=1, cutoff=0.6)
    if close:
        return separator.join((*parents, close[0]))
    elsewhere = [path for path in key_paths(Settings) if path[-1] == snake]
    return separator.join(elsewhere[0]) if elsewhere else None


def from_validation(errors: Sequence[ErrorDetails]) -> Iterator[Problem]:
    """The problems that the models found, in our words. Values are never shown: they may be secrets."""
    paths = [".".join(str(part) for part in error["loc"] if part != "[key]") for error in errors]
    for path, error in zip(paths, errors, strict=True):
        lost_items = error["type"] == "too_short" and any(other.startswith(f"{path}.") for other in paths)
        if not lost_items:
            yield Problem(path, _text(path, error))


def _text(path: str, error: ErrorDetails) -> str:
    kind = error["type"]
    if kind == "extra_forbidden":
        return _unknown_key(path)
    if kind == "literal_error":
        return _not_one_of(error)
    text = _TEXTS.get(kind) or f"{error['msg'][:1].lower()}{error['msg'][1:]}."
    return text.replace("input should be", "must be")


_WHOLE = "must be a whole number."
_NUMBER = "must be a number."
_YES_NO = "must be true or false."
_TEXT = "must be text. Put it in quotes."
_MAPPING = "must hold keys and values."
_LIST = "must be a list, as in [a, b]."
_TEXTS = {
    "int_parsing": _WHOLE,
    "int_type": _WHOLE,
    "int_from_float": _WHOLE,
    "float_parsing": _NUMBER,
    "float_type": _NUMBER,
    "finite_number": _NUMBER,
    "bool_parsing": _YES_NO,
    "bool_type": _YES_NO,
    "string_type": _TEXT,
    "path_type": _TEXT,
    "dict_type": _MAPPING,
    "model_type": _MAPPING,
    "model_attributes_type": _MAPPING,
    "tuple_type": _LIST,
    "too_short": "must not be empty. Name at least one.",
    "missing": "is missing. Add it.",
    "string_pattern_mismatch": "must be a name: 1 to 64 letters, digits and . _ - that begin with a letter or digit.",
}


def _unknown_key(path: str) -> str:
    *parents, key = path.split(".")
    similar = similar_key(tuple(parents), key)
    if similar:
        return f"there is no such key. Did you mean {similar!r}?"
    known = keys_of(at(Settings, tuple(parents)))
    return f"there is no such key. Known here: {', '.join(known)}."


def _not_one_of(error: ErrorDetails) -> str:
    expected = str(error.get("ctx", {}).get("expected", ""))
    given = error["input"]
    names = [name.strip(" '") for name in expected.replace(" or ", ", ").split(",")]
    close = get_close_matches(given.lower(), names, n=1, cutoff=0.6) if isinstance(given, str) else []
    return f"must be {expected}.{f' Did you mean {close[0]!r}?' if close else ''}"


def _placed(path: str, origins: Mapping[str, str]) -> str:
    origin = _origin(path, origins)
    return f"{path} ({origin})" if origin else path


def _origin(path: str, origins: Mapping[str, str]) -> str | None:
    """Where the key stands, or the nearest one around it."""
    while path and path not in origins:
        path = path.rpartition(".")[0]
    return origins.get(path)


def _line(origin: str | None) -> int:
    """For sorting: what stands in the file first, in its order."""
    return int(origin.removeprefix("line ")) if origin and origin.startswith("line ") else sys.maxsize
