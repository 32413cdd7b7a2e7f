"""Which answers may be kept: complete, whole and well formed ones, nothing else."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

import orjson

from gateway.upstreams.headers import is_stream, value_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Headers = Sequence[tuple[bytes, bytes]]

_WHOLE = frozenset({"stop", "tool_calls", "function_call", "eos_token", "stop_sequence"})
"""Finish reasons of an answer that the model ended itself. All others tell of a cut, a filter or an error."""
_DESCRIBING = frozenset({b"content-type", b"content-encoding"})
_MAX_DECODED = 32 * 1024 * 1024
_GZIP = zlib.MAX_WBITS | 16
_EVENT_ENDS = (b"\n\n", b"\r\n\r\n", b"\r\r")


def kept_headers(headers: Headers) -> tuple[tuple[bytes, bytes], ...]:
    """The headers that describe the body. Ids, rate limits, cookies and times belong to the request that was answered first."""
    return tuple((name, value) for name, value in headers if name in _DESCRIBING)


def cacheable(status: int, headers: Headers, body: bytes, complete: bool) -> bool:
    """Whether this answer may be given again. `body` is as on the wire; header names are lower-case."""
    if status != 200 or not complete or b"no-store" in value_of(headers, b"cache-control").lower():
        return False
    text = _decoded(body, value_of(headers, b"content-encoding").strip().lower())
    if text is None:
        return False
    try:
        return _whole_stream(text) if is_stream(headers) else _whole_answer(orjson.loads(text))
    except orjson.JSONDecodeError:
        return False


def _decoded(body: bytes, encoding: bytes) -> bytes | None:
    """The body's text, or None where it cannot be read: an encoding that we do not know, damage, or too much of it."""
    if encoding in (b"", b"identity"):
        return body
    if encoding != b"gzip":
        return None
    unzip = zlib.decompressobj(_GZIP)
    try:
        text = unzip.decompress(body, _MAX_DECODED)
    except zlib.error:
        return None
    return text if unzip.eof and not unzip.unused_data else None


def _whole_answer(answer: Any) -> bool:
    if not isinstance(answer, dict) or answer.get("error"):
        return False
    choices, embeddings = answer.get("choices"), answer.get("data")
    if isinstance(choices, list) and choices:
        return all(_ended(choice) is True for choice in choices)
    return isinstance(embeddings, list) and bool(embeddings)


def _whole_stream(text: bytes) -> bool:
    """Ends with [DONE] and its empty line, holds no error, and every choice that it began has ended as it should."""
    ends: dict[str, bool | None] = {}
    events = list(_events(text)) if text.endswith(_EVENT_ENDS) else []
    if not events or events.pop() != b"[DONE]":
        return False
    for data in events:
        chunk = orjson.loads(data)
        if not isinstance(chunk, dict) or chunk.get("error"):
            return False
        _note(ends, chunk.get("choices"))
    return bool(ends) and all(ends.values())


def _note(ends: dict[str, bool | None], choices: Any) -> None:
    """Remembers for each choice whether it has ended well (True), badly (False) or not yet (None)."""
    for choice in choices if isinstance(choices, list) else ():
        index = str(choice.get("index")) if isinstance(choice, dict) else ""
        ended = _ended(choice)
        ends[index] = ends.get(index) if ended is None else ended


def _ended(choice: Any) -> bool | None:
    """Whether a choice, or a piece of one, ended well; None while it goes on."""
    if not isinstance(choice, dict):
        return False
    reason = choice.get("finish_reason")
    return None if reason is None else isinstance(reason, str) and reason in _WHOLE


def _events(text: bytes) -> Iterator[bytes]:
    """The data of each event. An `error` event is given as an error's data."""
    data: list[bytes] = []
    for line in (*text.splitlines(), b""):
        field, _, value = line.partition(b":")
        if field == b"data":
            data.append(value.removeprefix(b" "))
        elif field == b"event" and value.strip() == b"error":
            yield b'{"error":true}'
        elif not line and data:
            yield b"\n".join(data)
            data = []
