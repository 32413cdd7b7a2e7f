"""Running the gateway: the socket, uvicorn, signals, and what happens at the end."""

from __future__ import annotations

import asyncio
import errno
import gc
import signal
import socket
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import uvicorn

from gateway.app.protocol import GatewayProtocol
from gateway.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from starlette.types import ASGIApp

    from gateway.settings.model import ServerSettings
    from gateway.tls import CertificateFiles

_BACKLOG = 2048
_HIGHEST_PORT = 65535
_ENDING = (signal.SIGINT, signal.SIGTERM)


def bind(server: ServerSettings) -> socket.socket:
    """The listening socket. Raises ConfigError when the address is taken or not ours."""
    try:
        family, address = _address(server)
    except (OSError, UnicodeError) as error:
        message = (
            f"server.host {server.host!r} is no address of this machine ({_reason(error)}). Use 127.0.0.1, or 0.0.0.0 for all addresses."
        )
        raise ConfigError(message) from None
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        _claim(listener)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise ConfigError(_cannot_listen(server, error)) from None
    return listener


def uvicorn_config(app: ASGIApp, server: ServerSettings, certificate: CertificateFiles | None) -> uvicorn.Config:
    """How uvicorn runs the gateway. Access log, proxy headers and the base path are the gateway's own."""
    return uvicorn.Config(
        app,
        loop="auto",
        http=GatewayProtocol,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=round(server.shutdown_timeout_s),
        ssl_certfile=certificate.certificate if certificate else None,
        ssl_keyfile=certificate.key if certificate else None,
    )


async def run(config: uvicorn.Config, listener: socket.socket, on_hangup: Callable[[], Awaitable[None]]) -> None:
    """Serves until SIGINT or SIGTERM; answers that are under way may end first, within the shutdown time. Then it returns."""
    _settle_garbage()
    with _hangups(on_hangup):
        await _Server(config).serve(sockets=[listener])


def _settle_garbage() -> None:
    """What was made at start stays to the end: the collector need not walk it again and again, and what requests leave behind is freed by
    reference counting."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


class _Server(uvicorn.Server):
    """uvicorn's server raises the signal that ended it again, which would end the process before the gateway has put things away."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Ends the server at a signal, at once at a second SIGINT."""
        before = {number: signal.signal(number, self.handle_exit) for number in _ENDING}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


@contextmanager
def _hangups(call: Callable[[], Awaitable[None]]) -> Iterator[None]:
    """Awaits `call` at each SIGHUP, where there is such a signal."""
    if sys.platform == "win32":
        yield
        return
    running: set[asyncio.Future[None]] = set()

    def begin() -> None:
        task = asyncio.ensure_future(call())
        running.add(task)
        task.add_done_callback(running.discard)

    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGHUP, begin)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGHUP)


def new_event_loop() -> asyncio.AbstractEventLoop:
    """uvloop where there is one, else asyncio's own."""
    if sys.platform != "win32":
        try:
            import uvloop
        except ImportError:
            pass
        else:
            return uvloop.new_event_loop()
    return asyncio.new_event_loop()


def _address(server: ServerSettings) -> tuple[int, Any]:
    """Family and address of `server.host`; IPv4 where a name has both. Raises OSError or UnicodeError."""
    flags = socket.AI_PASSIVE | socket.AI_NUMERICSERV
    found = socket.getaddrinfo(server.host or "0.0.0.0", server.port, type=socket.SOCK_STREAM, flags=flags)  # noqa: S104 - as the settings say
    family, _, _, _, address = min(found, key=lambda one: one[0] != socket.AF_INET)
    return family, address


def _claim(listener: socket.socket) -> None:
    """A port whose last user has just gone may be used; one that is in use may not."""
    if sys.platform == "win32":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


def _cannot_listen(server: ServerSettings, error: OSError) -> str:
    where = f"{server.host}:{server.port}"
    if error.errno == errno.EADDRINUSE:
        other = server.port + 1 if server.port < _HIGHEST_PORT else server.port - 1
        return f"{where} is in use by another program. Stop it, or choose another port: eluvix serve --port {other}"
    if error.errno in {errno.EACCES, errno.EPERM}:
        return f"This user may not listen on {where}. Choose a port above 1023 with --port."
    if error.errno == errno.EADDRNOTAVAIL:
        return f"This machine has no address {server.host}. Set server.host to one that it has, or to 127.0.0.1."
    return f"Cannot listen on {where}: {_reason(error)}. Choose another server.host or server.port."


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or type(error).__name__
