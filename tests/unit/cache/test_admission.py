from __future__ import annotations

import gzip
import zlib
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.cache import admission
from gateway.cache.admission import cacheable, kept_headers
from gateway.upstreams.headers import is_stream

JSON = [(b"content-type", b"application/json")]
SSE = [(b"content-type", b"text/event-stream; charset=utf-8")]


def _answer(*reasons: Any, **more: Any) -> bytes:
    choices = [{"index": index, "finish_reason": reason, "message": {"content": "x"}} for index, reason in enumerate(reasons)]
    return orjson.dumps({"choices": choices, **more})


def _chunk(reason: Any = None, index: Any = 0, **more: Any) -> bytes:
    return orjson.dumps({"choices": [{"index": index, "delta": {"content": "x"}, "finish_reason": reason}], **more})


def _stream(*events: bytes, line: bytes = b"\n") -> bytes:
    return b"".join(b"data: " + event + line * 2 for event in events)


def _kept(body: bytes, headers: list[tuple[bytes, bytes]] = JSON, *, status: int = 200, complete: bool = True) -> bool:
    return cacheable(status, headers, body, complete)


def _stream_kept(*events: bytes) -> bool:
    return _kept(_stream(*events), SSE)


@pytest.mark.parametrize("reason", ["stop", "tool_calls", "function_call"])
def test_a_whole_answer_is_kept(reason: str) -> None:
    assert _kept(_answer(reason))
    assert _stream_kept(_chunk(), _chunk(reason), b"[DONE]")


@pytest.mark.parametrize("status", [201, 204, 206, 304, 400, 429, 500])
def test_only_200_is_kept(status: int) -> None:
    assert not _kept(_answer("stop"), status=status)


def test_an_answer_that_broke_off_is_not_kept() -> None:
    assert not _kept(_answer("stop"), complete=False)


@pytest.mark.parametrize("reason", ["length", "content_filter", "error", "abort", None, 7, ["stop"]])
def test_an_answer_that_did_not_end_by_itself_is_not_kept(reason: Any) -> None:
    assert not _kept(_answer(reason))
    assert not _kept(_answer("stop", reason))
    assert not _stream_kept(_chunk(), _chunk(reason), b"[DONE]")
    assert not _stream_kept(_chunk("stop"), _chunk(reason, 1), b"[DONE]")


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"7", b"{}", b'{"choices":[]}', b'{"choices":{}}', b'{"choices":[7]}', b"\xff"])
def test_what_is_no_answer_is_not_kept(body: bytes) -> None:
    assert not _kept(body)


def test_an_answer_with_an_error_in_it_is_not_kept() -> None:
    assert not _kept(_answer("stop", error={"message": "quota"}))
    assert _kept(_answer("stop", error=None))


def test_embeddings_are_kept_and_empty_ones_are_not() -> None:
    assert _kept(b'{"data":[{"embedding":[0.1]}]}')
    assert not _kept(b'{"data":[]}')
    assert not _kept(b'{"data":{"a":1}}')


@pytest.mark.parametrize("value", [b"no-store", b"private, No-Store"])
def test_an_upstream_that_forbids_keeping_is_obeyed(value: bytes) -> None:
    assert not _kept(_answer("stop"), [*JSON, (b"cache-control", value)])
    assert _kept(_answer("stop"), [*JSON, (b"cache-control", b"no-cache")])


def test_a_forbidding_among_several_cache_headers_is_obeyed() -> None:
    headers = [*JSON, (b"cache-control", b"private"), (b"cache-control", b"no-store")]
    assert not _kept(_answer("stop"), headers)


def test_a_stream_without_its_end_mark_is_not_kept() -> None:
    assert not _stream_kept(_chunk("stop"))
    assert not _kept(b"", SSE)


def test_a_stream_that_goes_on_after_its_end_mark_is_not_kept() -> None:
    assert not _stream_kept(_chunk("stop"), b"[DONE]", _chunk())


def test_a_stream_that_ends_before_its_choices_do_is_not_kept() -> None:
    assert not _stream_kept(_chunk(), b"[DONE]")
    assert not _stream_kept(_chunk("stop", 0), _chunk(None, 1), b"[DONE]")
    assert not _stream_kept(b"[DONE]")


def test_a_stream_with_several_choices_and_usage_at_its_end_is_kept() -> None:
    usage = orjson.dumps({"choices": [], "usage": {"total_tokens": 3}})
    assert _stream_kept(_chunk(), _chunk(None, 1), _chunk("stop", 1), _chunk("stop"), _chunk(None), usage, b"[DONE]")


