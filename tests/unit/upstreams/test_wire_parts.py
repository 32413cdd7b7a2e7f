"""Addresses, urls and request heads: what is computed without a network."""

from __future__ import annotations

from typing import Any

import pytest

from gateway import __version__
from gateway.errors import BadRequest, ConfigError
from gateway.upstreams.base import UpstreamConfig
from gateway.upstreams.wire.address import is_local_address, resolve
from gateway.upstreams.wire.client import Client
from gateway.upstreams.wire.origin import Origin, parse_origin, parse_proxy
from gateway.upstreams.wire.request import RequestHead

KEY = "sk-" + "test" * 5


LOCAL = """
127.0.0.1 127.9.9.9 10.1.2.3 172.16.0.1 172.31.255.254 192.168.1.1 169.254.1.1
::1 fd00::1 fc01::2 fe80::1 fe80::1%eth0 ::ffff:127.0.0.1 ::ffff:192.168.0.9
"""
NOT_LOCAL = """
8.8.8.8 1.1.1.1 172.32.0.1 172.15.0.1 192.169.0.1 11.0.0.1 0.0.0.0 0.1.2.3 224.0.0.1 239.1.1.1 255.255.255.255 240.0.0.1
100.64.0.1 192.0.2.1 198.18.0.1 :: ff02::1 2001:4860:4860::8888 ::ffff:8.8.8.8 ::ffff:0.0.0.0 64:ff9b::7f00:1 2002:7f00:1::
::127.0.0.1 localhost 127.1 2130706433
"""


@pytest.mark.parametrize("address", LOCAL.split())
def test_loopback_private_and_link_local_addresses_are_local(address: str) -> None:
    assert is_local_address(address)


@pytest.mark.parametrize("address", NOT_LOCAL.split())
def test_public_unspecified_multicast_and_translated_addresses_are_not_local(address: str) -> None:
    assert not is_local_address(address)


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "192.0.2.7"])
async def test_a_numeric_host_is_its_own_address(host: str) -> None:
    assert await resolve(host, 80) == [host]


async def test_localhost_is_found_by_the_system_and_is_local() -> None:
    addresses = await resolve("localhost", 80)
    assert addresses
    assert all(is_local_address(address) for address in addresses)
    assert len(set(addresses)) == len(addresses)


@pytest.mark.parametrize(
    ("url", "origin", "authority"),
    [
        ("http://127.0.0.1:11434/v1", Origin("http", "127.0.0.1", 11434, "/v1"), "127.0.0.1:11434"),
        ("http://host/", Origin("http", "host", 80), "host"),
        ("HTTPS://API.Example.com/v1/", Origin("https", "api.example.com", 443, "/v1"), "api.example.com"),
        ("https://h:8443/a b/v1", Origin("https", "h", 8443, "/a%20b/v1"), "h:8443"),
        ("http://[::1]:8080/v1", Origin("http", "::1", 8080, "/v1"), "[::1]:8080"),
        ("http://[fe80::1%25eth0]:8080", Origin("http", "fe80::1%eth0", 8080), "[fe80::1]:8080"),
        ("http://b\u00fccher.test/v1", Origin("http", "xn--bcher-kva.test", 80, "/v1"), "xn--bcher-kva.test"),
    ],
)
def test_a_url_is_taken_apart_once(url: str, origin: Origin, authority: str) -> None:
    parsed = parse_origin("up", url)
    assert parsed == origin
    assert parsed.authority == authority


@pytest.mark.parametrize(
    "url",
    [
        "ftp://host/v1",
        "host:80/v1",
        "",
        "http://",
        "http:///v1",
        "http://host:99999",
        "http://host:0",
        "http://host:port",
        "http://user:" + "pass" + "@host/v1",
        "http://host/v1?key=1",
        "http://host/v1#x",
        "http://[::1/v1",
        "http://" + "\u00fc" * 70 + ".test",
    ],
)
def test_a_url_that_cannot_be_used_is_an_error_that_names_the_upstream(url: str) -> None:
    with pytest.raises(ConfigError, match="'up'") as caught:
        parse_origin("up", url)
    assert "pass@" not in str(caught.value)


def test_a_proxy_may_have_a_user_who_is_not_shown() -> None:
    proxy = parse_proxy("up", "http://me:" + "s%40cret" + "@proxy:3128")
    assert proxy.origin == Origin("http", "proxy", 3128)
    assert proxy.user == "me:s@cret"
    assert "cret" not in repr(proxy)


@pytest.mark.parametrize("url", ["https://proxy:1", "socks5://proxy:1", "proxy:1"])
def test_only_plain_http_proxies_are_spoken_to(url: str) -> None:
    with pytest.raises(ConfigError):
        parse_proxy("up", url)


