"""`eluvix init`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import gateway.cli.init
from gateway.cli.init import with_upstreams
from gateway.errors import ConfigError
from gateway.settings import example_text, load
from gateway.upstreams.discovery import preset_config
from gateway.upstreams.presets import PRESETS
from tests.unit.cli.conftest import problem_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from gateway.upstreams.base import UpstreamConfig
    from tests.unit.cli.conftest import Cli


@pytest.fixture(autouse=True)
def found(monkeypatch: pytest.MonkeyPatch) -> list[UpstreamConfig]:
    """What is discovered on this machine."""
    servers: list[UpstreamConfig] = []

    async def discover(_: Mapping[str, str]) -> list[UpstreamConfig]:
        return servers

    monkeypatch.setattr(gateway.cli.init, "discover", discover)
    return servers


def test_it_writes_everything_that_a_start_needs(cli: Cli, home: Path) -> None:
    run = cli("init", "--yes")
    assert run.code == 0, run.err
    assert run.out.startswith("elx_")
    assert (home / "config.yaml").read_text() == example_text()
    assert {"config.yaml", "certificate.pem", "certificate.key", "admin_password", "state.db"} <= {path.name for path in home.iterdir()}
    for name in ("config.yaml", "certificate.key", "admin_password"):
        assert (home / name).stat().st_mode & 0o077 == 0
    assert cli("check").code == 0


def test_it_asks_for_each_server_and_for_the_key(cli: Cli, home: Path, found: list[UpstreamConfig]) -> None:
    found += [preset_config(name, PRESETS[name]) for name in ("ollama", "vllm")]
    run = cli("init", stdin=b"y\nmaybe\nn\n\n")
    assert run.code == 0, run.err
    assert list(load(environ={"ELUVIX_HOME": str(home)}).settings.upstreams) == ["ollama"]
    assert run.out.startswith("elx_")


def test_without_a_key_clients_need_none(cli: Cli, home: Path) -> None:
    assert cli("init", stdin=b"n\n").out == ""
    assert cli("keys", "list", "--json").json == []


def test_nobody_to_answer_changes_nothing(cli: Cli, home: Path) -> None:
    run = cli("init")
    assert run.code == 1
    assert "--yes" in run.err
    assert not list(home.iterdir())


def test_a_second_time_is_refused_and_changes_nothing(cli: Cli, home: Path) -> None:
    cli("init", "--yes")
    (home / "config.yaml").write_text("memory: {top_k: 7}\n")
    assert "--force" in problem_of(cli("init", "--yes"))
    assert (home / "config.yaml").read_text() == "memory: {top_k: 7}\n"


def test_force_keeps_every_old_configuration_password_and_key(cli: Cli, home: Path) -> None:
    cli("init", "--yes")
    password = (home / "admin_password").read_text()
    (home / "config.yaml").write_text("memory: {top_k: 7}\n")
    for _ in range(2):
        again = cli("init", "--yes", "--force")
        assert (again.code, again.out) == (0, "")
        assert "There is a key already" in again.err
    kept = [path.read_text() for path in home.glob("config.yaml.*.old")]
    assert sorted(kept) == sorted(["memory: {top_k: 7}\n", example_text()])
    assert (home / "admin_password").read_text() == password
    assert len(cli("keys", "list", "--json").json) == 1


def test_a_bad_environment_is_told_before_anything_is_written(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELUVIX_SERVER__PORT", "many")
    run = cli("init", "--yes")
    assert run.code == 1
    assert "ELUVIX_SERVER__PORT" in run.err
    assert str(home / "config.yaml") in run.err
    assert not (home / "config.yaml").exists()


def test_it_writes_where_it_is_told(cli: Cli, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELUVIX_CONFIG", str(tmp_path / "own.yaml"))
    assert cli("init", "--yes").code == 0
    assert (tmp_path / "own.yaml").exists()
    assert not (home / "config.yaml").exists()
    assert "no folder" in problem_of(cli("init", "--yes", "--config", str(tmp_path / "nowhere" / "own.yaml")))


def test_an_example_without_the_section_is_not_taken_silently() -> None:
    with pytest.raises(ConfigError):
        with_upstreams("server: {}\n", ["ollama"])
