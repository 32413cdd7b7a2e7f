"""constraints.txt and the lock file of the npm client: exact, complete, and without the address of a registry."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LINES = [line for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


def _name(requirement: str) -> str:
    """The normalised name of the distribution that a requirement asks for."""
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert match, requirement
    return re.sub(r"[-_.]+", "-", match[0]).lower()


def test_every_line_is_an_exact_pin() -> None:
    assert LINES
    for line in LINES:
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.!+]+", line), line


def test_everything_that_the_project_asks_for_is_pinned() -> None:
    asked = [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["dev"], *PROJECT["build-system"]["requires"]]
    for extra in PROJECT["project"]["optional-dependencies"].values():
        asked += extra
    missing = {_name(requirement) for requirement in asked} - {_name(line) for line in LINES}
    assert not missing, "run `make constraints`"


def test_the_npm_lock_names_exact_versions_and_no_registry() -> None:
    text = (ROOT / "tests/e2e/node/package-lock.json").read_text(encoding="utf-8")
    packages: dict[str, dict[str, Any]] = json.loads(text)["packages"]
    assert "://" not in text
    for path, package in packages.items():
        assert "resolved" not in package
        assert path == "" or {"version", "integrity"} <= package.keys()
