"""Commands beside a gateway that runs in a process of its own, and what changes while it runs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e.gateway_process import GatewayProcess, clean_environment, free_port
from tests.fakes.model_scripts import by_model
from tests.fakes.model_server import ModelServer
from tests.unit.cli.conftest import problem_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import httpx

    from tests.unit.cli.conftest import Cli

pytestmark = pytest.mark.timeout(120)

KEY = "-".join(("key", "of", "the", "tests"))
WAIT_S = 30.0


@pytest.fixture(scope="module")
def config() -> Iterator[dict[str, Any]]:
    with ModelServer(by_model) as models:
        yield {
            "upstreams": {"scripted": {"url": models.url, "local": True, "models": ["echo"]}},
            "keys": [{"name": "tests", "key": KEY}],
            "cache": {"mode": "on"},
            "log": {"format": "json"},
        }


@pytest.fixture(scope="module")
def gateway(config: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Iterator[GatewayProcess]:
    with GatewayProcess(tmp_path_factory.mktemp("home"), config) as running:
        yield running


@pytest.fixture
def client(gateway: GatewayProcess) -> Iterator[httpx.Client]:
    with gateway.client() as client:
        yield client


@pytest.fixture
def beside(cli: Cli, gateway: GatewayProcess, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Commands on the home folder of the running gateway."""
    monkeypatch.setenv("ELUVIX_HOME", str(gateway.home))
    return cli


def _ask(client: httpx.Client, text: str = "hello", model: str = "echo", key: str = KEY, **headers: str) -> httpx.Response:
    body = {"model": model, "messages": [{"role": "user", "content": text}]}
    return client.post("/v1/chat/completions", json=body, headers={"authorization": f"Bearer {key}", **headers})


def _until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_S
    while not true():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)


def _configure(gateway: GatewayProcess, values: dict[str, Any]) -> None:
    (gateway.home / "config.yaml").write_text(json.dumps(values))


def _log(gateway: GatewayProcess) -> str:
    return gateway.log.read_text()


def test_a_changed_route_takes_effect(gateway: GatewayProcess, config: dict[str, Any], client: httpx.Client) -> None:
    assert _ask(client, model="fast").status_code == 404
    _configure(gateway, config | {"routes": {"fast": {"upstream": "scripted", "model": "echo"}}})
    _until(lambda: _ask(client, model="fast").status_code == 200)


def test_a_changed_egress_mode_takes_effect(gateway: GatewayProcess, config: dict[str, Any], client: httpx.Client, beside: Cli) -> None:
    beside("memory", "add", "I like pears", "--user", "eve")

    def said() -> str:
        answer = _ask(client, "Do I like pears?", "eluvix/inspect-cloud", **{"x-eluvix-user": "eve", "x-eluvix-cache": "off"})
        assert answer.status_code == 200
        return str(answer.headers["x-eluvix-memory"])

    assert "stripped" not in said()
    _configure(gateway, config | {"egress": {"cloudMode": "strip"}})
    _until(lambda: "stripped" in said())
    _configure(gateway, config)
    _until(lambda: "stripped" not in said())


def test_a_broken_config_keeps_the_old_one_and_the_log_says_why(
    gateway: GatewayProcess, config: dict[str, Any], client: httpx.Client
) -> None:
    _configure(gateway, config | {"memory": {"topk": 3}})
    os.kill(gateway.pid, signal.SIGHUP)
    _until(lambda: "the configuration was not reloaded" in _log(gateway))
    assert "top_k" in _log(gateway)
    assert _ask(client).status_code == 200
    before = _log(gateway).count("configuration reloaded")
    _configure(gateway, config)
    os.kill(gateway.pid, signal.SIGHUP)
    _until(lambda: _log(gateway).count("configuration reloaded") > before)


def test_keys_are_known_and_refused_as_they_come_and_go(beside: Cli, client: httpx.Client) -> None:
    key = beside("keys", "add", "laptop", "--user", "alice").out.strip()
    _until(lambda: _ask(client, key=key).status_code == 200)
    rotated = beside("keys", "rotate", "laptop").out.strip()
    _until(lambda: _ask(client, key=key).status_code == 401)
    assert _ask(client, key=rotated).status_code == 200
    beside("keys", "revoke", "laptop")
    _until(lambda: _ask(client, key=rotated).status_code == 401)


def test_a_memory_that_is_added_is_recalled(beside: Cli, client: httpx.Client) -> None:
    beside("memory", "add", "I like quinces", "--user", "dora")
    _until(lambda: _ask(client, "Do I like quinces?", **{"x-eluvix-user": "dora"}).headers["x-eluvix-memory"].startswith("hit;1"))


