import asyncio
from contextlib import asynccontextmanager

import pytest
import uvicorn

from gateway.app.protocol import MAX_HEAD, GatewayProtocol


async def echo(scope, receive, send):
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
    await send({"type": "http.response.body", "body": body})


class Server(uvicorn.Server):
    """Says when it listens."""

    def __init__(self, config):
        super().__init__(config)
        self.up = asyncio.Event()

    async def startup(self, sockets=None):
        await super().startup(sockets)
        self.up.set()


@asynccontextmanager
async def connection():
    config = uvicorn.Config(echo, host="127.0.0.1", port=0, http=GatewayProtocol, lifespan="off", log_config=None)
    server = Server(config)
    task = asyncio.create_task(server.serve())
    await server.up.wait()
    reader, writer = await asyncio.open_connection(*server.servers[0].sockets[0].getsockname()[:2])
    try:
        yield reader, writer
    finally:
        writer.close()
        server.should_exit = True
        await task


async def answer(reader):
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length"))
    return head, await reader.readexactly(length)


@pytest.mark.parametrize("split", [0, 40])
async def test_an_offer_of_http2_does_not_cost_the_body(split):
    request = (
        b"POST / HTTP/1.1\r\nhost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
        b"HTTP2-Settings: AAEA\r\ncontent-length: 5\r\n\r\nhello"
    )
    async with connection() as (reader, writer):
        writer.write(request[:split])
        await writer.drain()
        writer.write(request[split:])
        assert (await answer(reader))[1] == b"hello"


async def test_a_body_that_reads_like_an_offer_stays_as_it_is():
    body = b"a\r\nupgrade: h2c\r\nb\r\n\r\n"
    async with connection() as (reader, writer):
        for _ in range(2):
            writer.write(b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body))
            assert (await answer(reader))[1] == body


async def test_a_head_without_end_is_refused():
    async with connection() as (reader, writer):
        writer.write(b"POST / HTTP/1.1\r\nhost: x\r\nx-long: ")
        for _ in range(3 * MAX_HEAD // 65536):
            writer.write(b"a" * 65536)
        assert (await reader.readline()).startswith(b"HTTP/1.1 431")
