"""What the tests over HTTP share: a gateway of fakes, a client inside the process, and a real server for streams and disconnects."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
import uvicorn

from gateway.api import Edge, create_api, wrap
from gateway.api.middleware import HostRules
from tests.fakes.parts import PASSWORD, Running, running

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from contextlib import AbstractAsyncContextManager

    from starlette.types import ASGIApp

    Serve = Callable[[ASGIApp], AbstractAsyncContextManager[str]]

HOME = "http://127.0.0.1:3588"
ADMIN = {"authorization": f"Bearer {PASSWORD}"}


@pytest.fixture
def gateway() -> Running:
    return running()


def whole(gateway: Running) -> ASGIApp:
    """The application with its middleware, as `serve` starts it."""
    return wrap(create_api(gateway.current), Edge(2**20, HostRules()))


def client_of(app: ASGIApp, client: tuple[str, int] = ("127.0.0.1", 50000)) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app, client=client), base_url=HOME)


@pytest.fixture
async def anonymous(gateway: Running) -> AsyncIterator[httpx2.AsyncClient]:
    """A client on this machine without any credentials."""
    async with client_of(whole(gateway)) as client:
        yield client


@pytest.fixture
async def admin(anonymous: httpx2.AsyncClient) -> httpx2.AsyncClient:
    """The holder of the admin password."""
    anonymous.headers.update(ADMIN)
    return anonymous


@pytest.fixture
def serve() -> Serve:
    """`async with serve(app) as url`: a real server on a free port of loopback."""
    return _serving


class _Server(uvicorn.Server):
    """Says when it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.up = asyncio.Event()

    async def startup(self, sockets: list[Any] | None = None) -> None:
        await super().startup(sockets)
        self.up.set()


@asynccontextmanager
async def _serving(app: ASGIApp) -> AsyncIterator[str]:
    config = uvicorn.Config(app, host="127.0.0.1", port=0, lifespan="off", log_config=None, proxy_headers=False)
    server = _Server(config)
    task = asyncio.create_task(server.serve())
    try:
        await server.up.wait()
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        await task
