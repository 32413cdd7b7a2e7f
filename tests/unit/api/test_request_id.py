"""Each request has a name."""

from __future__ import annotations

import pytest

from gateway.api.middleware import RequestId
from gateway.telemetry import request_id
from tests.fakes.asgi import Recorder, call, http_scope


@pytest.mark.parametrize("name", ["a", "A-b_c.9", "x" * 128])
async def test_the_clients_name_is_kept_when_it_is_a_plain_one(name: str) -> None:
    inner = Recorder()
    result = await call(RequestId(inner), http_scope(headers=[("x-request-id", name)]))
    assert result.headers["x-request-id"] == name
    assert inner.scopes[0]["state"]["request_id"] == name


@pytest.mark.parametrize("name", ["", "x" * 129, "two words", "a\tb", "naïve", "a/b", "a\n"])
async def test_any_other_name_is_replaced(name: str) -> None:
    result = await call(RequestId(Recorder()), http_scope(headers=[("x-request-id", name)]))
    assert result.headers["x-request-id"].startswith("req_")


async def test_two_requests_without_a_name_get_different_ones() -> None:
    app = RequestId(Recorder())
    names = {(await call(app, http_scope())).headers["x-request-id"] for _ in range(2)}
    assert len(names) == 2


async def test_an_answer_that_brings_its_own_name_keeps_it() -> None:
    result = await call(RequestId(Recorder([(b"X-Request-ID", b"upstream-7")])), http_scope())
    assert result.headers == {"X-Request-ID": "upstream-7"}


async def test_the_name_is_bound_to_log_lines_during_the_request_only() -> None:
    seen = []

    async def inner(scope: object, receive: object, send: object) -> None:
        seen.append(request_id.get())

    await call(RequestId(inner), http_scope(headers=[("x-request-id", "r1")]))
    assert seen == ["r1"]
    assert request_id.get() is None


async def test_a_state_that_the_server_shares_is_added_to() -> None:
    inner = Recorder()
    await call(RequestId(inner), http_scope(state={"started": 1}))
    assert set(inner.scopes[0]["state"]) == {"started", "request_id"}
