"""The client against real sockets, on both event loops: what goes over the wire, and reconnecting."""

from __future__ import annotations

import asyncio
import socket

import pytest

from gateway.errors import UpstreamBroken, UpstreamTimeout, UpstreamUnavailable
from gateway.upstreams.base import Timeouts
from tests.fakes.scripted_upstream import CHUNKED_HEAD, LAST_CHUNK, Play, Script, ScriptedUpstream, chunk, plain
from tests.fakes.wire_calls import CHAT, MakeClient, ask, whole


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def test_the_request_arrives_as_it_was_given(client: MakeClient) -> None:
    async with ScriptedUpstream([plain(b"{}")]) as server:
        await (await client(server.url).post(CHAT, b'{"a":1}', {"openai-beta": "x"})).read()
    request = server.requests[0]
    assert (request.method, request.target, request.body) == ("POST", "/v1/chat/completions", b'{"a":1}')
    assert request.headers["openai-beta"] == "x"
    assert request.headers["host"] == f"127.0.0.1:{server.port}"


async def test_one_connection_carries_one_exchange_after_another(client: MakeClient) -> None:
    async with ScriptedUpstream([plain(b"1")], [CHUNKED_HEAD, chunk(b"2"), LAST_CHUNK], [plain(b"3")]) as server:
        up = client(server.url)
        assert [await whole(up), await whole(up), await whole(up)] == [b"1", b"2", b"3"]
        assert server.connections == 1


