"""What the tests of upstreams share: both event loops, clients that are closed, certificates."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from typing import TYPE_CHECKING

import pytest
import uvloop

from gateway.upstreams.base import UpstreamConfig
from gateway.upstreams.wire.client import Client
from tests.fakes.certificates import Authority, make_authority

if TYPE_CHECKING:
    from tests.fakes.wire_calls import MakeClient

LoopFactory = Callable[[], asyncio.AbstractEventLoop]


def pytest_asyncio_loop_factories(config: pytest.Config, item: pytest.Item) -> Mapping[str, LoopFactory]:
    """What depends on transports is tried on both event loops that the gateway runs on."""
    if item.path.stem.removeprefix("test_wire_") in ("client", "dial", "cancel", "tls", "proxy"):
        return {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}
    return {"asyncio": asyncio.new_event_loop}


@pytest.fixture
async def client() -> AsyncIterator[MakeClient]:
    """Makes clients, and closes them: `client(url, local=True, ...)`, `resolver=` where names are to be looked up."""
    made: list[Client] = []

    def make(url: str, *, resolver: object = None, **settings: object) -> Client:
        config = UpstreamConfig("up", "openai", url, **settings)  # type: ignore[arg-type]
        new = Client(config) if resolver is None else Client(config, resolver)  # type: ignore[arg-type]
        made.append(new)
        return new

    yield make
    for each in made:
        each.close()


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return make_authority(tmp_path_factory.mktemp("tls"))
