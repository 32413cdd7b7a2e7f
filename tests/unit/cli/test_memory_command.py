"""`eluvix memory`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import orjson
import pytest

from gateway.memories import MAX_TEXT
from tests.unit.cli.conftest import problem_of

if TYPE_CHECKING:
    from tests.unit.cli.conftest import Cli


FULL = Path("/dev/full")


@pytest.fixture
def pears(cli: Cli) -> str:
    """A memory of alice's; its id."""
    made = cli("memory", "add", "I like pears", "--category", "preferences", "--json").json
    return str(made[0]["id"])


def test_what_was_added_is_found_listed_and_shown(cli: Cli, pears: str) -> None:
    assert [one["id"] for one in cli("memory", "search", "pears", "--json").json] == [pears]
    assert cli("memory", "list").out.split("\t")[0] == pears
    shown = cli("memory", "show", pears, "--json").json
    assert (shown["text"], shown["category"], shown["sensitivity"]) == ("I like pears", "preferences", "none")
    assert f"id: {pears}\n" in cli("memory", "show", pears).out


def test_commands_act_for_the_named_user_else_the_environment_else_the_login(cli: Cli, pears: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli("memory", "list", "--user", "bob").out == ""
    assert cli("memory", "list").out != ""
    monkeypatch.delenv("ELUVIX_USER")
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.setenv(name, "carol")
    cli("memory", "add", "I am Carol")
    assert "Carol" in cli("memory", "list", "--user", "carol").out


def test_a_login_name_that_is_no_user_name_asks_for_one(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ELUVIX_USER")
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.setenv(name, "DOMAIN\\carol")
    assert "--user NAME" in problem_of(cli("memory", "list"))


@pytest.mark.parametrize("user", ["", "..", "a/../b", "a b", "zoë", "*"])
def test_hostile_user_names_are_refused(cli: Cli, user: str) -> None:
    assert "--user" in problem_of(cli("memory", "list", f"--user={user}"))


def test_an_impossible_user_of_the_environment_is_named(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELUVIX_USER", "../x")
    assert "ELUVIX_USER" in problem_of(cli("memory", "list"))


def test_a_text_can_come_from_standard_input(cli: Cli) -> None:
    assert cli("memory", "add", "-", "--json", stdin="Ich mag Äpfel\n".encode()).json[0]["text"] == "Ich mag Äpfel"


@pytest.mark.parametrize(
    "stdin", [b"", b"  \n", b"\xff\xfe broken", b"x" * (MAX_TEXT + 1)], ids=["empty", "blank", "not utf-8", "too long"]
)
def test_texts_that_cannot_be_kept_are_refused(cli: Cli, stdin: bytes) -> None:
    problem_of(cli("memory", "add", "-", stdin=stdin))
    assert cli("memory", "list").out == ""


@pytest.mark.parametrize("arguments", [("\udcff",), ("fine", "--category", "\udcff"), ("fine", "--category", "")])
def test_arguments_that_are_no_text_are_refused(cli: Cli, arguments: tuple[str, ...]) -> None:
    problem_of(cli("memory", "add", *arguments))
    problem_of(cli("memory", "search", "\udcff"))


@pytest.mark.parametrize("command", [("show",), ("forget",), ("edit", "--text", "new")])
@pytest.mark.parametrize("memory_id", ["nothing", "../../etc", "\udcff"])
def test_an_unknown_id_names_the_next_step(cli: Cli, command: tuple[str, ...], memory_id: str) -> None:
    assert "eluvix memory list" in problem_of(cli("memory", *command, "--", memory_id))


def test_another_users_id_is_unknown(cli: Cli, pears: str) -> None:
    problem_of(cli("memory", "show", pears, "--user", "bob"))
    problem_of(cli("memory", "forget", pears, "--user", "bob"))
    assert cli("memory", "show", pears).code == 0


def test_an_edit_changes_only_what_is_given(cli: Cli, pears: str) -> None:
    cli("memory", "edit", pears, "--text", "I like plums")
    shown = cli("memory", "show", pears, "--json").json
    assert (shown["text"], shown["category"]) == ("I like plums", "preferences")
    assert "--text" in problem_of(cli("memory", "edit", pears))


def test_forgetting_one_leaves_the_others(cli: Cli, pears: str) -> None:
    cli("memory", "add", "I like plums")
    assert cli("memory", "forget", pears).code == 0
    assert [one["text"] for one in cli("memory", "list", "--json").json] == ["I like plums"]


def test_clearing_asks_and_no_changes_nothing(cli: Cli, pears: str) -> None:
    refused = cli("memory", "clear", stdin=b"n\n")
    assert (refused.code, refused.out) == (1, "")
    assert "Nothing was changed" in refused.err
    assert cli("memory", "clear", stdin=b"y\n").code == 0
    assert cli("memory", "list").out == ""


def test_clearing_with_nobody_to_answer_says_how_to_do_without(cli: Cli, pears: str) -> None:
    run = cli("memory", "clear")
    assert run.code == 1
    assert "--yes" in run.err
    assert cli("memory", "list").out != ""
    assert cli("memory", "clear", "--yes", "--json").json == {"user": "alice", "forgotten": 1}


def test_control_characters_do_not_reach_the_terminal(cli: Cli) -> None:
    cli("memory", "add", "red \x1b[31m alert\x07 \u202e end")
    for command in (("list",), ("search", "red alert")):
        out = cli("memory", *command).out
        assert "\\u001b" in out
        assert not {"\x1b", "\x07", "\u202e"} & set(out)


def test_a_list_is_one_line_for_each_memory(cli: Cli) -> None:
    cli("memory", "add", "two\nlines\tand a tab")
    assert cli("memory", "list").out.rstrip("\n").split("\t")[3:] == ["two lines and a tab"]


def test_more_than_a_page_can_be_listed(cli: Cli) -> None:
    lines = b"".join(orjson.dumps({"text": f"fact number {number}"}) + b"\n" for number in range(230))
    assert cli("memory", "import", "-", stdin=lines).code == 0
    assert len(cli("memory", "list", "--limit", "1000", "--json").json) == 230
    some = cli("memory", "list", "--limit", "3")
    assert some.out.count("\n") == 3
    assert "--limit" in some.err


def test_an_export_can_be_imported_by_another_user(cli: Cli, pears: str, tmp_path: Path) -> None:
    file = tmp_path / "export.jsonl"
    cli("memory", "export", str(file))
    assert file.stat().st_mode & 0o077 == 0
    assert cli("memory", "import", str(file), "--user", "bob", "--json").json == {"added": 1, "problems": []}
    mine, other = (cli("memory", "export", "--user", user).out for user in ("alice", "bob"))
    assert mine == other == file.read_text()


def test_an_export_replaces_no_file_unasked(cli: Cli, pears: str, tmp_path: Path) -> None:
    file = tmp_path / "export.jsonl"
    file.write_text("mine")
    assert "--force" in problem_of(cli("memory", "export", str(file)))
    assert file.read_text() == "mine"
    assert cli("memory", "export", str(file), "--force").code == 0
    assert "pears" in file.read_text()


def test_an_export_to_where_nothing_can_be_written_is_one_message(cli: Cli, pears: str, tmp_path: Path) -> None:
    assert "folder" in problem_of(cli("memory", "export", str(tmp_path)))
    assert "no folder" in problem_of(cli("memory", "export", str(tmp_path / "nowhere" / "file")))


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full")
def test_an_export_onto_a_full_disk_is_one_message(cli: Cli, pears: str) -> None:
    assert "disk is full" in problem_of(cli("memory", "export", str(FULL)))


def test_an_export_that_fails_leaves_no_half_file(cli: Cli, home: Path, tmp_path: Path) -> None:
    home.mkdir()
    (home / "memory.db").write_bytes(b"no database " * 500)
    problem_of(cli("memory", "export", str(tmp_path / "export.jsonl")))
    assert not list(tmp_path.glob("*export*")) and not list(tmp_path.glob("*.part"))


def test_lines_that_make_no_sense_are_named_and_the_others_imported(cli: Cli) -> None:
    lines = b'\xef\xbb\xbf{"text": "one"}\n\nnonsense\n{"text": "caf\xe9"}\n{"text": 7}\n{"text": "two"}\n'
    run = cli("memory", "import", "-", stdin=lines)
    assert run.code == 1
    assert "Imported: 2 memories, 3 lines skipped." in run.err
    assert "line 3: " in run.err and "line 4: this is not UTF-8" in run.err and "line 5: " in run.err
    assert {one["text"] for one in cli("memory", "list", "--json").json} == {"one", "two"}


def test_an_import_of_nothing_is_no_trouble(cli: Cli) -> None:
    assert cli("memory", "import", "-", "--json").json == {"added": 0, "problems": []}


def test_an_import_of_a_missing_file_is_one_message(cli: Cli, tmp_path: Path) -> None:
    assert "There is no file" in problem_of(cli("memory", "import", str(tmp_path / "nothing.jsonl")))
    assert "directory" in problem_of(cli("memory", "import", str(tmp_path))).lower()


def test_a_broken_memory_database_is_one_message_that_names_it(cli: Cli, home: Path) -> None:
    home.mkdir()
    (home / "memory.db").write_bytes(b"no database " * 500)
    assert "memory.db" in problem_of(cli("memory", "list"))


def test_a_text_too_sensitive_for_a_provider_elsewhere_is_not_stored(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    import gateway.cli.desk
    from tests.fakes.provider import DictProvider

    provider = DictProvider(local=False)
    monkeypatch.setattr(gateway.cli.desk, "make_provider", lambda *_: provider)
    assert "too sensitive" in problem_of(cli("memory", "add", "a secret"))
    assert provider.kept == {}
    made = cli("memory", "add", "harmless", "--json").json
    assert "too sensitive" in problem_of(cli("memory", "edit", made[0]["id"], "--text", "a secret"))
