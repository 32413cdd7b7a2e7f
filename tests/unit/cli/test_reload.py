"""Reading the configuration again while the gateway runs."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

import pytest
from structlog.testing import capture_logs

from gateway.cli import reload as reload_module
from gateway.cli.reload import Reload, watch
from gateway.errors import ConfigError
from providers.base import ProviderUnavailable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, MutableMapping
    from pathlib import Path
    from typing import Any

    from gateway.app.gateway import Gateway
    from gateway.settings import Settings

PASSWORD = "-".join(("made", "at", "first", "start"))


class FakeGateway:
    """Remembers the settings that it was given; `problem` is raised instead."""

    def __init__(self) -> None:
        self.settings: list[Settings] = []
        self.problem: Exception | None = None

    async def reload(self, settings: Settings) -> tuple[str, ...]:
        if self.problem is not None:
            raise self.problem
        self.settings.append(settings)
        return ("server.port",)


@pytest.fixture
def gateway() -> FakeGateway:
    return FakeGateway()


@pytest.fixture
def file(home: Path) -> Path:
    home.mkdir()
    (home / "config.yaml").write_text("memory: {top_k: 7}\n")
    return home / "config.yaml"


@pytest.fixture
def reload(gateway: FakeGateway, file: Path) -> Reload:
    return Reload(cast("Gateway", gateway), None, {"server": {"port": 4000}}, file, PASSWORD)


def _write(file: Path, text: str) -> None:
    file.write_bytes(text.encode(errors="surrogateescape"))


def _remove(file: Path) -> None:
    file.unlink()


async def _logs(reload: Reload) -> list[MutableMapping[str, Any]]:
    with capture_logs() as logs:
        await reload()
    return logs


async def test_the_file_and_the_flags_are_taken_into_use(reload: Reload, gateway: FakeGateway) -> None:
    logs = await _logs(reload)
    (settings,) = gateway.settings
    assert (settings.memory.top_k, settings.server.port) == (7, 4000)
    assert logs[-1]["after_restart"] == ["server.port"]


async def test_the_password_of_the_first_start_holds_until_one_is_configured(reload: Reload, gateway: FakeGateway, file: Path) -> None:
    await _logs(reload)
    _write(file, "admin_password: of-the-file\n")
    await _logs(reload)
    passwords = [settings.admin_password.get_secret_value() for settings in gateway.settings if settings.admin_password]
    assert passwords == [PASSWORD, "of-the-file"]


@pytest.mark.parametrize("text", ["memory: [", "memory: {topk: 7}\n", "memory: {top_k: many}\n", "caf\udce9"])
async def test_a_broken_file_keeps_the_old_configuration_and_says_why(reload: Reload, gateway: FakeGateway, file: Path, text: str) -> None:
    _write(file, text)
    (entry,) = await _logs(reload)
    assert gateway.settings == []
    assert entry["log_level"] == "error"
    assert "config.yaml" in entry["problem"]


async def test_a_file_that_is_gone_keeps_the_old_configuration(reload: Reload, gateway: FakeGateway, file: Path) -> None:
    _remove(file)
    (entry,) = await _logs(reload)
    assert gateway.settings == []
    assert "is gone" in entry["problem"]


@pytest.mark.parametrize("problem", [ConfigError("no"), ProviderUnavailable("no"), RuntimeError("somebody's words")])
async def test_what_the_gateway_cannot_take_is_said_and_nothing_is_raised(reload: Reload, gateway: FakeGateway, problem: Exception) -> None:
    gateway.problem = problem
    (entry,) = await _logs(reload)
    assert entry["log_level"] == "error"
    assert "somebody" not in str(entry)


async def test_warnings_are_said_again(reload: Reload, file: Path) -> None:
    _write(file, "server: {cors_origins: ['*']}\n")
    warnings = [entry["event"] for entry in await _logs(reload) if entry["log_level"] == "warning"]
    assert len(warnings) == 1
    assert "cors_origins" in warnings[0]


class Changes:
    """Counts calls, and says when the next one has come."""

    def __init__(self) -> None:
        self.count = 0
        self._event = asyncio.Event()

    async def __call__(self) -> None:
        self.count += 1
        self._event.set()

    async def next(self) -> None:
        await asyncio.wait_for(self._event.wait(), 30)
        self._event.clear()


class Marks:
    """Stands in for looking at the file: gives these marks one after the other, and then ends the watching."""

    def __init__(self, marks: str) -> None:
        self._marks = iter(marks)

    def __call__(self, _: Path) -> str:
        mark = next(self._marks, None)
        if mark is None:
            raise asyncio.CancelledError
        return mark


@pytest.mark.parametrize(
    ("marks", "calls"),
    [("aaaa", 0), ("aabb", 1), ("aabbbbb", 1), ("aabbaa", 2), ("aabcdefg", 0), ("aabcdd", 1), ("aabaaa", 0)],
    ids=["same", "changed", "stays", "twice", "being written", "written at last", "as it was"],
)
async def test_a_change_counts_once_the_file_has_stayed_the_same_for_a_while(
    file: Path, monkeypatch: pytest.MonkeyPatch, marks: str, calls: int
) -> None:
    monkeypatch.setattr(reload_module, "_mark", Marks(marks))
    changes = Changes()
    with pytest.raises(asyncio.CancelledError):
        await watch(file, changes, every_s=0)
    assert changes.count == calls


@pytest.fixture
async def changes(file: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Changes]:
    """The file is watched, and was looked at for the first time."""
    looked, loop, mark = asyncio.Event(), asyncio.get_running_loop(), reload_module._mark

    def look(path: Path) -> object:
        try:
            return mark(path)
        finally:
            loop.call_soon_threadsafe(looked.set)

    monkeypatch.setattr(reload_module, "_mark", look)
    seen = Changes()
    watching = asyncio.create_task(watch(file, seen, every_s=0.005))
    await looked.wait()
    yield seen
    watching.cancel()


async def test_a_file_that_is_written_to_is_noticed(changes: Changes, file: Path) -> None:
    _write(file, "memory: {top_k: 8}\n# longer than before\n")
    await changes.next()


async def test_a_file_that_is_replaced_is_noticed(changes: Changes, file: Path, tmp_path: Path) -> None:
    (tmp_path / "new").write_text("memory: {top_k: 7}\n")
    (tmp_path / "new").replace(file)
    await changes.next()


async def test_a_file_behind_a_link_is_noticed(changes: Changes, file: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("memory: {top_k: 9}\n")
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "link").replace(file)
    await changes.next()
    (tmp_path / "elsewhere").write_text("memory: {top_k: 10}\n")
    await changes.next()


async def test_a_file_that_goes_and_comes_is_noticed_both_times(changes: Changes, file: Path) -> None:
    _remove(file)
    await changes.next()
    _write(file, "memory: {top_k: 11}\n")
    await changes.next()
