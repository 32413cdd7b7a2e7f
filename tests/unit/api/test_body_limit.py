"""Bodies are bounded, before and while they arrive."""

from __future__ import annotations

import pytest

from gateway.api.middleware import BodyLimit, ErrorBoundary
from tests.fakes.asgi import Recorder, call, http_scope


def limited(limit: int, inner: Recorder) -> ErrorBoundary:
    return ErrorBoundary(BodyLimit(inner, limit))


async def test_a_body_of_exactly_the_limit_passes() -> None:
    result = await call(limited(4, Recorder()), http_scope("POST", headers=[("content-length", "4")]), [b"ab", b"cd"])
    assert (result.status, result.body) == (200, b"abcd")


async def test_a_declared_length_over_the_limit_is_refused_before_anything_is_read() -> None:
    inner = Recorder()
    result = await call(limited(2**20, inner), http_scope("POST", headers=[("content-length", str(2**20 + 1))]), [b"a"])
    assert (result.status, result.error["code"]) == (413, "request_too_large")
    assert "1 MiB" in result.error["message"]
    assert "server.max_body_mib" in result.error["message"]
    assert inner.scopes == []


async def test_a_body_without_a_length_is_refused_when_it_passes_the_limit() -> None:
    result = await call(limited(4, Recorder()), http_scope("POST"), [b"abc", b"de", b"f"])
    assert (result.status, result.error["type"]) == (413, "invalid_request_error")


async def test_a_body_longer_than_declared_is_refused_too() -> None:
    result = await call(limited(4, Recorder()), http_scope("POST", headers=[("content-length", "1")]), [b"abcdef"])
    assert result.status == 413


@pytest.mark.parametrize("value", ["", "-1", "+3", "1.5", "0x10", "1_0", "3, 3", " 3 ", "²"])
async def test_a_malformed_length_is_a_bad_request(value: str) -> None:
    result = await call(limited(4, Recorder()), http_scope("POST", headers=[("content-length", value)]), [b"abc"])
    assert (result.status, result.error["code"]) == (400, "invalid_content_length")


async def test_two_different_lengths_are_a_bad_request() -> None:
    scope = http_scope("POST", headers=[("content-length", "3"), ("content-length", "4")])
    assert (await call(limited(4, Recorder()), scope, [b"abc"])).status == 400


async def test_a_length_of_many_digits_is_just_too_large() -> None:
    result = await call(limited(4, Recorder()), http_scope("POST", headers=[("content-length", "9" * 5000)]))
    assert result.status == 413


async def test_leading_zeros_do_not_count() -> None:
    result = await call(limited(4, Recorder()), http_scope("POST", headers=[("content-length", "0" * 30 + "3")]), [b"abc"])
    assert result.status == 200
