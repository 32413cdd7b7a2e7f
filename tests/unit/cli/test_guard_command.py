"""`eluvix guard scan`, with the rules alone in the place of the recognizers that take seconds to load."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType
from typing import TYPE_CHECKING

import orjson
import pytest

from gateway.egress.scan import Rules
from tests.unit.cli.conftest import problem_of

if TYPE_CHECKING:
    from pathlib import Path

    from gateway.egress.policy import Policy
    from gateway.egress.spans import Span
    from tests.unit.cli.conftest import Cli

MAIL = "@".join(("anna.berg", "brightfield.io"))


class RulesOnly:
    def __init__(self, policy: Policy) -> None:
        self._rules = Rules(policy)

    def spans(self, text: str) -> tuple[Span, ...]:
        return self._rules.scan(text)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("gateway.egress.classify")
    module.Classifier = RulesOnly  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "gateway.egress.classify", module)


def _rows(raw: bytes) -> list[dict[str, object]]:
    return [orjson.loads(line) for line in raw.splitlines()]


def test_jsonl_gives_a_result_for_each_line_in_order(cli: Cli) -> None:
    lines = b"".join(
        orjson.dumps({"id": name, "text": text}) + b"\n" for name, text in (("a", f"write to {MAIL}"), ("b", "the sky is blue"))
    )
    run = cli("guard", "scan", "--jsonl", "-", stdin=lines)
    assert run.code == 0, run.err
    first, second = _rows(run.raw)
    assert (first["id"], second["id"]) == ("a", "b")
    start, end, kind, score = first["spans"][0]  # type: ignore[index]
    assert f"write to {MAIL}"[start:end] == MAIL
    assert (kind, 0 < score <= 1) == ("EMAIL_ADDRESS", True)
    assert MAIL not in str(first["masked"])
    assert second == {"id": "b", "masked": "the sky is blue", "spans": [], "sensitivity": "none"}


def test_a_text_is_shown_line_by_line_with_what_was_found(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_text(f"the sky is blue\n\nwrite to {MAIL}\n")
    run = cli("guard", "scan", str(file))
    assert run.out.splitlines()[0] == "none    the sky is blue"
    assert "EMAIL_ADDRESS" in run.out
    assert MAIL not in run.out


def test_nothing_in_is_nothing_out(cli: Cli) -> None:
    assert (cli("guard", "scan").out, cli("guard", "scan", "--jsonl").out) == ("", "")


def test_what_is_not_utf8_is_replaced_and_the_rest_is_looked_at(cli: Cli) -> None:
    run = cli("guard", "scan", stdin=b"caf\xe9 " + MAIL.encode() + b"\n")
    assert run.code == 0
    assert "EMAIL_ADDRESS" in run.out


def test_a_line_that_is_no_json_names_its_number(cli: Cli) -> None:
    assert "Line 1" in problem_of(cli("guard", "scan", "--jsonl", stdin=b"nonsense\n"))


def test_missing_files_and_folders_are_one_message(cli: Cli, tmp_path: Path) -> None:
    assert "There is no file" in problem_of(cli("guard", "scan", str(tmp_path / "nothing")))
    assert "directory" in problem_of(cli("guard", "scan", str(tmp_path))).lower()


def test_no_home_folder_is_made(cli: Cli, home: Path) -> None:
    cli("guard", "scan", stdin=b"text\n")
    assert not home.exists()


def test_with_the_real_recognizers_a_secret_is_found(home: Path) -> None:
    line = orjson.dumps({"id": "1", "text": "my key is " + "sk-" + "proj-" + "a1B2" * 12})
    command = [sys.executable, "-m", "gateway.cli", "guard", "scan", "--jsonl", "-"]
    run = subprocess.run(command, input=line, capture_output=True, check=True)
    (row,) = _rows(run.stdout)
    assert row["sensitivity"] == "high"
