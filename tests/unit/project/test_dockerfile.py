"""The Dockerfile, read as a linter would."""

from __future__ import annotations

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[3]


def _instructions() -> list[tuple[str, str]]:
    """(INSTRUCTION, rest) with continued lines joined and comments left out."""
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    joined = "\n".join(line for line in lines if not line.lstrip().startswith("#")).replace("\\\n", " ")
    return [(words[0], words[1].strip()) for line in joined.splitlines() if (words := line.split(None, 1))]


INSTRUCTIONS = _instructions()


def _all(name: str) -> list[str]:
    return [rest for instruction, rest in INSTRUCTIONS if instruction == name]


def _last_stage() -> list[tuple[str, str]]:
    last = max(index for index, (name, _) in enumerate(INSTRUCTIONS) if name == "FROM")
    return INSTRUCTIONS[last:]


def test_there_are_two_stages_from_a_base_with_a_named_version() -> None:
    stages = _all("FROM")
    assert len(stages) == 2
    assert all(re.match(r"python:3\.\d+-slim\b", stage) for stage in stages)


def test_nothing_is_added_from_outside() -> None:
    assert not _all("ADD")
    assert not any(re.search(r"\b(curl|wget)\b|https?://", command) for command in _all("RUN"))


def test_it_runs_as_an_unprivileged_user_with_a_home_of_its_own() -> None:
    stage = _last_stage()
    users = [rest for name, rest in stage if name == "USER"]
    assert users == ["eluvix"]
    order = [name for name, _ in stage]
    assert order.index("USER") < order.index("ENTRYPOINT")
    assert {"ELUVIX_HOME=/data", "ELUVIX_CONTAINER=1"} <= set(" ".join(_all("ENV")).split())
    assert _all("VOLUME") == ["/data"]


def test_everything_installed_is_pinned_and_leaves_no_cache() -> None:
    installs = [part for command in _all("RUN") for part in command.split("&&") if "pip install" in part]
    assert installs
    for part in installs:
        assert "--constraint constraints.txt" in part
        assert "--no-cache-dir" in part


def test_the_health_check_needs_nothing_but_the_image() -> None:
    (check,) = _all("HEALTHCHECK")
    command = json.loads(check.partition("CMD ")[2])
    assert command[0] in {"python", "eluvix"}


def test_commands_are_in_the_form_that_passes_signals_on() -> None:
    for name in ("ENTRYPOINT", "CMD"):
        (command,) = _all(name)
        assert isinstance(json.loads(command), list)
    assert json.loads(_all("ENTRYPOINT")[0]) == ["eluvix"]


def test_only_what_the_image_needs_is_sent_to_the_builder() -> None:
    lines = [line for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    assert lines[0] == "*"
    sent = {line[1:] for line in lines if line.startswith("!")}
    copied = {word.strip("./") for rest in _all("COPY") if not rest.startswith("--from") for word in rest.split()[:-1]}
    assert sent == copied
