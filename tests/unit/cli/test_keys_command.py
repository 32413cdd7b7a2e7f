"""`eluvix keys`."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tests.unit.cli.conftest import problem_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.unit.cli.conftest import Cli


def test_a_new_key_is_the_only_thing_on_standard_output(cli: Cli) -> None:
    run = cli("keys", "add", "laptop")
    assert run.code == 0
    assert run.out.startswith("elx_")
    assert run.out.count("\n") == 1
    assert "first key" in run.err


def test_the_list_shows_names_and_never_a_key(cli: Cli) -> None:
    key = cli("keys", "add", "laptop", "--user", "alice").out.strip()
    run = cli("keys", "list")
    assert run.out.split("\t")[:3] == ["laptop", "alice", key[-4:]]
    assert key not in run.out


def test_an_empty_list_is_no_output(cli: Cli) -> None:
    run = cli("keys", "list")
    assert (run.code, run.out) == (0, "")
    assert "keys add" in run.err


def test_the_list_as_json_is_a_list(cli: Cli) -> None:
    assert cli("keys", "list", "--json").json == []
    cli("keys", "add", "laptop")
    (row,) = cli("keys", "list", "--json").json
    assert (row["name"], row["user"], row["from"]) == ("laptop", "*", "database")


def test_configured_keys_are_listed_and_their_names_taken(cli: Cli, home: Path) -> None:
    home.mkdir()
    value = "-".join(["some", "long", "key", "value"])
    (home / "config.yaml").write_text(f"keys: [{{name: team, key: {value}, user: bob}}]\n")
    run = cli("keys", "list")
    assert run.out.split("\t")[:2] == ["team", "bob"]
    assert value not in run.out
    assert "'team'" in problem_of(cli("keys", "add", "team"))


def test_the_same_name_twice_is_refused(cli: Cli) -> None:
    cli("keys", "add", "laptop")
    assert "rotate" in problem_of(cli("keys", "add", "laptop"))


def test_rotating_gives_another_key_under_the_same_name(cli: Cli) -> None:
    first = cli("keys", "add", "laptop").out
    second = cli("keys", "rotate", "laptop", "--json").json
    assert second["name"] == "laptop"
    assert second["key"] != first.strip()
    assert len(cli("keys", "list", "--json").json) == 1


@pytest.mark.parametrize("command", ["rotate", "revoke"])
def test_an_unknown_name_is_refused_with_the_next_step(cli: Cli, command: str) -> None:
    assert "eluvix keys list" in problem_of(cli("keys", command, "nobody"))


def test_taking_the_last_key_away_says_what_that_means(cli: Cli) -> None:
    cli("keys", "add", "one")
    cli("keys", "add", "two")
    assert "last key" not in cli("keys", "revoke", "one").err
    assert "last key" in cli("keys", "revoke", "two").err
    assert cli("keys", "list", "--json").json == []


@pytest.mark.parametrize("user", ["", "..", "a b", "a/b", "zoë", "a\nb", "x" * 129, "\udcff"])
def test_hostile_user_names_are_refused(cli: Cli, user: str) -> None:
    assert "--user" in problem_of(cli("keys", "add", "laptop", f"--user={user}"))


@pytest.mark.parametrize("name", ["", " ", "../x", "a\nb", "x" * 65, "\udcff", "-"])
def test_hostile_key_names_are_refused(cli: Cli, name: str) -> None:
    assert "name" in problem_of(cli("keys", "add", "--", name))


@pytest.mark.parametrize(
    "content", [b"not a database at all, but long enough to be read as one" * 40, b"SQLite format 3\0" + b"\xff" * 5000]
)
def test_a_broken_state_database_is_one_message_that_names_it(cli: Cli, home: Path, content: bytes) -> None:
    home.mkdir()
    (home / "state.db").write_bytes(content)
    assert "state.db" in problem_of(cli("keys", "list"))


def test_a_database_of_a_newer_release_is_left_alone(cli: Cli, home: Path) -> None:
    cli("keys", "list")
    with closing(sqlite3.connect(home / "state.db")) as connection, connection:
        connection.execute("INSERT INTO schema_version VALUES (99, 'later', 0)")
    assert "newer release" in problem_of(cli("keys", "list"))