@pytest.mark.parametrize(
    "odd", [b'{"error":{"message":"x"}}', b"{", b"7", b"[DONE]", b'{"choices":[7]}', b'{"choices":[{"index":[],"finish_reason":{}}]}']
)
def test_a_stream_with_an_error_or_nonsense_in_it_is_not_kept(odd: bytes) -> None:
    assert not _stream_kept(_chunk(), odd, _chunk("stop"), b"[DONE]")


def test_a_stream_with_an_error_event_is_not_kept() -> None:
    assert not _kept(b"event: error\n" + _stream(_chunk("stop"), b"[DONE]"), SSE)
    assert _kept(b"event: message\n" + _stream(_chunk("stop"), b"[DONE]"), SSE)


@pytest.mark.parametrize("line", [b"\n", b"\r\n", b"\r"])
def test_streams_are_read_by_their_grammar(line: bytes) -> None:
    comment = b": ping" + line * 2
    assert _kept(comment + _stream(_chunk(), comment.strip() and _chunk("stop"), b"[DONE]", line=line), SSE)
    halves = b'data:{"choices":[{"index":0,' + line + b'data:"finish_reason":"stop"}]}' + line * 2
    assert _kept(halves + b"data:[DONE]" + line * 2, SSE)
    assert not _kept(halves + b"data:[DONE]" + line, SSE)  # replayed, its last event would never be seen


def test_a_compressed_answer_is_read_and_kept() -> None:
    headers = [*JSON, (b"content-encoding", b"GZIP")]
    assert _kept(gzip.compress(_answer("stop")), headers)
    assert not _kept(gzip.compress(_answer("length")), headers)


@pytest.mark.parametrize(
    "body",
    [
        b"no gzip",
        gzip.compress(_answer("stop"))[:-4],
        gzip.compress(_answer("stop")) + b"more",
        zlib.compress(_answer("stop")),
    ],
)
def test_a_damaged_compressed_answer_is_not_kept(body: bytes) -> None:
    assert not _kept(body, [*JSON, (b"content-encoding", b"gzip")])


def test_a_compressed_answer_that_grows_without_end_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "_MAX_DECODED", 1000)
    headers = [*JSON, (b"content-encoding", b"gzip")]
    assert _kept(gzip.compress(_answer("stop")), headers)
    assert not _kept(gzip.compress(_answer("stop", x="a" * 2000)), headers)


def test_an_encoding_that_we_cannot_read_is_not_kept_and_none_at_all_is() -> None:
    assert not _kept(_answer("stop"), [*JSON, (b"content-encoding", b"br")])
    assert _kept(_answer("stop"), [*JSON, (b"content-encoding", b"identity")])


def test_only_headers_that_describe_the_body_are_kept() -> None:
    describing = ((b"content-type", b"application/json"), (b"content-encoding", b"gzip"))
    names = (
        b"x-request-id",
        b"retry-after",
        b"x-ratelimit-limit-requests",
        b"openai-processing-ms",
        b"set-cookie",
        b"date",
        b"content-length",
    )
    assert kept_headers([*((name, b"1") for name in names), *describing]) == describing


def test_a_stream_is_told_by_its_content_type() -> None:
    assert is_stream(SSE)
    assert is_stream([(b"content-type", b"Text/Event-Stream")])
    assert not is_stream(JSON)
    assert not is_stream([])


@settings(deadline=None)
@given(body=st.binary(max_size=60) | st.text(max_size=60).map(str.encode), stream=st.booleans(), zipped=st.booleans())
def test_no_answer_whatever_it_is_makes_it_fail(body: bytes, stream: bool, zipped: bool) -> None:
    headers = [*(SSE if stream else JSON), *([(b"content-encoding", b"gzip")] if zipped else [])]
    assert cacheable(200, headers, body, True) is False


ODD = st.recursive(
    st.none() | st.integers(-9, 9) | st.text(max_size=3) | st.sampled_from(["stop", "length"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["choices", "index", "finish_reason", "error", "data"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(deadline=None)
@given(document=ODD)
def test_no_shape_of_json_makes_it_fail(document: Any) -> None:
    body = orjson.dumps(document)
    assert _kept(body) in (True, False)
    assert _stream_kept(body, b"[DONE]") in (True, False)
