"""Reading the values of one source: keys as the models spell them, `${VAR}` replaced, file names made absolute, origins noted."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruamel.yaml.scalarbool import ScalarBoolean

from gateway.settings.problems import Problem
from gateway.settings.shape import below, is_path, is_section, may_be_missing, spelled

if TYPE_CHECKING:
    from collections.abc import Mapping

_VARIABLE = re.compile(r"\$(?P<escaped>\$\{)|\$\{(?:(?P<name>[A-Za-z_][A-Za-z0-9_]*)(?::-(?P<default>[^}]*))?\})?")
"""`${VAR}`, `${VAR:-default}`; `$${` stands for the characters `${`. Any other `${` is a mistake."""


class Reader:
    """Reads plain mappings and ruamel's, and notes where each key stands: its line, or `label` for sources without lines.

    `folder` is where relative file names start from; `environ` None = `${VAR}` is left as it is.
    """

    def __init__(self, folder: Path, environ: Mapping[str, str] | None, label: str | None = None) -> None:
        self.origins: dict[str, str] = {}
        self.problems: list[Problem] = []
        self._folder = folder
        self._environ = environ
        self._label = label

    def mapping(self, node: Mapping[Any, Any], annotation: Any, path: str = "") -> dict[str, Any]:
        """The mapping as plain Python. A known key without a value, and an empty text where none is needed, count as not given."""
        values: dict[str, Any] = {}
        for position, (written, value) in enumerate(node.items()):
            key = spelled(annotation, str(written))
            place = f"{path}.{key}" if path else key
            where = self._where(node, written)
            if key in values:
                self.problems.append(Problem(place, f"is given twice, once as {written}. Keep one of them."))
            self.origins |= {place: where, f"{path}.{position}": where}  # routes in their short form are a mapping that becomes a list
            inner = below(annotation, key)
            if not (value is None and inner is not None and is_section(annotation)):
                self._put(values, key, self._value(value, inner, place), inner)
        return values

    def _put(self, values: dict[str, Any], key: str, value: Any, annotation: Any) -> None:
        if value is None and is_section(annotation):
            values[key] = {}  # an upstream of which nothing is said
        elif value != "" or not may_be_missing(annotation):
            values[key] = value

    def _value(self, node: Any, annotation: Any, place: str) -> Any:
        if isinstance(node, dict):
            return self.mapping(node, annotation, place)
        if isinstance(node, list):
            return [self._item(node, number, annotation, place) for number in range(len(node))]
        if isinstance(node, str):
            return self._text(str(node), annotation, place)
        return bool(node) if isinstance(node, ScalarBoolean) else node

    def _item(self, node: list[Any], number: int, annotation: Any, path: str) -> Any:
        place = f"{path}.{number}"
        self.origins[place] = self._where(node, number)
        return self._value(node[number], below(annotation, str(number)), place)

    def _text(self, text: str, annotation: Any, place: str) -> str:
        if self._environ is not None:
            text = _VARIABLE.sub(lambda match: self._replacement(match, place), text)
        return str(self._folder / Path(text).expanduser()) if text and is_path(annotation) else text

    def _replacement(self, match: re.Match[str], place: str) -> str:
        name, default = match["name"], match["default"]
        if match["escaped"]:
            return match["escaped"]
        if name is None:
            self.problems.append(Problem(place, "has a `${` that names no variable. Write ${NAME}, or $${ for the characters themselves."))
            return match[0]
        found = (self._environ or {}).get(name)
        if found is None and default is None:
            text = f"the environment variable {name} is not set. Set it, or give a default: ${{{name}:-...}}."
            self.problems.append(Problem(place, text))
            return match[0]
        return found or default or ""  # as in a shell, an empty variable gives way to the default

    def _where(self, node: Any, key: Any) -> str:
        """ruamel knows the positions of what was written out, not of what an anchor brought in."""
        position = getattr(node, "lc", None)
        known = (position.data or {}).get(key) if position else None
        if known:
            return f"line {known[0] + 1}"
        return self._label or "from an anchor"
