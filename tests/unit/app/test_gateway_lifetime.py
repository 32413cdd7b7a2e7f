"""What a gateway opens and closes as it starts, takes a new configuration and stops."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from structlog.testing import capture_logs

from gateway.app.gateway import Gateway
from gateway.errors import ConfigError
from gateway.settings import Settings
from providers.base import NewMemory
from providers.sqlite.provider import SqliteProvider
from tests.fakes.upstreams import FakeUpstream
from tests.unit.cli.conftest import QuickWorker

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    from gateway.upstreams.base import UpstreamConfig
    from providers.base import Memory, Verdict


class Listing(FakeUpstream):
    """An upstream that tells when it is asked for its models, and when it is closed."""

    def __init__(self, config: UpstreamConfig) -> None:
        super().__init__(config.name, local=config.local, kind=config.kind)
        self.asked, self.may_answer, self.closed = asyncio.Event(), asyncio.Event(), False

    async def models(self) -> list[Any]:
        self.asked.set()
        await self.may_answer.wait()
        return []

    async def close(self) -> None:
        self.closed = True


def _settings(**more: Any) -> Settings:
    upstreams = {"home": {"url": "http://127.0.0.1:9/v1", "local": True}}
    return Settings.model_validate({"upstreams": upstreams, "discover": "off", "server": {"shutdown_timeout_s": 0}, **more})


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Listing]:
    """Every upstream that is made, in order."""
    made: list[Listing] = []

    def connect(config: UpstreamConfig) -> Listing:
        made.append(Listing(config))
        return made[-1]

    monkeypatch.setattr("gateway.app.build.connect", connect)
    monkeypatch.setattr("gateway.app.gateway.Worker", QuickWorker)
    return made


@pytest.fixture
async def gateway(made: list[Listing], tmp_path: Path) -> AsyncIterator[Gateway]:
    gateway = Gateway(_settings(), tmp_path)
    await gateway.start()
    yield gateway
    await gateway.stop()


async def test_a_new_configuration_closes_the_upstreams_of_the_old_one_and_no_others(gateway: Gateway, made: list[Listing]) -> None:
    old = list(made)
    await gateway.reload(_settings())
    assert [upstream.closed for upstream in old] == [True] * len(old)
    assert len(made) == 2 * len(old)
    assert not any(upstream.closed for upstream in made[len(old) :])


async def test_a_configuration_that_cannot_be_used_closes_and_asks_nothing(gateway: Gateway, made: list[Listing]) -> None:
    old, parts = list(made), gateway.parts()
    with pytest.raises(ConfigError):
        await gateway.reload(_settings(routes={"m": "nowhere"}))
    assert gateway.parts() is parts
    assert not any(upstream.closed for upstream in old)
    await asyncio.sleep(0)
    assert not any(upstream.asked.is_set() for upstream in made[len(old) :])


async def test_keys_in_a_configuration_that_cannot_be_used_shut_nobody_out(gateway: Gateway) -> None:
    key = {"name": "k", "key": "a-key-of-" + "some-length", "user": "alice"}
    with pytest.raises(ConfigError):
        await gateway.reload(_settings(keys=[key], routes={"m": "nowhere"}))
    await gateway.reload(_settings())
    assert gateway.parts().identity.principal([(b"x-eluvix-user", b"bob")]).user == "bob"


async def test_a_memory_that_was_stored_without_a_verdict_gets_one(
    made: list[Listing], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Gateway(_settings(), tmp_path)
    await first.start()
    (memory,) = await first.parts().provider.add("alice", [NewMemory("a secret")])
    assert memory.verdict is None
    await first.stop()
    stamped = asyncio.Event()
    stamp = SqliteProvider.stamp

    async def stamp_and_tell(provider: SqliteProvider, judged: Sequence[tuple[Memory, Verdict]]) -> None:
        await stamp(provider, judged)
        stamped.set()

    monkeypatch.setattr(SqliteProvider, "stamp", stamp_and_tell)
    second = Gateway(_settings(), tmp_path)
    await second.start()
    try:
        await asyncio.wait_for(stamped.wait(), 10)
        found = await second.parts().provider.get("alice", memory.id)
        assert found is not None
        assert found.verdict is not None
        assert found.verdict.sensitivity == "high"
    finally:
        await second.stop()


async def test_stopping_closes_every_upstream_also_one_that_is_just_asked(made: list[Listing], tmp_path: Path) -> None:
    gateway = Gateway(_settings(), tmp_path)
    await gateway.start()
    await made[0].asked.wait()
    await gateway.stop()
    assert all(upstream.closed for upstream in made)


async def test_a_reload_under_way_while_the_gateway_stops_leaves_nothing_open(
    made: list[Listing], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looking, found = asyncio.Event(), asyncio.Event()

    async def discover(_environ: object) -> list[UpstreamConfig]:
        looking.set()
        await found.wait()
        return []

    monkeypatch.setattr("gateway.app.build.discover", discover)
    gateway = Gateway(_settings(), tmp_path)
    await gateway.start()
    reload = asyncio.create_task(gateway.reload(_settings(upstreams={}, discover="on")))
    await looking.wait()
    with capture_logs():
        stop = asyncio.create_task(gateway.stop())
        await asyncio.sleep(0)
        found.set()
        await asyncio.gather(reload, stop)
    assert len(made) > 3
    assert all(upstream.closed for upstream in made)