@pytest.mark.parametrize("size", [50_000, 1_000_000, 5_000_000])
async def test_large_bodies_go_both_ways_unchanged(client: MakeClient, size: int) -> None:
    body = (bytes(range(256)) * (size // 256 + 1))[:size]
    async with ScriptedUpstream([plain(body)], [CHUNKED_HEAD, chunk(body), LAST_CHUNK]) as server:
        up = client(server.url)
        assert await whole(up, body) == body
        answer = await ask(up, body)
        assert b"".join([piece async for piece in answer.pieces()]) == body
        answer.close()
        assert [request.body == body for request in server.requests] == [True, True]
        assert server.connections == 1


async def test_pieces_come_as_the_upstream_sends_them(client: MakeClient) -> None:
    go = [asyncio.Event(), asyncio.Event()]
    script: Script = [CHUNKED_HEAD + chunk(b"one"), go[0], chunk(b"two"), go[1], chunk(b"three"), LAST_CHUNK]
    async with ScriptedUpstream(script) as server:
        answer = await ask(client(server.url))
        pieces = answer.pieces()
        assert await anext(pieces) == b"one"
        go[0].set()
        assert await anext(pieces) == b"two"
        go[1].set()
        assert b"".join([piece async for piece in pieces]) == b"three"
        answer.close()


async def test_an_answer_may_come_byte_by_byte(client: MakeClient) -> None:
    data = b"HTTP/1.1 100 Continue\r\n\r\n" + CHUNKED_HEAD + chunk(b"hello") + LAST_CHUNK
    async with ScriptedUpstream([data[i : i + 1] for i in range(len(data))]) as server:
        assert await whole(client(server.url)) == b"hello"


async def test_a_body_may_end_with_the_connection(client: MakeClient) -> None:
    async with ScriptedUpstream([b"HTTP/1.1 200 OK\r\n\r\nabc", Play.CLOSE]) as server:
        up = client(server.url)
        assert [await whole(up), await whole(up)] == [b"abc", b"abc"]
        assert server.connections == 2


async def test_the_encoding_of_the_content_is_left_alone(client: MakeClient) -> None:
    body = b"\x1f\x8b\x08\x00not really gzip"
    async with ScriptedUpstream([plain(body, 200, "content-encoding: gzip")]) as server:
        answer = await ask(client(server.url))
        assert await answer.read() == body
        assert (b"content-encoding", b"gzip") in answer.headers
        answer.close()
    assert server.requests[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_a_redirect_is_an_answer_and_is_not_followed(client: MakeClient, status: int) -> None:
    async with ScriptedUpstream([plain(b"{}")]) as target:
        redirect = plain(b"moved", status, f"location: {target.url}{CHAT}")
        async with ScriptedUpstream([redirect]) as server:
            answer = await ask(client(server.url))
            assert answer.status == status
            answer.close()
        assert target.connections == 0


async def test_proxies_named_in_the_environment_are_not_used(client: MakeClient, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{free_port()}")
    async with ScriptedUpstream([plain(b"{}")]) as server:
        assert await whole(client(server.url)) == b"{}"


async def test_a_kept_connection_that_was_closed_meanwhile_is_replaced(client: MakeClient) -> None:
    async with ScriptedUpstream([plain(b"1"), Play.CLOSE], [plain(b"2")]) as server:
        up = client(server.url)
        assert [await whole(up), await whole(up)] == [b"1", b"2"]
        assert len(server.requests) == 2


@pytest.mark.parametrize("death", [Play.CLOSE, Play.RESET])
async def test_a_kept_connection_that_dies_under_a_request_is_replaced_once(client: MakeClient, death: Play) -> None:
    async with ScriptedUpstream([plain(b"1")], [death], [plain(b"2")]) as server:
        up = client(server.url)
        assert [await whole(up), await whole(up)] == [b"1", b"2"]
        assert [request.connection for request in server.requests] == [1, 1, 2]


async def test_the_replacement_is_not_replaced_again(client: MakeClient) -> None:
    async with ScriptedUpstream([plain(b"1")], [Play.CLOSE], [Play.CLOSE]) as server:
        up = client(server.url)
        await whole(up)
        with pytest.raises(UpstreamUnavailable):
            await whole(up)
        assert len(server.requests) == 3


async def test_the_replacement_is_a_new_connection_even_when_another_one_comes_free(client: MakeClient) -> None:
    async with ScriptedUpstream([plain(b"1")], [Play.CLOSE], [plain(b"2")], [plain(b"3")]) as server:
        up = client(server.url, max_connections=1)
        await whole(up)
        answers = await asyncio.gather(whole(up), whole(up))
        assert sorted(answers) == [b"2", b"3"]
        assert [request.connection for request in server.requests] == [1, 1, 2, 3]


@pytest.mark.parametrize("death", [Play.CLOSE, Play.RESET])
async def test_a_new_connection_that_dies_is_not_replaced(client: MakeClient, death: Play) -> None:
    async with ScriptedUpstream([death]) as server:
        with pytest.raises(UpstreamUnavailable):
            await whole(client(server.url))
        assert server.connections == 1


async def test_after_the_first_byte_of_an_answer_nothing_is_sent_again(client: MakeClient) -> None:
    async with ScriptedUpstream([plain(b"1")], [b"HTTP/1.1 2", Play.CLOSE]) as server:
        up = client(server.url)
        await whole(up)
        with pytest.raises(UpstreamUnavailable):
            await whole(up)
        assert len(server.requests) == 2


async def test_a_kept_connection_that_is_too_slow_is_not_replaced(client: MakeClient) -> None:
    async with ScriptedUpstream([plain(b"1")], [asyncio.Event()]) as server:
        up = client(server.url, timeouts=Timeouts(first_byte=0.05))
        await whole(up)
        with pytest.raises(UpstreamTimeout):
            await whole(up)
        assert len(server.requests) == 2


@pytest.mark.parametrize("death", [Play.CLOSE, Play.RESET])
async def test_an_answer_that_breaks_off_is_broken(client: MakeClient, death: Play) -> None:
    go = asyncio.Event()
    async with ScriptedUpstream([CHUNKED_HEAD + chunk(b"abc"), go, death]) as server:
        answer = await ask(client(server.url))
        pieces = answer.pieces()
        assert await anext(pieces) == b"abc"
        go.set()
        with pytest.raises(UpstreamBroken):
            await anext(pieces)
        answer.close()


async def test_a_refusal_before_the_body_was_read_is_an_answer(client: MakeClient) -> None:
    async with ScriptedUpstream([Play.EARLY, plain(b"too large", 413), asyncio.Event()]) as server:
        answer = await ask(client(server.url), bytes(20_000_000))
        assert answer.status == 413
        assert await answer.read() == b"too large"
        answer.close()
        await server.peer_gone.wait()


async def test_a_slow_reader_makes_the_upstream_wait_and_loses_nothing(client: MakeClient) -> None:
    body = bytes(range(256)) * 100_000
    async with ScriptedUpstream([plain(body)]) as server:
        answer = await ask(client(server.url))
        for _ in range(1000):
            await asyncio.sleep(0)
        assert answer._choked
        assert answer._unread < len(body) // 2
        assert b"".join([piece async for piece in answer.pieces()]) == body
        answer.close()


async def test_many_requests_at_once_share_the_connections_that_are_allowed(client: MakeClient) -> None:
    async with ScriptedUpstream([plain(b"{}")]) as server:
        up = client(server.url, max_connections=4)
        assert await asyncio.gather(*(whole(up) for _ in range(40))) == [b"{}"] * 40
        assert server.connections <= 4


async def test_closing_the_client_closes_idle_connections_and_lets_others_finish(client: MakeClient) -> None:
    go = asyncio.Event()
    async with ScriptedUpstream([plain(b"1")], [CHUNKED_HEAD, go, chunk(b"2"), LAST_CHUNK]) as server:
        up = client(server.url)
        await whole(up)
        answer = await ask(up)
        up.close()
        go.set()
        assert await answer.read() == b"2"
        answer.close()
        await server.peer_gone.wait()


async def test_a_server_that_restarts_is_served_by_new_connections(client: MakeClient) -> None:
    async with ScriptedUpstream([plain(b"{}")]) as server:
        up = client(server.url)
        await asyncio.gather(*(whole(up) for _ in range(5)))
        server.drop_connections(reset=True)
        assert await whole(up) == b"{}"


async def test_what_is_not_http_is_unavailable(client: MakeClient) -> None:
    async with ScriptedUpstream([b"SSH-2.0-server\r\n", asyncio.Event()]) as server:
        with pytest.raises(UpstreamUnavailable):
            await whole(client(server.url))
        await server.peer_gone.wait()
