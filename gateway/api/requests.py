"""From a client's bytes and headers to a `Turn`."""

from __future__ import annotations

import json
import re
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from gateway.errors import BadRequest, BodyTooLarge
from gateway.turn import MemoryMode, Turn
from gateway.upstreams.headers import forwarded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gateway.turn import Endpoint, Principal

_LONG_NUMBER = re.compile(rb"[0-9]{19}")
"""orjson reads integers of over 64 bits as floats; Python's own parser keeps them, and takes ten times as long."""
_SESSION = re.compile(r"[A-Za-z0-9._:-]{1,128}")
_MODES = {
    "": (True, True),
    "on": (True, True),
    "off": (False, False),
    "read": (True, False),
    "write": (False, True),
}
"""`x-eluvix-memory` of a request -> (recall, commit)."""


@dataclass(frozen=True, slots=True)
class Incoming:
    """A request whose sender is known: `raw` is its unpacked body, `received` when its last byte came (`time.perf_counter()`)."""

    endpoint: Endpoint
    raw: bytes
    headers: Sequence[tuple[bytes, bytes]]
    principal: Principal
    request_id: str
    received: float


def make_turn(incoming: Incoming, allowed: MemoryMode) -> Turn:
    """The turn for one request; `allowed` is what the configuration allows of recall and commit.

    Raises BadRequest when the body or a header of ours makes no sense.
    """
    named = dict(incoming.headers)
    body = parse_body(incoming.raw)
    cache = named.get(b"x-eluvix-cache", b"").lower()
    control = b",".join(value for name, value in incoming.headers if name == b"cache-control").lower()
    return Turn(
        request_id=incoming.request_id,
        endpoint=incoming.endpoint,
        principal=incoming.principal,
        memory=_memory_mode(incoming, named.get(b"x-eluvix-memory", b""), allowed),
        body=body,
        raw=incoming.raw,
        received=incoming.received,
        headers=forwarded(incoming.headers),
        session=_session(named.get(b"x-eluvix-session")),
        no_cache=cache == b"off" or b"no-cache" in control or b"no-store" in control,
        cache_asked=cache == b"on",
    )


def parse_body(raw: bytes) -> dict[str, Any]:
    """The body as an object with a model in it. Raises BadRequest with what is wrong and how to mend it."""
    try:
        body = json.loads(raw, parse_constant=_refuse_constant) if _LONG_NUMBER.search(raw) else orjson.loads(raw)
    except (RecursionError, UnicodeDecodeError):
        message = "The body is nested too deep, or is not UTF-8. Send one flatter JSON object in UTF-8."
        raise BadRequest(message, code="invalid_json") from None
    except json.JSONDecodeError as error:
        reason = f"The body is not valid JSON: {error.msg} at line {error.lineno}, column {error.colno}." if raw else "The body is empty."
        message = f"{reason} Send one JSON object in UTF-8."
        raise BadRequest(message, code="invalid_json") from None
    if not isinstance(body, dict):
        message = f"The body is a JSON {_kind(body)}. Send one JSON object."
        raise BadRequest(message, code="invalid_json")
    model = body.get("model")
    if not isinstance(model, str) or not model.strip():
        message = "`model` is missing or no string. GET /v1/models lists what there is; `eluvix/inspect` is always there."
        raise BadRequest(message, code="missing_model", param="model")
    return body


def _refuse_constant(name: str) -> None:
    message = f"{name} is not JSON"
    raise json.JSONDecodeError(message, name, 0)


def decompressed(raw: bytes, encoding: bytes, limit: int) -> bytes:
    """A body without its content-encoding (gzip or deflate), at most `limit` bytes. Raises BadRequest or BodyTooLarge."""
    if encoding not in {b"gzip", b"x-gzip", b"deflate"}:
        message = "This content-encoding is not supported. Send the body as it is, or with gzip."
        raise BadRequest(message, code="unsupported_encoding")
    inflate = zlib.decompressobj(47)
    try:
        body = inflate.decompress(raw, limit + 1)
    except zlib.error:
        message = "The body is not what its content-encoding says."
        raise BadRequest(message, code="invalid_encoding") from None
    if len(body) > limit:
        message = f"The body is larger than {limit} bytes when unpacked. Raise `server.max_body_mib` if that is meant."
        raise BodyTooLarge(message)
    return body


def _memory_mode(incoming: Incoming, asked: bytes, allowed: MemoryMode) -> MemoryMode:
    wish = asked.decode("latin-1").strip().lower()
    if wish not in _MODES:
        message = f"x-eluvix-memory takes {', '.join(filter(None, _MODES))}; leave it out for both recall and commit."
        raise BadRequest(message, code="invalid_header", param="x-eluvix-memory")
    if incoming.endpoint != "/chat/completions":
        return MemoryMode(recall=False, commit=False, reason="endpoint")
    if incoming.principal.user is None:
        return MemoryMode(recall=False, commit=False, reason="no-user")
    recall, commit = _MODES[wish]
    reason = "asked" if not recall else None if allowed.recall else "disabled"
    return MemoryMode(recall and allowed.recall, commit and allowed.commit, reason)


def _session(value: bytes | None) -> str | None:
    if value is None:
        return None
    session = value.decode("latin-1")
    if not _SESSION.fullmatch(session):
        message = "x-eluvix-session takes 1 to 128 of ASCII letters, digits and . _ : -"
        raise BadRequest(message, code="invalid_header", param="x-eluvix-session")
    return session


def _kind(value: object) -> str:
    return {list: "array", str: "string", bool: "boolean", type(None): "null"}.get(type(value), "number")
