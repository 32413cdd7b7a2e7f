"""Reading headers, and which of them cross the gateway: of a client's request to the upstream, and of its answer to the client."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FORWARDED = frozenset(
    {
        b"anthropic-beta",
        b"http-referer",
        b"idempotency-key",
        b"openai-beta",
        b"openai-organization",
        b"openai-project",
        b"traceparent",
        b"tracestate",
        b"x-title",
    }
)
"""Request headers that an upstream may see. Everything else, above all authorization and cookie, stays here."""

_HOP_BY_HOP = frozenset(
    {
        b"connection",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authorization",
        b"proxy-connection",
        b"te",
        b"trailer",
        b"transfer-encoding",
        b"upgrade",
    }
)
_UPSTREAM_ONLY = frozenset({b"alt-svc", b"date", b"server", b"set-cookie", b"set-cookie2", b"strict-transport-security"})
"""About the upstream's own host and connection: false or harmful when they seem to come from the gateway."""
_NEVER = _HOP_BY_HOP | _UPSTREAM_ONLY
_SHORTEST_SECRET = 8
"""Characters. Local servers take any key ("x", "ollama"): words as short as that cannot be told from ordinary text."""


def forwarded(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """The client's headers that may go on, from an ASGI header list (lower-case names). Repeated ones are joined."""
    kept: dict[str, str] = {}
    for name, value in headers:
        if name in FORWARDED:
            key, text = name.decode("ascii"), value.decode("latin-1")
            kept[key] = f"{kept[key]}, {text}" if key in kept else text
    return kept


def client_headers(headers: Sequence[tuple[bytes, bytes]], secret: str | None, *, whole: bool = False) -> list[tuple[bytes, bytes]]:
    """The upstream's headers (lower-case names) that go on to the client, in their order.

    None goes on that holds `secret`, the upstream's key, or that speaks in the gateway's own name.

    `whole`: the body goes on unchanged, so that content-length still holds.
    """
    hidden = _secret_forms(secret)
    dropped = _named_by_connection(headers)
    if not whole:
        dropped |= {b"content-length"}
    return [
        (name, value)
        for name, value in headers
        if name not in _NEVER
        and name not in dropped
        and not name.startswith((b"access-control-", b"x-eluvix-"))
        and not (hidden and any(form in value for form in hidden))
    ]


def value_of(headers: Sequence[tuple[bytes, bytes]], name: bytes) -> bytes:
    """The value of a header (by its lower-case name); one that was sent several times is joined, b"" = it was not sent."""
    return b",".join([value for key, value in headers if key == name])


def is_stream(headers: Sequence[tuple[bytes, bytes]]) -> bool:
    """Whether these headers announce an event stream."""
    return value_of(headers, b"content-type").partition(b";")[0].strip().lower() == b"text/event-stream"


def without_secret(body: bytes, secret: str | None) -> bytes:
    """A body (of an error) with the upstream's key replaced; its length may change. Keys under 8 characters are no secrets."""
    for form in _secret_forms(secret):
        body = body.replace(form, b"[redacted]")
    return body


def _secret_forms(secret: str | None) -> tuple[bytes, ...]:
    """The key as it is, and as JSON text may spell it."""
    if secret is None or len(secret) < _SHORTEST_SECRET:
        return ()
    spelled = json.dumps(secret)[1:-1]
    return tuple(form.encode() for form in dict.fromkeys((secret, spelled, spelled.replace("/", "\\/"))))


def _named_by_connection(headers: Sequence[tuple[bytes, bytes]]) -> set[bytes]:
    named: set[bytes] = set()
    for name, value in headers:
        if name == b"connection":
            named.update(token.strip().lower() for token in value.split(b","))
    return named
