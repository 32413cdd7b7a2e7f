"""`eluvix backup`."""

from __future__ import annotations

import io
import os
import sqlite3
import tarfile
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from gateway.cli.running import home_held
from tests.unit.cli.conftest import problem_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.unit.cli.conftest import Cli


@pytest.fixture
def archive(cli: Cli, tmp_path: Path) -> Path:
    """A backup of a home with one memory and one key."""
    cli("memory", "add", "from before")
    cli("keys", "add", "laptop")
    file = tmp_path / "backup.tar.gz"
    assert cli("backup", "create", str(file)).out == f"{file}\n"
    return file


def _texts(cli: Cli) -> list[str]:
    return sorted(one["text"] for one in cli("memory", "list", "--json").json)


def _state(home: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(home.glob("*.db"))}


def _pack(file: Path, entries: dict[str, bytes]) -> Path:
    with tarfile.open(file, "w:gz") as packed:
        for name, content in entries.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            packed.addfile(member, io.BytesIO(content))
    return file


def test_a_backup_is_for_its_owner_only_and_has_both_databases(archive: Path) -> None:
    assert archive.stat().st_mode & 0o077 == 0
    with tarfile.open(archive) as packed:
        assert sorted(packed.getnames()) == ["memory.db", "state.db"]


def test_without_a_name_it_goes_into_the_home_folder(cli: Cli, home: Path) -> None:
    cli("memory", "add", "something")
    (file,) = (home / "backups").iterdir() if cli("backup", "create").code == 0 else ()
    assert file.name.startswith("eluvix-")
    assert sorted(path.name for path in home.iterdir() if path.is_dir()) == ["backups"]


def test_it_can_go_to_standard_output(cli: Cli, archive: Path, tmp_path: Path) -> None:
    run = cli("backup", "create", "-")
    (tmp_path / "piped").write_bytes(run.raw)
    with tarfile.open(tmp_path / "piped") as packed:
        assert len(packed.getnames()) == 2


def test_an_existing_file_is_not_replaced_unasked(cli: Cli, archive: Path) -> None:
    assert "--force" in problem_of(cli("backup", "create", str(archive)))
    assert cli("backup", "create", str(archive), "--force").code == 0


def test_restoring_brings_back_what_was_and_keeps_what_is(cli: Cli, home: Path, archive: Path) -> None:
    cli("memory", "add", "from after")
    run = cli("backup", "restore", str(archive), "--yes")
    assert run.code == 0, run.err
    assert _texts(cli) == ["from before"]
    assert [key["name"] for key in cli("keys", "list", "--json").json] == ["laptop"]
    (kept,) = home.glob("before-restore-*")
    assert str(kept) in run.err
    assert {"memory.db", "state.db"} <= {path.name for path in kept.iterdir()}
    assert (home / "memory.db").stat().st_mode & 0o077 == 0


def test_restoring_into_an_empty_home_works(cli: Cli, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ELUVIX_HOME", str(tmp_path / "other"))
    assert cli("backup", "restore", str(archive), "--yes").code == 0
    assert _texts(cli) == ["from before"]


def test_restoring_mends_a_damaged_database(cli: Cli, home: Path, archive: Path) -> None:
    for path in home.glob("memory.db*"):
        path.write_bytes(b"garbage " * 900)
    problem_of(cli("memory", "list"))
    assert cli("backup", "restore", str(archive), "--yes").code == 0
    assert _texts(cli) == ["from before"]


def test_a_damaged_database_is_not_called_a_backup(cli: Cli, home: Path, tmp_path: Path) -> None:
    for number in range(40):
        cli("memory", "import", "-", stdin=b'{"text": "%d %s"}' % (number, b"x" * 3000))
    with (home / "memory.db").open("r+b") as database:
        database.seek(4096 * 12)
        database.write(b"\xff" * 4096 * 8)
    assert "damaged" in problem_of(cli("backup", "create", str(tmp_path / "backup.tar.gz")))
    assert not list(tmp_path.glob("backup*"))


@pytest.mark.parametrize("content", [b"", b"some text", b"\x1f\x8b\x08\x00broken", os.urandom(4000)], ids=["empty", "text", "cut", "noise"])
def test_a_file_that_is_no_backup_is_refused_and_nothing_changes(
    cli: Cli, home: Path, archive: Path, tmp_path: Path, content: bytes
) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_bytes(content)
    before = _state(home)
    assert "backup create" in problem_of(cli("backup", "restore", str(wrong), "--yes"))
    assert _state(home) == before


def test_a_backup_that_was_cut_short_is_refused(cli: Cli, archive: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut"
    cut.write_bytes(archive.read_bytes()[:-200])
    problem_of(cli("backup", "restore", str(cut), "--yes"))


def test_a_database_of_another_program_is_refused(cli: Cli, home: Path, archive: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as connection, connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    wrong = _pack(tmp_path / "wrong", {"memory.db": other.read_bytes()})
    before = _state(home)
    message = problem_of(cli("backup", "restore", str(wrong), "--yes"))
    assert "another program" in message and "Nothing was changed" in message
    assert _state(home) == before


def test_a_damaged_database_in_a_backup_is_refused(cli: Cli, home: Path, archive: Path, tmp_path: Path) -> None:
    wrong = _pack(tmp_path / "wrong", {"state.db": (home / "state.db").read_bytes(), "memory.db": b"SQLite format 3\0" + b"\xff" * 9000})
    before = _state(home)
    assert "memory.db in this backup" in problem_of(cli("backup", "restore", str(wrong), "--yes"))
    assert _state(home) == before


def test_nothing_else_is_taken_out_of_a_backup(cli: Cli, home: Path, archive: Path, tmp_path: Path) -> None:
    wrong = _pack(tmp_path / "wrong", {"../escaped": b"x", "config.yaml": b"x", "/tmp/escaped": b"x"})
    assert "no database of ours" in problem_of(cli("backup", "restore", str(wrong), "--yes"))
    assert not (home.parent / "escaped").exists()
    assert not (home / "config.yaml").exists()


def test_a_missing_file_is_one_message(cli: Cli, tmp_path: Path) -> None:
    assert "There is no file" in problem_of(cli("backup", "restore", str(tmp_path / "nothing"), "--yes"))


def test_nothing_is_restored_while_a_gateway_runs(cli: Cli, home: Path, archive: Path) -> None:
    before = _state(home)
    with home_held(home, ""):
        assert "A gateway is running" in problem_of(cli("backup", "restore", str(archive), "--yes"))
    assert _state(home) == before


def test_restoring_asks(cli: Cli, home: Path, archive: Path) -> None:
    before = _state(home)
    assert cli("backup", "restore", str(archive), stdin=b"n\n").code == 1
    assert cli("backup", "restore", str(archive)).code == 1
    assert _state(home) == before
