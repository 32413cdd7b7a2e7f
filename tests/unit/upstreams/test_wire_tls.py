"""TLS towards an upstream, on both event loops, with an authority made for the test."""

from __future__ import annotations

import asyncio
import ssl
from typing import TYPE_CHECKING

import certifi
import pytest

from gateway.errors import UpstreamUnavailable
from gateway.upstreams.wire.tls import client_context
from tests.fakes.scripted_upstream import CHUNKED_HEAD, LAST_CHUNK, Play, ScriptedUpstream, chunk, plain
from tests.fakes.wire_calls import MakeClient, whole

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.fakes.certificates import Authority


async def here(host: str, port: int) -> Sequence[str]:
    return ["127.0.0.1"]


async def test_a_certificate_of_the_configured_authority_is_trusted(client: MakeClient, authority: Authority) -> None:
    async with ScriptedUpstream([plain(b"1")], [CHUNKED_HEAD, chunk(b"2"), LAST_CHUNK], tls=authority.server) as server:
        up = client(f"https://upstream.test:{server.port}/v1", ca_file=authority.ca_file, local=True, resolver=here)
        assert [await whole(up), await whole(up)] == [b"1", b"2"]
        assert server.connections == 1


async def test_a_certificate_may_be_for_an_address(client: MakeClient, authority: Authority) -> None:
    async with ScriptedUpstream([plain(b"1")], tls=authority.server) as server:
        assert await whole(client(server.url, ca_file=authority.ca_file)) == b"1"


async def test_large_bodies_go_through_tls_unchanged(client: MakeClient, authority: Authority) -> None:
    body = bytes(range(256)) * 4000
    async with ScriptedUpstream([plain(body)], tls=authority.server) as server:
        answer = await client(server.url, ca_file=authority.ca_file).post("/chat/completions", body, {})
        assert await answer.read() == body
        answer.close()
        assert server.requests[0].body == body


async def test_a_certificate_of_an_unknown_authority_is_not_trusted(client: MakeClient, authority: Authority) -> None:
    async with ScriptedUpstream([plain(b"1")], tls=authority.server) as server:
        with pytest.raises(UpstreamUnavailable, match="certificate"):
            await whole(client(server.url))
        assert server.requests == []


async def test_an_authority_named_in_the_environment_is_not_trusted(
    client: MakeClient, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", authority.ca_file)
    async with ScriptedUpstream([plain(b"1")], tls=authority.server) as server:
        with pytest.raises(UpstreamUnavailable):
            await whole(client(server.url))


async def test_a_certificate_for_another_name_is_not_trusted(client: MakeClient, authority: Authority) -> None:
    async with ScriptedUpstream([plain(b"1")], tls=authority.server) as server:
        up = client(f"https://other.test:{server.port}/v1", ca_file=authority.ca_file, resolver=here)
        with pytest.raises(UpstreamUnavailable):
            await whole(up)
        assert server.requests == []


async def test_a_server_without_tls_is_unavailable(client: MakeClient) -> None:
    async def talk_plainly(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(1)
        writer.write(plain(b"this is a plain server", 400))
        writer.close()

    server = await asyncio.start_server(talk_plainly, "127.0.0.1", 0)
    with pytest.raises(UpstreamUnavailable):
        await whole(client(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"))
    server.close()


async def test_a_missing_authority_file_is_named(client: MakeClient, tmp_path: Path, authority: Authority) -> None:
    missing = str(tmp_path / "missing.pem")
    async with ScriptedUpstream([plain(b"1")], tls=authority.server) as server:
        with pytest.raises(UpstreamUnavailable, match=r"missing\.pem"):
            await whole(client(server.url, ca_file=missing))


async def test_a_reconnect_resumes_the_session(client: MakeClient, authority: Authority) -> None:
    resumed: list[bool] = []
    async with ScriptedUpstream([plain(b"1"), Play.CLOSE], tls=authority.server) as server:
        up = client(server.url, ca_file=authority.ca_file)
        for _ in range(2):
            answer = await up.post("/chat/completions", b"{}", {})
            secure = answer._connection._transport.get_extra_info("ssl_object")  # type: ignore[union-attr]
            resumed.append(bool(secure.session_reused))
            await answer.read()
            answer.close()
        assert server.connections == 2
    assert resumed == [False, True]


def test_without_an_authority_file_the_system_or_certifi_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert client_context().cert_store_stats()["x509_ca"] > 20
    paths = ssl.get_default_verify_paths()
    monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: paths._replace(openssl_cafile="/missing"))
    assert client_context().cert_store_stats() == _trusting(certifi.where())


def _trusting(ca_file: str) -> dict[str, int]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cafile=ca_file)
    return context.cert_store_stats()


def test_old_versions_of_tls_are_not_spoken() -> None:
    context = client_context()
    assert context.minimum_version == ssl.TLSVersion.TLSv1_2
    assert context.check_hostname
    assert context.verify_mode == ssl.CERT_REQUIRED
