"""How an exchange ends, well or badly, on a transport in memory."""

from __future__ import annotations

import asyncio

import pytest

from gateway.errors import UpstreamBroken, UpstreamTimeout, UpstreamUnavailable
from gateway.upstreams.base import Timeouts
from gateway.upstreams.wire.connection import Connection
from gateway.upstreams.wire.exchange import HEAD_LIMIT, SLICE, Exchange
from tests.fakes.memory_transport import MemoryExchange, MemoryTransport, settled
from tests.fakes.scripted_upstream import CHUNKED_HEAD, chunk, plain


@pytest.mark.parametrize(
    "cut",
    [
        b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc",
        CHUNKED_HEAD + chunk(b"abc"),
        CHUNKED_HEAD + b"5\r\nabc",
        CHUNKED_HEAD + chunk(b"abc") + b"0\r\n",
    ],
)
async def test_a_body_that_ends_too_early_is_broken_after_what_has_come_was_read(cut: bytes) -> None:
    play = MemoryExchange()
    task = await play.begin()
    play.receive(cut)
    play.end()
    await task
    pieces = play.exchange.pieces()
    assert await anext(pieces) == b"abc"
    with pytest.raises(UpstreamBroken):
        await anext(pieces)
    with pytest.raises(UpstreamBroken):
        await play.exchange.read()


async def test_a_body_is_complete_when_the_peer_stops_sending_even_if_our_own_bytes_still_leave() -> None:
    play = MemoryExchange()
    task = await play.begin()
    play.receive(b"HTTP/1.1 413 Too large\r\n\r\nabc")
    play.connection.eof_received()  # and no connection_lost: the transport still has something to send
    await task
    assert await play.exchange.read() == b"abc"


async def test_a_reset_is_no_end_of_a_body_that_ends_with_the_connection() -> None:
    play = MemoryExchange()
    task = await play.begin()
    play.receive(b"HTTP/1.1 200 OK\r\n\r\nabc")
    await task
    play.end(ConnectionResetError())
    with pytest.raises(UpstreamBroken):
        await play.exchange.read()


@pytest.mark.parametrize(
    "garbage",
    [
        b"<html>not HTTP</html>",
        b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n",
        b"HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n",
        b"\x15\x03\x01\x00\x02\x02\x16",
    ],
)
async def test_what_is_not_http_before_the_head_makes_the_upstream_unavailable(garbage: bytes) -> None:
    play = MemoryExchange()
    task = await play.begin()
    play.receive(garbage)
    with pytest.raises(UpstreamUnavailable) as caught:
        await task
    assert not isinstance(caught.value, UpstreamTimeout)
    assert play.transport.aborted


async def test_wrong_framing_in_the_body_is_broken() -> None:
    play = MemoryExchange()
    task = await play.begin()
    play.receive(CHUNKED_HEAD, chunk(b"abc"))
    await task
    play.receive(b"zz\r\n")
    assert await anext(play.exchange.pieces()) == b"abc"
    with pytest.raises(UpstreamBroken):
        await anext(play.exchange.pieces())
    assert play.transport.aborted


@pytest.mark.parametrize("piece_size", [1000, 10 * HEAD_LIMIT])
@pytest.mark.parametrize(
    "head",
    [
        b"HTTP/1.1 200 OK\r\n" + b"x-a: " + b"y" * HEAD_LIMIT + b"\r\ncontent-length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"x-a: 0123456789\r\n" * 6000 + b"content-length: 0\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n" * 3000,
    ],
)
async def test_a_head_over_the_limit_makes_the_upstream_unavailable(head: bytes, piece_size: int) -> None:
    play = MemoryExchange()
    task = await play.begin()
    for start in range(0, len(head), piece_size):
        play.receive(head[start : start + piece_size])
    with pytest.raises(UpstreamUnavailable):
        await task
    assert play.transport.aborted


async def test_a_head_just_under_the_limit_passes_together_with_a_large_body() -> None:
    play = MemoryExchange()
    task = await play.begin()
    play.receive(plain(bytes(200_000), 200, "x-a: " + "y" * (HEAD_LIMIT - 1000)))
    await task
    assert len(await play.exchange.read()) == 200_000


async def test_a_complete_exchange_leaves_the_connection_usable() -> None:
    play = MemoryExchange()
    task = await play.begin()
    play.receive(plain(b"ok"))
    await task
    await play.exchange.read()
    play.exchange.close()
    play.exchange.close()
    assert play.connection.usable
    assert play.connection.reused


