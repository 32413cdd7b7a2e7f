"""Connecting, on both event loops: names, local and pinned addresses, more than one address, timeouts."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING

import pytest

from gateway.errors import NotLocal, UpstreamTimeout, UpstreamUnavailable
from gateway.upstreams.base import Timeouts
from tests.fakes.scripted_upstream import Play, ScriptedUpstream, plain
from tests.fakes.wire_calls import MakeClient, whole

if TYPE_CHECKING:
    from collections.abc import Sequence


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def test_nobody_there_is_unavailable_and_says_where(client: MakeClient) -> None:
    port = free_port()
    with pytest.raises(UpstreamUnavailable, match=f"127.0.0.1:{port}"):
        await whole(client(f"http://127.0.0.1:{port}/v1", local=True))


async def test_an_unknown_name_is_unavailable(client: MakeClient) -> None:
    async def unknown(host: str, port: int) -> Sequence[str]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    with pytest.raises(UpstreamUnavailable, match=r"upstream\.test"):
        await whole(client("http://upstream.test/v1", resolver=unknown))


async def test_a_name_without_addresses_is_unavailable(client: MakeClient) -> None:
    async def empty(host: str, port: int) -> Sequence[str]:
        return []

    with pytest.raises(UpstreamUnavailable):
        await whole(client("http://upstream.test/v1", resolver=empty))


class Resolver:
    """Gives one list of addresses after the other, the last one again and again."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self.asked: list[tuple[str, int]] = []
        self._answers = answers

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append((host, port))
        return self._answers[min(len(self.asked), len(self._answers)) - 1]


async def test_the_checked_address_is_the_one_that_is_connected_to(client: MakeClient) -> None:
    """The name is unknown to the system: were it looked up a second time, the request would fail."""
    async with ScriptedUpstream([plain(b"{}")]) as server:
        resolver = Resolver(["127.0.0.1"], ["8.8.8.8"])
        up = client(f"http://upstream.test:{server.port}/v1", local=True, resolver=resolver)
        assert await whole(up) == b"{}"
        assert resolver.asked == [("upstream.test", server.port)]
        assert server.requests[0].headers["host"] == f"upstream.test:{server.port}"


async def test_a_local_name_that_turns_public_is_refused_at_the_next_connection(client: MakeClient) -> None:
    async with ScriptedUpstream([plain(b"{}"), Play.CLOSE]) as server:
        up = client(f"http://upstream.test:{server.port}/v1", local=True, resolver=Resolver(["127.0.0.1"], ["8.8.8.8"]))
        await whole(up)
        with pytest.raises(NotLocal, match=r"upstream\.test"):
            await whole(up)
        assert len(server.requests) == 1


async def test_a_local_upstream_is_reached_at_its_local_addresses_only(client: MakeClient) -> None:
    async with ScriptedUpstream([plain(b"{}")]) as server:
        resolver = Resolver(["8.8.8.8", "127.0.0.1", "0.0.0.0"])
        assert await whole(client(f"http://upstream.test:{server.port}/v1", local=True, resolver=resolver)) == b"{}"


@pytest.mark.parametrize("host", ["8.8.8.8", "0.0.0.0", "224.0.0.1", "[::ffff:8.8.8.8]"])
async def test_a_public_address_is_not_local(client: MakeClient, host: str) -> None:
    with pytest.raises(NotLocal):
        await whole(client(f"http://{host}:9/v1", local=True))


async def test_0_0_0_0_is_not_local_even_where_a_server_would_answer(client: MakeClient) -> None:
    async with ScriptedUpstream([plain(b"{}")]) as server:
        with pytest.raises(NotLocal):
            await whole(client(f"http://0.0.0.0:{server.port}/v1", local=True))
        assert server.connections == 0


async def test_an_upstream_that_is_not_declared_local_may_be_anywhere(client: MakeClient) -> None:
    async with ScriptedUpstream([plain(b"{}")]) as server:
        assert await whole(client(server.url, local=False)) == b"{}"


async def test_the_first_address_that_accepts_is_used(client: MakeClient) -> None:
    async with ScriptedUpstream([plain(b"{}")]) as server:
        up = client(f"http://upstream.test:{server.port}/v1", resolver=Resolver(["127.0.0.1", "127.0.0.2"]))
        assert await whole(up) == b"{}"


async def test_the_next_address_is_tried_when_one_refuses(client: MakeClient) -> None:
    async with ScriptedUpstream([plain(b"{}")]) as server:
        resolver = Resolver(["127.0.0.2", "127.0.0.3", "127.0.0.1"])
        assert await whole(client(f"http://upstream.test:{server.port}/v1", resolver=resolver)) == b"{}"


async def test_the_next_address_is_tried_when_one_is_silent(client: MakeClient) -> None:
    """The silent one has a full queue of connections that nobody accepts."""
    with socket.socket() as silent, socket.socket() as first, socket.socket() as second:
        silent.bind(("127.0.0.2", 0))
        silent.listen(0)
        for filler in (first, second):
            filler.setblocking(False)
            filler.connect_ex(silent.getsockname())
        port = silent.getsockname()[1]
        async with ScriptedUpstream([plain(b"{}")], port=port):
            resolver = Resolver(["127.0.0.2", "127.0.0.1"])
            up = client(f"http://upstream.test:{port}/v1", resolver=resolver, timeouts=Timeouts(connect=0.4))
            assert await whole(up) == b"{}"


async def test_a_silent_server_is_a_timeout_of_connecting(client: MakeClient) -> None:
    """TLS is part of connecting: this server accepts and never says a word of it."""
    async with ScriptedUpstream([asyncio.Event()]) as server:
        up = client(f"https://127.0.0.1:{server.port}/v1", timeouts=Timeouts(connect=0.1))
        with pytest.raises(UpstreamTimeout):
            await whole(up)
        await server.peer_gone.wait()


async def test_a_slow_resolver_is_a_timeout_of_connecting(client: MakeClient) -> None:
    async def forever(host: str, port: int) -> Sequence[str]:
        await asyncio.Event().wait()
        return []

    with pytest.raises(UpstreamTimeout):
        await whole(client("http://upstream.test/v1", resolver=forever, timeouts=Timeouts(connect=0.01)))
