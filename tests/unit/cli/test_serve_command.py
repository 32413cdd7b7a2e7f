"""`eluvix serve`: what keeps it from starting, and what the first start makes."""

from __future__ import annotations

import asyncio
import socket
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from gateway.cli.common import load_settings
from gateway.cli.firstrun import first_key_in_container, in_container
from gateway.cli.running import home_held
from gateway.cli.welcome import base_url
from gateway.settings import Settings
from gateway.tls import ensure_certificate
from tests.e2e.gateway_process import free_port
from tests.unit.cli.conftest import problem_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.unit.cli.conftest import Cli


def _configure(home: Path, text: str) -> None:
    home.mkdir(exist_ok=True)
    (home / "config.yaml").write_text(text)


def test_a_port_in_use_is_one_message(cli: Cli) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert f"127.0.0.1:{port} is in use" in problem_of(cli("serve", "--http", "--port", str(port)))


def test_a_second_gateway_on_the_same_home_is_refused(cli: Cli, home: Path) -> None:
    home.mkdir()
    with home_held(home, ""):
        assert "A gateway is running on the home folder" in problem_of(cli("serve", "--port", str(free_port())))


def test_a_broken_configuration_is_one_message(cli: Cli, home: Path) -> None:
    _configure(home, "server: {port: 0}\n")
    run = cli("serve")
    assert run.code == 1
    assert "server.port" in run.err
    assert "Traceback" not in run.err


def test_others_are_not_let_in_without_a_key(cli: Cli) -> None:
    assert "eluvix keys add" in problem_of(cli("serve", "--host", "0.0.0.0", "--port", str(free_port())))


def test_an_expired_certificate_of_ones_own_is_one_message(cli: Cli, home: Path) -> None:
    home.mkdir()
    files = ensure_certificate(home, datetime.now(UTC) - timedelta(days=2000))
    _configure(home, f"server: {{certificate: {files.certificate}, certificate_key: {files.key}}}\n")
    assert "expired" in problem_of(cli("serve", "--port", str(free_port())))


@pytest.mark.parametrize("name", ["state.db", "memory.db"])
def test_a_damaged_database_is_one_message_and_lets_go_of_the_home(cli: Cli, home: Path, name: str) -> None:
    home.mkdir()
    (home / name).write_bytes(b"garbage " * 900)
    for _ in range(2):
        assert name in problem_of(cli("serve", "--http", "--port", str(free_port())))


def test_a_password_file_that_cannot_be_read_is_one_message(cli: Cli, home: Path) -> None:
    (home / "admin_password").mkdir(parents=True)
    assert "admin_password" in problem_of(cli("serve", "--port", str(free_port())))


def test_in_a_container_the_first_start_makes_one_key(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELUVIX_CONTAINER", "1")
    loaded = load_settings(None, {"server": {"host": "0.0.0.0"}})
    first = asyncio.run(first_key_in_container(loaded))
    assert first.any
    assert first.created is not None and first.created.startswith("elx_")
    again = asyncio.run(first_key_in_container(loaded))
    assert (again.any, again.created) == (True, None)


@pytest.mark.parametrize(("container", "host"), [("0", "0.0.0.0"), ("1", "127.0.0.1")])
def test_elsewhere_no_key_is_made_unasked(home: Path, monkeypatch: pytest.MonkeyPatch, container: str, host: str) -> None:
    monkeypatch.setenv("ELUVIX_CONTAINER", container)
    keys = asyncio.run(first_key_in_container(load_settings(None, {"server": {"host": host}})))
    assert (keys.any, keys.created) == (False, None)


def test_the_environment_says_whether_this_is_a_container(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELUVIX_CONTAINER", "1")
    assert in_container()
    monkeypatch.setenv("ELUVIX_CONTAINER", "0")
    assert not in_container()


@pytest.mark.parametrize(
    ("server", "url"),
    [
        ({}, "https://127.0.0.1:3588"),
        ({"host": "0.0.0.0", "tls": "off"}, "http://127.0.0.1:3588"),
        ({"host": "::", "port": 4000}, "https://[::1]:4000"),
        ({"host": "box.lan", "base_path": "/ai/"}, "https://box.lan:3588/ai"),
    ],
)
def test_the_address_that_is_shown_can_be_used_on_this_machine(server: dict[str, object], url: str) -> None:
    assert base_url(Settings.model_validate({"server": server})) == url
