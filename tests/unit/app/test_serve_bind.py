"""The listening socket."""

from __future__ import annotations

import socket

import pytest

from gateway.app.serve import bind
from gateway.errors import ConfigError
from gateway.settings.model import ServerSettings
from tests.e2e.gateway_process import free_port


def _server(host: str, port: int | None = None) -> ServerSettings:
    return ServerSettings(host=host, port=port or free_port())


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0.0.0.0"])
def test_a_client_can_connect(host: str) -> None:
    server = _server(host)
    with bind(server), socket.create_connection(("127.0.0.1", server.port), timeout=5) as client:
        assert client.getpeername() == ("127.0.0.1", server.port)


def test_a_port_in_use_names_another_that_exists() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(ConfigError, match=r"in use.*--port"):
            bind(_server("127.0.0.1", port))


def test_the_highest_port_in_use_names_a_lower_one() -> None:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", 65535))
        other.listen()
        with pytest.raises(ConfigError, match="--port 65534"):
            bind(_server("127.0.0.1", 65535))


def test_a_port_whose_last_user_has_gone_is_free() -> None:
    server = _server("127.0.0.1")
    listener = bind(server)
    with socket.create_connection(("127.0.0.1", server.port)):
        listener.accept()[0].close()
        listener.close()
    bind(server).close()


@pytest.mark.parametrize("host", ["192.0.2.1", "a..b", "x" * 70, "fe80::1%nothing"])
def test_an_address_that_this_machine_does_not_have_is_one_message(host: str) -> None:
    with pytest.raises(ConfigError, match=r"127\.0\.0\.1|server\.host"):
        bind(_server(host))
