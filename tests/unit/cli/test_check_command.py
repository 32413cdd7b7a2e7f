"""`eluvix check` and `eluvix doctor`."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from gateway.cli.running import home_held
from gateway.commit.outbox import Outbox
from gateway.storage import state_database
from gateway.tls import ensure_certificate
from gateway.turn import Exchange
from tests.e2e.gateway_process import free_port
from tests.fakes.model_scripts import by_model
from tests.fakes.model_server import ModelServer

if TYPE_CHECKING:
    from pathlib import Path

    from tests.unit.cli.conftest import Cli, Run


def _configure(home: Path, text: str) -> None:
    home.mkdir(exist_ok=True)
    (home / "config.yaml").write_text(text)


def _levels(run: Run) -> dict[str, str]:
    return {finding["what"]: finding["level"] for finding in run.json["findings"]}


def _detail(run: Run, what: str) -> str:
    return next(str(finding["detail"]) for finding in run.json["findings"] if finding["what"] == what)


def test_a_fresh_home_passes(cli: Cli) -> None:
    run = cli("check", "--json")
    assert run.code == 0
    assert run.json["ok"] is True
    assert _levels(run)["memory: sqlite"] == "ok"


def test_findings_are_lines_on_standard_output(cli: Cli) -> None:
    run = cli("check")
    assert run.out.splitlines()[0].startswith("ok      configuration: ")
    assert run.err == ""


def test_a_broken_configuration_is_a_finding_for_scripts_too(cli: Cli, home: Path) -> None:
    _configure(home, "memory: {topk: 5}\n")
    run = cli("check", "--json")
    assert run.code == 1
    assert run.json["ok"] is False
    assert "top_k" in _detail(run, "configuration")


def test_offline_asks_nobody_and_makes_nothing(cli: Cli, home: Path) -> None:
    run = cli("check", "--offline", "--json")
    assert list(_levels(run)) == ["configuration"]
    assert not home.exists()


def test_each_upstream_is_asked_and_a_silent_one_is_an_error(cli: Cli, home: Path) -> None:
    with ModelServer(by_model) as server:
        _configure(home, f"upstreams:\n  up: {{url: {server.url}}}\n  down: {{url: 'http://127.0.0.1:{free_port()}/v1'}}\n")
        run = cli("check", "--json")
    assert run.code == 1
    levels = _levels(run)
    assert (levels["upstream: up"], levels["upstream: down"]) == ("ok", "error")
    assert "models" in _detail(run, "upstream: up")


def test_a_provider_that_is_down_is_an_error(cli: Cli, home: Path) -> None:
    _configure(home, f"memory: {{provider: mem0, mem0: {{url: 'http://127.0.0.1:{free_port()}'}}}}\n")
    run = cli("check", "--json")
    assert run.code == 1
    assert _levels(run)["memory: mem0"] == "error"


def test_doctor_finds_a_fresh_home_well(cli: Cli) -> None:
    cli("keys", "add", "laptop")
    run = cli("doctor", "--json")
    assert run.code == 0, run.out
    assert "error" not in _levels(run).values()
    assert _detail(run, "gateway") == "not running"
    assert "first start" in _detail(run, "certificate")


def test_doctor_changes_nothing(cli: Cli, home: Path) -> None:
    cli("memory", "list")
    before = {path.name for path in home.iterdir()}
    cli("doctor")
    assert {path.name for path in home.iterdir()} - before <= {".gateway.lock"}


def test_doctor_names_the_database_that_is_damaged_and_still_looks_at_the_other(cli: Cli, home: Path) -> None:
    cli("memory", "list")
    (home / "memory.db").write_bytes(b"garbage " * 900)
    run = cli("doctor", "--json")
    levels = _levels(run)
    assert run.code == 1
    assert (levels["database: memory.db"], levels["database: state.db"]) == ("error", "ok")
    assert levels["outbox"] == "ok"


def test_doctor_goes_on_when_the_state_database_is_damaged(cli: Cli, home: Path) -> None:
    cli("memory", "list")
    (home / "state.db").write_bytes(b"garbage " * 900)
    levels = _levels(cli("doctor", "--json"))
    assert (levels["database: memory.db"], levels["database: state.db"]) == ("ok", "error")


def test_doctor_warns_of_turns_that_were_given_up(cli: Cli, home: Path) -> None:
    async def give_up() -> None:
        database = state_database(home)
        await database.open()
        outbox = Outbox(database)
        await outbox.append(Exchange("key", "alice", "hello", "hello", datetime.now(UTC), None))
        (row,) = await outbox.due(1)
        await outbox.retry(row, "ProviderRefused", give_up=True)
        await database.close()

    cli("keys", "list")
    asyncio.run(give_up())
    assert "outbox retry" in _detail(cli("doctor", "--json"), "outbox")
    assert cli("outbox", "show", "--json").json["dead"] == 1
    assert cli("outbox", "retry", "--json").json == {"retried": 1}
    assert cli("outbox", "show").out.startswith("1 turns wait")


def test_doctor_warns_when_others_can_read_the_home(cli: Cli, home: Path) -> None:
    cli("memory", "list")
    home.chmod(0o755)
    assert _levels(cli("doctor", "--json"))["permissions"] == "warning"


def test_doctor_tells_an_expired_certificate_of_ones_own(cli: Cli, home: Path) -> None:
    home.mkdir()
    files = ensure_certificate(home, datetime.now(UTC) - timedelta(days=2000))
    _configure(home, f"server: {{certificate: {files.certificate}, certificate_key: {files.key}}}\n")
    run = cli("doctor", "--json")
    assert run.code == 1
    assert "expired" in _detail(run, "certificate")


def test_doctor_sees_a_running_gateway_that_nobody_can_reach(cli: Cli, home: Path) -> None:
    _configure(home, f"server: {{port: {free_port()}}}\n")
    with home_held(home, ""):
        assert _levels(cli("doctor", "--json"))["gateway"] == "warning"


def test_a_gateway_for_others_without_keys_is_an_error(cli: Cli, home: Path) -> None:
    _configure(home, "server: {host: 0.0.0.0}\n")
    assert _levels(cli("doctor", "--json"))["keys"] == "error"
