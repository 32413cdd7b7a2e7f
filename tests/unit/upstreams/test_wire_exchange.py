"""One request and its answer, on a transport in memory: every order of events can be played."""

from __future__ import annotations

import asyncio
import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.errors import UpstreamUnavailable
from gateway.upstreams.wire.exchange import SLICE, UNREAD_LIMIT, Exchange
from tests.fakes.memory_transport import MemoryExchange, settled
from tests.fakes.scripted_upstream import CHUNKED_HEAD, LAST_CHUNK, chunk, plain

BODY = bytes(range(256)) * 5
SHAPES = {
    "content-length": plain(BODY),
    "chunked": CHUNKED_HEAD + b"".join(chunk(BODY[i : i + 100]) for i in range(0, len(BODY), 100)) + LAST_CHUNK,
    "trailers": CHUNKED_HEAD + chunk(BODY) + b"0\r\nx-checksum: 1\r\nx-other: 2\r\n\r\n",
    "until close": b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n" + BODY,
    "informational first": b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nlink: x\r\n\r\n" + plain(BODY),
}


@settings(max_examples=60, deadline=None)
@given(shape=st.sampled_from(sorted(SHAPES)), cuts=st.sets(st.integers(1, 3000), max_size=40), whole=st.booleans())
def test_any_split_of_the_answer_into_tcp_pieces_gives_the_same_body(shape: str, cuts: set[int], whole: bool) -> None:
    data = SHAPES[shape]
    edges = [0, *sorted(cut for cut in cuts if cut < len(data)), len(data)]
    pieces = [data[start:end] for start, end in itertools.pairwise(edges)]

    async def scenario() -> None:
        play = MemoryExchange()
        task = await play.begin()
        reading = asyncio.create_task(_collect(play.exchange, task, whole=whole))
        for piece in pieces:
            play.receive(piece)
            await asyncio.sleep(0)
        play.end()
        assert await reading == BODY
        assert play.exchange.status == 200

    asyncio.run(scenario())


async def _collect(exchange: Exchange, start: asyncio.Task[None], *, whole: bool) -> bytes:
    await start
    if whole:
        return await exchange.read()
    return b"".join([piece async for piece in exchange.pieces()])


async def test_headers_are_lower_case_in_their_order_and_without_those_of_informational_heads_or_trailers() -> None:
    play = MemoryExchange()
    task = await play.begin()
    play.receive(b"HTTP/1.1 103 Hints\r\nLink: x\r\n\r\nHTTP/1.1 429 Slow\r\nRetry-After: 3\r\nX-A: 1\r\nX-A: 2\r\n")
    play.receive(b"Transfer-Encoding: chunked\r\n\r\n0\r\nx-late: 1\r\n\r\n")
    await task
    assert play.exchange.status == 429
    expected = [(b"retry-after", b"3"), (b"x-a", b"1"), (b"x-a", b"2"), (b"transfer-encoding", b"chunked")]
    assert play.exchange.headers == expected
    assert await play.exchange.read() == b""


async def test_all_that_has_come_since_the_last_look_is_one_piece() -> None:
    play = MemoryExchange()
    task = await play.begin()
    play.receive(CHUNKED_HEAD)
    await task
    pieces = play.exchange.pieces()
    play.receive(chunk(b"a"), chunk(b"b"), chunk(b"c"))
    assert await anext(pieces) == b"abc"
    play.receive(chunk(b"d"), LAST_CHUNK)
    assert await anext(pieces) == b"d"
    with pytest.raises(StopAsyncIteration):
        await anext(pieces)


async def test_a_small_request_is_one_write() -> None:
    play = MemoryExchange()
    await play.begin(b"x" * 50_000)
    assert play.transport.written == [b"HEAD" + b"x" * 50_000]


async def test_a_large_request_waits_while_the_transport_is_full() -> None:
    body = bytes(5 * 1024 * 1024)
    play = MemoryExchange(capacity=SLICE)
    task = await play.begin(body)
    assert sum(map(len, play.transport.written)) <= SLICE + len(b"HEAD")
    while sum(map(len, play.transport.written)) < len(body):
        play.transport.drain()
        await settled()
    assert b"".join(play.transport.written) == b"HEAD" + body
    play.receive(plain(b"ok"))
    await task
    assert await play.exchange.read() == b"ok"


async def test_a_refusal_that_comes_before_the_whole_request_has_left_is_an_answer_and_ends_the_sending() -> None:
    play = MemoryExchange(capacity=SLICE)
    task = await play.begin(bytes(4 * SLICE))
    play.receive(plain(b"too large", 413))
    await task
    assert play.exchange.status == 413
    assert await play.exchange.read() == b"too large"
    assert sum(map(len, play.transport.written)) < 2 * SLICE
    play.transport.drain()
    play.exchange.close()
    assert play.transport.aborted  # the rest of the request never came: no other may follow it


async def test_an_early_success_does_not_end_the_sending() -> None:
    play = MemoryExchange(capacity=SLICE)
    task = await play.begin(bytes(3 * SLICE))
    play.receive(CHUNKED_HEAD)
    await settled()
    while not task.done():
        play.transport.drain()
        await settled()
    assert sum(map(len, play.transport.written)) == 3 * SLICE + len(b"HEAD")


async def test_a_connection_that_is_lost_while_sending_ends_the_sending() -> None:
    play = MemoryExchange(capacity=SLICE)
    task = await play.begin(bytes(4 * SLICE))
    play.end(ConnectionResetError())
    with pytest.raises(UpstreamUnavailable):
        await task


async def test_the_upstream_has_to_wait_when_the_reader_is_slow() -> None:
    play = MemoryExchange()
    task = await play.begin()
    play.receive(CHUNKED_HEAD, chunk(bytes(UNREAD_LIMIT)))
    await task
    assert play.transport.reading
    play.receive(chunk(b"x"))
    assert not play.transport.reading
    assert len(await anext(play.exchange.pieces())) == UNREAD_LIMIT + 1
    assert play.transport.reading
    play.receive(chunk(b"y"))
    assert play.transport.reading


async def test_reading_the_whole_body_is_not_slowed_down() -> None:
    play = MemoryExchange()
    task = await play.begin()
    play.receive(CHUNKED_HEAD, chunk(bytes(UNREAD_LIMIT)), chunk(b"x"))
    await task
    reading = asyncio.create_task(play.exchange.read())
    await settled()
    assert play.transport.reading
    play.receive(chunk(bytes(UNREAD_LIMIT)), chunk(b"x"))
    assert play.transport.reading
    play.receive(LAST_CHUNK)
    assert len(await reading) == 2 * UNREAD_LIMIT + 2
