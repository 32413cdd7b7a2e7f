"""What the packages import is what pyproject.toml asks for."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[3]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OWN = {"gateway", "providers"}


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _imported() -> dict[str, str]:
    """Top-level module -> one file that imports it."""
    found: dict[str, str] = {}
    for path in (path for package in OWN for path in sorted((ROOT / package).rglob("*.py"))):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            found |= {name.split(".")[0]: str(path.relative_to(ROOT)) for name in _named(node)}
    return {name: path for name, path in found.items() if name not in sys.stdlib_module_names and name not in OWN}


def _named(node: ast.AST) -> list[str]:
    """The modules that a node imports, or whose files it asks for by `importlib.resources.files("name")`."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
        return [node.module]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"files", "import_module"}:
        return [argument.value for argument in node.args if isinstance(argument, ast.Constant) and isinstance(argument.value, str)]
    return []


def _installed_with_us() -> set[str]:
    """Every distribution that a plain `pip install eluvix` brings, with the dependencies of dependencies."""
    waiting = [Requirement(text) for text in PROJECT["dependencies"]]
    known: set[str] = set()
    while waiting:
        name = _normal(waiting.pop().name)
        if name in known:
            continue
        known.add(name)
        for text in metadata.requires(name) or []:
            requirement = Requirement(text)
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                waiting.append(requirement)
    return known


def test_nothing_is_imported_that_an_installation_does_not_bring() -> None:
    ours, owners = _installed_with_us(), metadata.packages_distributions()
    stray = {name: path for name, path in _imported().items() if not {_normal(owner) for owner in owners.get(name, [])} & ours}
    assert not stray, f"not among the dependencies in pyproject.toml: {stray}"
