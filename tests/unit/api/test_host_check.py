"""Pages of strangers stay away from a gateway on this machine."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.api.middleware import HostCheck, HostRules
from tests.fakes.asgi import Recorder, Result, call, http_scope


async def ask(rules: HostRules, host: str | None, origin: str | None = None, scheme: str = "http") -> Result:
    headers = [(name, value) for name, value in (("host", host), ("origin", origin)) if value is not None]
    return await call(HostCheck(Recorder(), rules), http_scope(headers=headers, scheme=scheme))


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.0.0.1:3588",
        "127.8.9.1:1",
        "localhost",
        "LocalHost:3588",
        "localhost.",
        "[::1]",
        "[::1]:3588",
        "[0:0:0:0:0:0:0:1]:8",
        "[::ffff:127.0.0.1]",
    ],
)
async def test_loopback_names_and_addresses_are_answered_to(host: str) -> None:
    assert (await ask(HostRules(), host)).status == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:3588",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "192.168.1.5",
        "0.0.0.0:3588",
        "2130706433",
        "[2001:db8::1]",
    ],
)
async def test_any_other_host_is_refused_with_the_setting_that_allows_it(host: str) -> None:
    result = await ask(HostRules(), host)
    assert (result.status, result.error["code"]) == (403, "host_not_allowed")
    assert "server.allowed_hosts" in result.error["message"]


@pytest.mark.parametrize(
    "host",
    [
        None,
        "",
        " ",
        "a b",
        "user@localhost",
        "localhost/x",
        "localhost:",
        "localhost:80:80",
        "localhost:x",
        "localhost:³",
        "[::1",
        "::1",
        "localhost:1234567",
        "a,b",
    ],
)
async def test_a_host_that_is_missing_or_malformed_is_a_bad_request(host: str | None) -> None:
    result = await ask(HostRules(allowed=("*",)), host)
    assert (result.status, result.error["code"]) == (400, "invalid_host")


async def test_two_hosts_are_a_bad_request() -> None:
    scope = http_scope(headers=[("host", "localhost"), ("host", "evil.example")])
    assert (await call(HostCheck(Recorder(), HostRules()), scope)).status == 400


async def test_the_configured_host_and_further_names_are_answered_to() -> None:
    rules = HostRules(bound="192.168.1.5", allowed=("Gate.Example", "*.home.example"))
    allowed = ["192.168.1.5:3588", "gate.example", "a.home.example:1", "b.a.home.example"]
    assert [(await ask(rules, host)).status for host in allowed] == [200] * 4
    refused = ["192.168.1.6", "home.example", "xhome.example", "notgate.example"]
    assert [(await ask(rules, host)).status for host in refused] == [403] * 4


@pytest.mark.parametrize("bound", ["0.0.0.0", "::", "[::]"])
async def test_bound_to_all_addresses_any_address_is_answered_to_and_names_still_are_not(bound: str) -> None:
    rules = HostRules(bound=bound)
    assert [(await ask(rules, host)).status for host in ("10.1.2.3:3588", "[2001:db8::1]:3588", "evil.example")] == [200, 200, 403]


@pytest.mark.parametrize(
    ("scheme", "host", "origin"),
    [
        ("http", "localhost:3588", "http://localhost:3588"),
        ("https", "localhost:3588", "https://LOCALHOST:3588"),
        ("https", "localhost", "https://localhost:443"),
        ("http", "localhost:80", "http://localhost"),
        ("https", "[::1]:3588", "https://[::1]:3588"),
    ],
)
async def test_a_page_of_the_gateway_itself_may_call_it(scheme: str, host: str, origin: str) -> None:
    assert (await ask(HostRules(), host, origin, scheme)).status == 200


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "",
        "http://evil.example",
        "http://localhost:3589",
        "https://localhost:3588",
        "http://127.0.0.1:3588",
        "http://localhost:3588/",
        "http://localhost:3588@evil.example",
        "http://[::1",
        "file://",
        "localhost:3588",
        "http://localhost:3588, http://evil.example",
    ],
)
async def test_a_page_of_any_other_origin_may_not(origin: str) -> None:
    result = await ask(HostRules(), "localhost:3588", origin)
    assert (result.status, result.error["code"]) == (403, "origin_not_allowed")
    assert "server.cors_origins" in result.error["message"]


async def test_a_second_origin_header_is_checked_too() -> None:
    scope = http_scope(headers=[("host", "localhost"), ("origin", "http://localhost"), ("origin", "http://evil.example")])
    assert (await call(HostCheck(Recorder(), HostRules()), scope)).status == 403


async def test_configured_origins_may_call_and_null_never_may() -> None:
    rules = HostRules(origins=("https://App.Example/", "app://obsidian.md"))
    assert [(await ask(rules, "localhost", origin)).status for origin in ("https://app.example", "app://obsidian.md")] == [200, 200]
    everyone = HostRules(origins=("*",))
    assert [(await ask(everyone, "localhost", origin)).status for origin in ("https://a.example", "null")] == [200, 403]


async def test_a_refused_request_never_reaches_the_application() -> None:
    inner = Recorder()
    await call(HostCheck(inner, HostRules()), http_scope("POST", headers=[("host", "localhost"), ("origin", "http://evil.example")]))
    assert inner.scopes == []


@given(host=st.text(st.characters(max_codepoint=255)), origin=st.text(st.characters(max_codepoint=255)))
async def test_no_bytes_in_these_headers_make_the_check_fail(host: str, origin: str) -> None:
    assert (await ask(HostRules(), host, origin)).status in {200, 400, 403}
    assert (await ask(HostRules(), "localhost", origin)).status in {200, 403}
