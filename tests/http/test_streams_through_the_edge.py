"""The middleware holds nothing back and hides nothing: on a real server, since in-process clients buffer whole answers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import httpx2
from structlog.testing import capture_logs

from gateway.api import Edge, wrap
from gateway.api.middleware import HostRules
from providers.base import NewMemory
from tests.http.conftest import ADMIN, whole

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from tests.fakes.parts import Running
    from tests.http.conftest import Serve

EVERYTHING = Edge(1000, HostRules(origins=("https://app.example",)), base_path="/x", trusted_proxies=("127.0.0.1",))


async def begin(send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]})


async def test_each_piece_of_a_stream_arrives_before_the_next_one_is_made(serve: Serve) -> None:
    seen = [asyncio.Event() for _ in range(3)]

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await begin(send)
        for number, event in enumerate(seen):
            await send({"type": "http.response.body", "body": b"data: %d\n\n" % number, "more_body": True})
            await event.wait()
        await send({"type": "http.response.body", "body": b""})

    async with serve(wrap(app, EVERYTHING)) as url, httpx2.AsyncClient() as client, client.stream("GET", f"{url}/x/v1/stream") as answer:
        pieces = answer.aiter_bytes()
        for number, event in enumerate(seen):
            assert await anext(pieces) == b"data: %d\n\n" % number
            event.set()


async def test_a_client_that_leaves_is_seen_by_the_application(serve: Serve) -> None:
    left = asyncio.Event()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await begin(send)
        await send({"type": "http.response.body", "body": b"data: 1\n\n", "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass
        left.set()

    async with serve(wrap(app, EVERYTHING)) as url:
        async with httpx2.AsyncClient() as client, client.stream("GET", f"{url}/v1/stream") as answer:
            await anext(answer.aiter_bytes())
        async with asyncio.timeout(10):
            await left.wait()


async def test_an_upload_over_the_limit_is_refused_while_it_is_still_being_sent(serve: Serve) -> None:
    answered = asyncio.Event()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            while (await receive()).get("more_body"):
                pass
        finally:
            answered.set()

    async def endless() -> object:
        yield b"x" * 1001
        async with asyncio.timeout(10):
            await answered.wait()
        yield b"the rest"

    async with serve(wrap(app, EVERYTHING)) as url, httpx2.AsyncClient() as client:
        answer = await client.post(f"{url}/v1/upload", content=endless())
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "request_too_large")


async def test_an_application_that_fails_midway_cuts_the_answer_short_and_its_message_is_not_logged(serve: Serve) -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await begin(send)
        await send({"type": "http.response.body", "body": b"data: 1\n\n", "more_body": True})
        raise ValueError("the sea is wide")

    with capture_logs() as logs:
        async with serve(wrap(app, EVERYTHING)) as url, httpx2.AsyncClient() as client:
            try:
                await client.get(f"{url}/v1/stream")
            except httpx2.RemoteProtocolError as error:
                cut = error
    assert "incomplete" in str(cut)
    assert [line["event"] for line in logs] == ["request failed", "request"]


async def test_an_export_arrives_whole_over_a_real_connection(serve: Serve, gateway: Running) -> None:
    await gateway.store.add("u1", [NewMemory(f"number {number} " + "x" * 1000) for number in range(500)])
    async with serve(whole(gateway)) as url, httpx2.AsyncClient(headers=ADMIN) as client:
        answer = await client.get(f"{url}/api/v1/memory/export", params={"userId": "u1"})
    assert len(answer.text.splitlines()) == 500