def head(**settings: Any) -> RequestHead:
    url = settings.pop("url", "http://host:1234/v1")
    proxy = settings.get("proxy")
    config = UpstreamConfig("up", "openai", url, **settings)
    return RequestHead(config, parse_origin("up", url), parse_proxy("up", proxy) if proxy else None)


def lines(data: bytes) -> list[str]:
    assert data.endswith(b"\r\n\r\n")
    return data.decode("latin-1")[:-4].split("\r\n")


def test_a_post_has_our_headers_and_nothing_else() -> None:
    first, *rest = lines(head(api_key=KEY).post("/chat/completions", 17, {}))
    assert first == "POST /v1/chat/completions HTTP/1.1"
    assert sorted(rest) == [
        "accept-encoding: identity",
        f"authorization: Bearer {KEY}",
        "content-length: 17",
        "content-type: application/json",
        "host: host:1234",
        f"user-agent: eluvix/{__version__}",
    ]


def test_without_a_key_there_is_no_authorization() -> None:
    assert b"authorization" not in head().post("/embeddings", 1, {})


def test_configured_headers_replace_ours_and_the_clients() -> None:
    made = head(api_key=KEY, headers={"User-Agent": "mine", "Authorization": "Basic x", "OpenAI-Project": "p1"})
    sent = lines(made.post("/chat/completions", 1, {"openai-project": "p2", "openai-beta": "b"}))
    assert "user-agent: mine" in sent
    assert [line for line in sent if line.startswith("authorization")] == ["authorization: Basic x"]
    assert [line for line in sent if line.startswith("openai")] == ["openai-project: p1", "openai-beta: b"]


@pytest.mark.parametrize("name", ["authorization", "Authorization", "cookie", "proxy-authorization", "connection", "host"])
def test_a_clients_key_cookie_and_framing_never_go_on(name: str) -> None:
    sent = head().post("/chat/completions", 1, {name: "from-the-client"})
    assert b"from-the-client" not in sent


@pytest.mark.parametrize("value", ["a\r\nx: y", "a\nb", "a\rb", "a\0b", "\u20ac", "a\x7f"])
def test_a_client_header_with_line_breaks_or_control_characters_is_refused(value: str) -> None:
    with pytest.raises(BadRequest):
        head().post("/chat/completions", 1, {"x-title": value})


@pytest.mark.parametrize("name", ["x title", "x:title", "x\r\n", ""])
def test_a_client_header_with_a_wrong_name_is_refused(name: str) -> None:
    with pytest.raises(BadRequest):
        head().post("/chat/completions", 1, {name: "x"})


def test_latin_text_in_a_client_header_goes_on() -> None:
    assert "x-title: caf\u00e9" in lines(head().post("/chat/completions", 1, {"x-title": "caf\u00e9"}))


def test_a_key_with_a_line_break_is_an_error_that_does_not_show_it() -> None:
    with pytest.raises(ConfigError, match="api_key") as caught:
        head(api_key=KEY + "\n")
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("headers", [{"x-a": "b\r\nc"}, {"x a": "b"}, {"Content-Length": "1"}, {"connection": "close"}])
def test_configured_headers_that_cannot_be_sent_are_an_error(headers: dict[str, str]) -> None:
    with pytest.raises(ConfigError):
        head(headers=headers)


def test_a_get_is_below_the_base_url_or_the_root() -> None:
    assert lines(head().get("/models"))[0] == "GET /v1/models HTTP/1.1"
    assert lines(head().get("/api/tags", from_root=True))[0] == "GET /api/tags HTTP/1.1"
    assert b"content-length" not in head().get("/models")


def test_through_a_proxy_a_plain_request_names_its_absolute_url() -> None:
    made = head(proxy="http://me:" + "secret" + "@proxy:3128")
    first, *rest = lines(made.post("/chat/completions", 1, {}))
    assert first == "POST http://host:1234/v1/chat/completions HTTP/1.1"
    assert "proxy-authorization: Basic bWU6c2VjcmV0" in rest
    assert lines(made.get("/api/tags", from_root=True))[0] == "GET http://host:1234/api/tags HTTP/1.1"


def test_a_tls_request_through_a_proxy_looks_like_a_direct_one() -> None:
    made = head(url="https://host/v1", proxy="http://me:" + "secret" + "@proxy:3128")
    sent = made.post("/chat/completions", 1, {})
    assert sent.startswith(b"POST /v1/chat/completions ")
    assert b"proxy-authorization" not in sent


def test_a_local_upstream_behind_a_proxy_is_a_contradiction() -> None:
    with pytest.raises(ConfigError, match="proxy"):
        Client(UpstreamConfig("up", "openai", "http://127.0.0.1/v1", local=True, proxy="http://127.0.0.1:1"))
