"""Through an HTTP proxy, on both event loops: absolute urls for plain upstreams, a tunnel for TLS."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from gateway.errors import UpstreamTimeout, UpstreamUnavailable
from gateway.upstreams.base import Timeouts
from tests.fakes.scripted_upstream import Play, ScriptedUpstream, plain
from tests.fakes.wire_calls import MakeClient, whole

if TYPE_CHECKING:
    from tests.fakes.certificates import Authority

USER = "me:" + "secret"


class TunnelProxy:
    """A proxy that does CONNECT: every tunnel leads to `port`, whatever name was asked for."""

    def __init__(self, port: int) -> None:
        self.heads: list[str] = []
        self._port = port
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> TunnelProxy:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://{USER}@127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
        there, back = await asyncio.open_connection("127.0.0.1", self._port)
        writer.write(b"HTTP/1.1 200 Connection established\r\nvia: test\r\n\r\n")
        for source, target in ((reader, back), (there, writer)):
            task = asyncio.get_running_loop().create_task(_pump(source, target))
            self._tasks.add(task)


async def _pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    try:
        while data := await source.read(65536):
            target.write(data)
    except ConnectionError:
        pass
    finally:
        target.close()


async def test_a_plain_upstream_is_asked_for_by_its_absolute_url(client: MakeClient) -> None:
    async with ScriptedUpstream([plain(b"1")], [plain(b"2")]) as proxy:
        up = client("http://upstream.test/v1", proxy=f"http://{USER}@127.0.0.1:{proxy.port}")
        assert [await whole(up), await whole(up)] == [b"1", b"2"]
        assert proxy.connections == 1
    request = proxy.requests[0]
    assert request.target == "http://upstream.test/v1/chat/completions"
    assert request.headers["host"] == "upstream.test"
    assert request.headers["proxy-authorization"].startswith("Basic ")


async def test_a_tls_upstream_is_reached_through_a_tunnel(client: MakeClient, authority: Authority) -> None:
    async with ScriptedUpstream([plain(b"1")], [plain(b"2")], tls=authority.server) as server, TunnelProxy(server.port) as proxy:
        up = client("https://upstream.test/v1", proxy=proxy.url, ca_file=authority.ca_file)
        assert [await whole(up), await whole(up)] == [b"1", b"2"]
        assert len(proxy.heads) == 1
        assert server.requests[0].headers["host"] == "upstream.test"
        assert "proxy-authorization" not in server.requests[0].headers
        up.close()
        await server.peer_gone.wait()
    first, *rest = proxy.heads[0].split("\r\n")
    assert first == "CONNECT upstream.test:443 HTTP/1.1"
    assert "host: upstream.test:443" in rest
    assert any(line.startswith("proxy-authorization: Basic ") for line in rest)
    assert not any("authorization: Bearer" in line for line in rest)


async def test_the_tunnel_does_not_weaken_the_check_of_the_certificate(client: MakeClient, authority: Authority) -> None:
    async with ScriptedUpstream([plain(b"1")], tls=authority.server) as server, TunnelProxy(server.port) as proxy:
        with pytest.raises(UpstreamUnavailable, match="certificate"):
            await whole(client("https://other.test/v1", proxy=proxy.url, ca_file=authority.ca_file))
        assert server.requests == []


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ([b"HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n"], "407"),
        ([b"HTTP/1.1 502 Bad Gateway\r\n\r\n"], "502"),
        ([b"SOCKS\r\n\r\n"], "HTTP"),
        ([b"HTTP/1.1 200 OK\r\n\r\nsurplus"], "HTTP"),
        ([b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 5000], "HTTP"),
        ([Play.CLOSE], "HTTP"),
    ],
)
async def test_a_proxy_that_refuses_makes_the_upstream_unavailable(client: MakeClient, answer: list[bytes | Play], reason: str) -> None:
    async with ScriptedUpstream(list(answer)) as proxy:
        with pytest.raises(UpstreamUnavailable, match=reason) as caught:
            await whole(client("https://upstream.test/v1", proxy=f"http://{USER}@127.0.0.1:{proxy.port}"))
        assert "secret" not in str(caught.value)
        await proxy.open_connections_are(0)


async def test_a_silent_proxy_is_a_timeout_of_connecting(client: MakeClient) -> None:
    async with ScriptedUpstream([asyncio.Event()]) as proxy:
        up = client("https://upstream.test/v1", proxy=f"http://127.0.0.1:{proxy.port}", timeouts=Timeouts(connect=0.1))
        with pytest.raises(UpstreamTimeout):
            await whole(up)
        await proxy.peer_gone.wait()


async def test_cancelling_while_the_proxy_thinks_closes_the_connection(client: MakeClient) -> None:
    async with ScriptedUpstream([asyncio.Event()]) as proxy:
        up = client("https://upstream.test/v1", proxy=f"http://127.0.0.1:{proxy.port}")
        task = asyncio.create_task(whole(up))
        await proxy.received()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await proxy.peer_gone.wait()