def test_a_forgotten_memory_takes_its_cached_answers_along(beside: Cli, client: httpx.Client) -> None:
    made = beside("memory", "add", "I like medlars", "--user", "fay", "--json").json
    headers = {"x-eluvix-user": "fay", "x-eluvix-memory": "off"}  # no block: the cache's key does not change
    _ask(client, **headers)
    assert _ask(client, **headers).headers["x-eluvix-cache"] == "hit"
    beside("memory", "forget", made[0]["id"], "--user", "fay")
    _until(lambda: _ask(client, **headers).headers["x-eluvix-cache"] == "miss")


def test_nothing_of_an_erased_user_is_served_when_the_command_has_ended(beside: Cli, client: httpx.Client, gateway: GatewayProcess) -> None:
    for user in ("gus", "hal"):
        headers = {"x-eluvix-user": user, "x-eluvix-memory": "off"}
        _ask(client, **headers)
        assert _ask(client, **headers).headers["x-eluvix-cache"] == "hit"
    beside("memory", "add", "zebrafruit is what I like", "--user", "gus")
    run = beside("user", "erase", "gus", "--yes", "--json")
    assert run.json["running_gateway_agreed"] is True
    assert _ask(client, **{"x-eluvix-user": "gus", "x-eluvix-memory": "off"}).headers["x-eluvix-cache"] == "miss"
    assert _ask(client, **{"x-eluvix-user": "hal", "x-eluvix-memory": "off"}).headers["x-eluvix-cache"] == "hit"
    databases = b"".join(path.read_bytes() for path in gateway.home.glob("*.db*"))
    assert [word for word in (b"gus", b"zebrafruit") if word in databases] == []


def test_turns_on_their_way_into_memory_are_erased_too(beside: Cli, client: httpx.Client) -> None:
    for number in range(20):
        _ask(client, f"I prefer apples of kind {number}.", **{"x-eluvix-user": "ida"})
    assert beside("user", "erase", "ida", "--yes").code == 0
    _until(lambda: beside("outbox", "show", "--json").json["pending"] == 0)
    assert beside("user", "export", "ida").out == ""


def test_both_write_at_the_same_time(beside: Cli, client: httpx.Client) -> None:
    lines = "".join(json.dumps({"text": f"fact {number}"}) + "\n" for number in range(300))
    command = [sys.executable, "-m", "gateway.cli", "user", "export", "jon"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=os.environ) as other:
        for number in range(10):
            assert _ask(client, f"I prefer plums of kind {number}.", **{"x-eluvix-user": "jon"}).status_code == 200
        assert beside("memory", "import", "-", "--user", "jon", stdin=lines.encode()).code == 0
    assert other.returncode == 0
    assert len(beside("memory", "list", "--user", "jon", "--limit", "1000", "--json").json) >= 300


def test_a_backup_can_be_made_and_not_restored(beside: Cli, tmp_path: Path) -> None:
    file = tmp_path / "backup"
    assert beside("backup", "create", str(file)).code == 0
    assert "A gateway is running" in problem_of(beside("backup", "restore", str(file), "--yes"))


def test_doctor_sees_it(beside: Cli, gateway: GatewayProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELUVIX_SERVER__PORT", str(gateway.port))
    monkeypatch.setenv("ELUVIX_SERVER__TLS", "off")
    findings = {finding["what"]: finding for finding in beside("doctor", "--json").json["findings"]}
    assert findings["gateway"]["detail"] == f"running at {gateway.url}"
    assert findings["database: memory.db"]["level"] == "ok"


def test_a_second_gateway_is_refused_and_the_first_goes_on(gateway: GatewayProcess, client: httpx.Client) -> None:
    command = [sys.executable, "-m", "gateway.cli", "serve", "--port", str(free_port())]
    second = subprocess.run(command, env=clean_environment(gateway.home), capture_output=True, text=True, timeout=60, check=False)
    assert second.returncode == 1
    assert second.stderr.startswith("Error: A gateway is running on the home folder")
    assert _ask(client).status_code == 200


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_in_order_and_can_start_again(gateway: GatewayProcess, number: signal.Signals) -> None:
    """Last: the gateway is another one afterwards."""
    os.kill(gateway.pid, number)
    assert gateway.stop() == 0
    assert "Traceback" not in _log(gateway)
    assert not list(gateway.home.glob("*-wal")), "the databases were not closed"
    gateway.start()


def test_without_any_key_left_nobody_is_let_in(tmp_path: Path, cli: Cli, config: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    with GatewayProcess(tmp_path / "open", {"upstreams": config["upstreams"]}) as gateway, gateway.client() as client:
        monkeypatch.setenv("ELUVIX_HOME", str(gateway.home))
        assert _ask(client, key="anything").status_code == 200
        key = cli("keys", "add", "laptop").out.strip()
        _until(lambda: _ask(client, key="anything").status_code == 401)
        assert _ask(client, key=key).status_code == 200
        cli("keys", "revoke", "laptop")
        _until(lambda: _ask(client, key=key).status_code == 401)
        assert _ask(client, key="anything").status_code == 401
