"""Which headers cross the gateway, and what becomes of an upstream's key in them or in an error."""

from __future__ import annotations

import json

import pytest

from gateway.upstreams.headers import client_headers, forwarded, without_secret

KEY = "sk-" + "test" * 5


@pytest.mark.parametrize(
    "name",
    [
        "openai-beta",
        "openai-organization",
        "openai-project",
        "idempotency-key",
        "traceparent",
        "tracestate",
        "http-referer",
        "x-title",
        "anthropic-beta",
    ],
)
def test_headers_for_the_upstream_go_on(name: str) -> None:
    assert forwarded([(name.encode(), b"caf\xe9")]) == {name: "caf\u00e9"}


STAY = """
authorization cookie host x-api-key x-eluvix-user x-stainless-os user-agent accept-encoding content-length origin
x-forwarded-for connection
"""


@pytest.mark.parametrize("name", STAY.split())
def test_all_other_request_headers_stay_here(name: str) -> None:
    assert forwarded([(name.encode(), b"x")]) == {}


def test_a_repeated_request_header_is_joined() -> None:
    assert forwarded([(b"openai-beta", b"a"), (b"x-title", b"t"), (b"openai-beta", b"b")]) == {
        "openai-beta": "a, b",
        "x-title": "t",
    }


KEPT = [
    (b"content-type", b"application/json"),
    (b"content-encoding", b"br"),
    (b"retry-after", b"3"),
    (b"x-ratelimit-remaining-requests", b"9"),
    (b"x-request-id", b"req_1"),
    (b"openai-processing-ms", b"12"),
    (b"cf-ray", b"abc"),
]
DROPPED = [
    (b"connection", b"keep-alive, X-Private"),
    (b"x-private", b"1"),
    (b"keep-alive", b"timeout=5"),
    (b"transfer-encoding", b"chunked"),
    (b"trailer", b"x"),
    (b"upgrade", b"h2"),
    (b"te", b"x"),
    (b"proxy-authenticate", b"Basic"),
    (b"set-cookie", b"a=b"),
    (b"server", b"uvicorn"),
    (b"date", b"now"),
    (b"alt-svc", b"h3"),
    (b"strict-transport-security", b"max-age=1"),
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", b"*"),
    (b"x-echo", f"Bearer {KEY}".encode()),
]


def test_only_what_concerns_the_client_goes_back_in_its_order() -> None:
    mixed = [header for pair in zip(DROPPED, KEPT, strict=False) for header in pair] + DROPPED[len(KEPT) :]
    assert client_headers(mixed, KEY) == KEPT


def test_content_length_goes_back_only_with_a_whole_body() -> None:
    headers = [(b"content-length", b"5")]
    assert client_headers(headers, None) == []
    assert client_headers(headers, None, whole=True) == headers


def test_a_word_that_happens_to_be_a_dummy_key_hides_nothing() -> None:
    headers = [(b"x-model", b"ollama/llama3")]
    assert client_headers(headers, "ollama") == headers
    assert without_secret(b"ollama is busy", "ollama") == b"ollama is busy"


def test_the_key_is_taken_out_of_an_error() -> None:
    body = json.dumps({"error": {"message": f"Incorrect API key provided: {KEY}. See {KEY}"}}).encode()
    cleaned = without_secret(body, KEY)
    assert KEY.encode() not in cleaned
    assert cleaned.count(b"[redacted]") == 2
    assert json.loads(cleaned)["error"]["message"].startswith("Incorrect API key provided: ")


@pytest.mark.parametrize("spell", [json.dumps, lambda text: json.dumps(text).replace("/", "\\/")])
def test_the_key_is_found_as_json_spells_it(spell: object) -> None:
    key = 'we"ird/' + "key\u00e9" * 3
    assert callable(spell)
    assert without_secret(spell(key).encode(), key) == b'"[redacted]"'


def test_without_a_key_nothing_changes() -> None:
    assert without_secret(b"body", None) == b"body"
    assert client_headers(KEPT, None) == KEPT
