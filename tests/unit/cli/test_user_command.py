"""`eluvix user`: everything of one user, in every store."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import orjson
import pytest

from gateway.commit.outbox import Outbox
from gateway.storage import state_database
from gateway.turn import Exchange
from tests.unit.cli.conftest import problem_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.unit.cli.conftest import Cli, Run


def _turn_waits(home: Path, user: str) -> None:
    async def append() -> None:
        database = state_database(home)
        await database.open()
        await Outbox(database).append(Exchange(f"key of {user}", user, f"I am {user}", "Hello", datetime.now(UTC), None))
        await database.close()

    asyncio.run(append())


def _kinds(run: Run) -> list[str]:
    return sorted(orjson.loads(line)["kind"] for line in run.raw.splitlines())


@pytest.fixture
def two(cli: Cli, home: Path) -> None:
    """Alice and Bob with a memory, a turn that waits and a key each."""
    for user in ("alice", "bob"):
        cli("memory", "add", f"{user} likes pears", "--user", user)
        cli("keys", "add", f"of-{user}", "--user", user)
        _turn_waits(home, user)


@pytest.mark.usefixtures("two")
def test_an_export_has_everything_of_the_user_and_nothing_of_another(cli: Cli) -> None:
    run = cli("user", "export", "alice")
    assert _kinds(run) == ["key", "memory", "waiting_turn"]
    assert "bob" not in run.out
    assert "elx_" not in run.out


@pytest.mark.usefixtures("two")
def test_erasing_leaves_nothing_of_the_user_and_everything_of_others(cli: Cli, home: Path) -> None:
    done = cli("user", "erase", "alice", "--yes", "--json").json
    assert (done["memories"], done["turns"], done["keys"], done["keys_left"]) == (1, 1, 1, 1)
    assert cli("user", "export", "alice").out == ""
    assert _kinds(cli("user", "export", "bob")) == ["key", "memory", "waiting_turn"]
    for file in ("memory.db", "state.db"):
        with closing(sqlite3.connect(home / file)) as connection:
            assert "alice" not in "\n".join(connection.iterdump())


@pytest.mark.usefixtures("two")
def test_no_file_of_the_home_holds_a_word_after_erasing(cli: Cli, home: Path) -> None:
    cli("memory", "add", "zebrafruit is what I like", "--user", "alice")

    def holders(word: bytes) -> list[str]:
        return [path.name for path in home.iterdir() if path.is_file() and word in path.read_bytes()]

    assert holders(b"zebrafruit") == ["memory.db"]
    assert cli("user", "erase", "alice", "--yes", "--json").json["traces"] == []
    assert holders(b"zebrafruit") == []  # the index keeps words of its own
    assert holders(b"alice") == []


@pytest.mark.usefixtures("two")
def test_backups_that_still_hold_the_user_are_named(cli: Cli, home: Path) -> None:
    archive = cli("backup", "create").out.strip()
    (home / "memory.db.v1-20260101T000000Z.bak").touch()
    run = cli("user", "erase", "alice", "--yes")
    assert archive in run.err
    assert "memory.db.v1-20260101T000000Z.bak" in run.err


def test_a_memory_database_from_before_another_provider_was_chosen_is_erased_too(cli: Cli, home: Path) -> None:
    cli("memory", "add", "alice likes pears")
    import gateway.cli.desk
    from tests.fakes.provider import DictProvider

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gateway.cli.desk, "make_provider", lambda *_: DictProvider())
        assert _kinds(cli("user", "export", "alice")) == ["memory"]
        assert cli("user", "erase", "alice", "--yes", "--json").json["memories"] == 1
    assert cli("memory", "list").out == ""


def test_a_configured_key_of_the_user_is_named(cli: Cli, home: Path) -> None:
    home.mkdir()
    value = "-".join(["some", "long", "key", "value"])
    (home / "config.yaml").write_text(f"keys: [{{name: team, key: {value}, user: alice}}]\n")
    run = cli("user", "erase", "alice", "--yes")
    assert run.code == 0
    assert "'team'" in run.err


def test_erasing_an_unknown_user_is_no_trouble(cli: Cli) -> None:
    assert cli("user", "erase", "nobody", "--yes", "--json").json["memories"] == 0


def test_erasing_asks(cli: Cli) -> None:
    cli("memory", "add", "alice likes pears")
    assert cli("user", "erase", "alice", stdin=b"\n").code == 1
    assert cli("user", "erase", "alice").code == 1
    assert cli("memory", "list").out != ""


@pytest.mark.parametrize("command", ["export", "erase"])
@pytest.mark.parametrize("name", ["..", "*", "a b", "\udcff"])
def test_hostile_names_are_refused(cli: Cli, command: str, name: str) -> None:
    assert "user name" in problem_of(cli("user", command, name))
