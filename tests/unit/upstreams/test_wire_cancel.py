"""Cancelling in each phase, on both event loops: the upstream is told, and nothing is left behind."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from tests.fakes.scripted_upstream import CHUNKED_HEAD, LAST_CHUNK, Play, ScriptedUpstream, chunk, plain
from tests.fakes.wire_calls import MakeClient, ask, whole

if TYPE_CHECKING:
    from collections.abc import Sequence


async def cancel(task: asyncio.Task[bytes]) -> None:
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_cancelling_while_a_name_is_looked_up_leaves_nothing_behind(client: MakeClient) -> None:
    looking = asyncio.Event()

    async def forever(host: str, port: int) -> Sequence[str]:
        looking.set()
        if looked_up:
            return ["127.0.0.1"]
        await asyncio.Event().wait()
        return []

    looked_up: list[bool] = []
    async with ScriptedUpstream([plain(b"{}")]) as server:
        up = client(f"http://upstream.test:{server.port}/v1", resolver=forever, max_connections=1)
        task = asyncio.create_task(whole(up))
        await looking.wait()
        await cancel(task)
        looked_up.append(True)
        assert await whole(up) == b"{}"


async def test_cancelling_in_the_tls_handshake_closes_the_connection(client: MakeClient) -> None:
    async with ScriptedUpstream([asyncio.Event()]) as server:
        task = asyncio.create_task(whole(client(f"https://127.0.0.1:{server.port}/v1")))
        await server.connected.wait()
        await cancel(task)
        await server.peer_gone.wait()


@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_cancelling_at_any_moment_leaves_no_connection_open(client: MakeClient, scheme: str) -> None:
    async with ScriptedUpstream([asyncio.Event()]) as server:
        up = client(f"{scheme}://127.0.0.1:{server.port}/v1")
        task = asyncio.create_task(whole(up))
        await server.connected.wait()  # the authorities are loaded now: the next ones connect at once
        await cancel(task)
        for steps in range(25):
            task = asyncio.create_task(whole(up))
            for _ in range(steps):
                await asyncio.sleep(0)
            await cancel(task)
        server.connected.clear()
        _, last = await asyncio.open_connection("127.0.0.1", server.port)  # accepted after all others
        await server.connected.wait()
        await server.open_connections_are(1)
        last.close()


async def test_cancelling_while_sending_closes_the_connection(client: MakeClient) -> None:
    async with ScriptedUpstream([Play.EARLY, asyncio.Event()]) as server:
        task = asyncio.create_task(whole(client(server.url), bytes(50_000_000)))
        await server.head_received.wait()
        await cancel(task)
        await server.peer_gone.wait()


async def test_cancelling_while_waiting_for_the_head_closes_the_connection(client: MakeClient) -> None:
    async with ScriptedUpstream([asyncio.Event()], [plain(b"{}")]) as server:
        up = client(server.url, max_connections=1)
        task = asyncio.create_task(whole(up))
        await server.received()
        await cancel(task)
        await server.peer_gone.wait()
        assert await whole(up) == b"{}"  # its place is free


async def test_cancelling_while_reading_closes_the_connection(client: MakeClient) -> None:
    async with ScriptedUpstream([CHUNKED_HEAD + chunk(b"abc"), asyncio.Event()], [plain(b"{}")]) as server:
        up = client(server.url, max_connections=1)
        answer = await ask(up)
        pieces = answer.pieces()
        assert await anext(pieces) == b"abc"
        task: asyncio.Task[bytes] = asyncio.ensure_future(anext(pieces))
        await asyncio.sleep(0)
        await cancel(task)
        await server.peer_gone.wait()
        answer.close()
        assert await whole(up) == b"{}"


async def test_closing_an_unfinished_answer_cancels_the_upstream(client: MakeClient) -> None:
    async with ScriptedUpstream([CHUNKED_HEAD + chunk(b"abc"), asyncio.Event()]) as server:
        answer = await ask(client(server.url))
        answer.close()
        answer.close()
        await server.peer_gone.wait()


async def test_cancelling_while_all_connections_are_taken_leaves_them_to_others(client: MakeClient) -> None:
    go = asyncio.Event()
    async with ScriptedUpstream([CHUNKED_HEAD, go, LAST_CHUNK], [plain(b"2")]) as server:
        up = client(server.url, max_connections=1)
        answer = await ask(up)
        waiting = [asyncio.create_task(whole(up)) for _ in range(2)]
        await asyncio.sleep(0)
        await cancel(waiting[0])
        go.set()
        await answer.read()
        answer.close()
        assert await waiting[1] == b"2"
        assert server.connections == 1