@pytest.mark.parametrize(
    "last",
    [
        plain(b"ok", 200, "connection: close"),
        b"HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok",
        plain(b"ok") + b"HTTP/1.1 200 OK\r\n",
        plain(b"ok") + b"surplus",
        plain(b"ok", 200, "connection: close") + b"surplus",
    ],
)
async def test_a_connection_that_ends_or_says_too_much_is_not_kept_but_the_answer_holds(last: bytes) -> None:
    play = MemoryExchange()
    task = await play.begin()
    play.receive(last)
    await task
    assert await play.exchange.read() == b"ok"
    play.exchange.close()
    assert play.transport.aborted


async def test_closing_before_the_end_cancels_the_upstream() -> None:
    play = MemoryExchange()
    task = await play.begin()
    play.receive(CHUNKED_HEAD, chunk(b"abc"))
    await task
    play.exchange.close()
    assert play.transport.aborted
    assert await anext(play.exchange.pieces()) == b"abc"
    with pytest.raises(UpstreamBroken):
        await anext(play.exchange.pieces())


async def test_closing_wakes_a_reader_in_another_task() -> None:
    play = MemoryExchange()
    task = await play.begin()
    play.receive(CHUNKED_HEAD)
    await task
    reading = asyncio.create_task(play.exchange.read())
    await settled()
    play.exchange.close()
    with pytest.raises(UpstreamBroken):
        await reading


async def test_bytes_on_an_idle_connection_end_it() -> None:
    play = MemoryExchange()
    task = await play.begin()
    play.receive(plain(b"ok"))
    await task
    play.exchange.close()
    play.receive(b"HTTP/1.1 408 Request Timeout\r\n\r\n")
    assert play.transport.aborted


@pytest.mark.parametrize("status", [204, 304])
async def test_an_answer_without_a_body_is_complete_with_its_head(status: int) -> None:
    play = MemoryExchange()
    task = await play.begin()
    play.receive(f"HTTP/1.1 {status} x\r\netag: 1\r\n\r\n".encode())
    await task
    assert await play.exchange.read() == b""
    play.exchange.close()
    assert play.connection.usable


async def test_no_head_in_time_is_a_timeout() -> None:
    play = MemoryExchange(Timeouts(first_byte=0.01))
    task = await play.begin()
    with pytest.raises(UpstreamTimeout):
        await task
    assert play.transport.aborted


async def test_a_body_that_stalls_is_broken() -> None:
    play = MemoryExchange(Timeouts(between=0.01))
    task = await play.begin()
    play.receive(CHUNKED_HEAD, chunk(b"abc"))
    await task
    assert await anext(play.exchange.pieces()) == b"abc"
    with pytest.raises(UpstreamBroken):
        await anext(play.exchange.pieces())
    assert play.transport.aborted


async def test_the_total_time_ends_an_answer_that_still_comes() -> None:
    play = MemoryExchange(Timeouts(total=0.01))
    task = await play.begin()
    play.receive(CHUNKED_HEAD)
    await task

    async def drip() -> None:
        while not play.transport.aborted:
            play.receive(chunk(b"x"))
            await asyncio.sleep(0)

    dripping = asyncio.create_task(drip())
    with pytest.raises(UpstreamBroken):
        await play.exchange.read()
    await dripping


@pytest.mark.parametrize("received", [b"", CHUNKED_HEAD, CHUNKED_HEAD + chunk(b"abc")])
async def test_a_cancelled_task_drops_the_connection(received: bytes) -> None:
    play = MemoryExchange()

    async def whole() -> None:
        await play.exchange.start(b"HEAD", b"")
        await play.exchange.read()

    task = asyncio.create_task(whole())
    await settled()
    play.receive(*([received] if received else []))
    await settled()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert play.transport.aborted


async def test_a_cancelled_upload_drops_the_connection() -> None:
    play = MemoryExchange(capacity=SLICE)
    task = await play.begin(bytes(4 * SLICE))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert play.transport.aborted


@pytest.mark.parametrize(("reused", "received", "unheard"), [(True, b"", True), (False, b"", False), (True, b"H", False)])
async def test_only_a_kept_connection_that_died_before_a_byte_may_be_replaced(reused: bool, received: bytes, unheard: bool) -> None:
    connection = Connection()
    MemoryTransport(connection)
    connection.reused = reused
    exchange = Exchange(connection, "up", Timeouts())
    if received:
        connection.data_received(received)
    connection.connection_lost(ConnectionResetError())
    with pytest.raises(UpstreamUnavailable):
        await exchange.start(b"HEAD", b"")
    assert exchange.died_unheard is unheard
