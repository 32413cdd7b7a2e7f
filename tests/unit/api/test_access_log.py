"""One line per request, without anybody's words."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from structlog.testing import capture_logs

from gateway.api.middleware import AccessLog
from tests.fakes.asgi import Recorder, call, http_scope

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send


async def test_a_line_has_method_path_status_and_time_and_no_query() -> None:
    with capture_logs() as logs:
        await call(AccessLog(Recorder()), http_scope("POST", "/v1/models", query_string=b"userId=alice&query=private"))
    (line,) = logs
    assert (line["method"], line["path"], line["status"]) == ("POST", "/v1/models", 200)
    assert line["ms"] >= 0
    assert "alice" not in str(logs)
    assert "private" not in str(logs)


async def test_the_routes_template_stands_for_the_path_where_there_is_one() -> None:
    async def routed(scope: Scope, receive: Receive, send: Send) -> None:
        scope["route"] = SimpleNamespace(path_format="/api/v1/memory/{memory_id}")

    with capture_logs() as logs:
        await call(AccessLog(routed), http_scope(path="/api/v1/memory/42"))
    assert logs[0]["path"] == "/api/v1/memory/{memory_id}"


async def test_an_unknown_path_is_cut_and_made_printable() -> None:
    with capture_logs() as logs:
        await call(AccessLog(Recorder()), http_scope(path="/a\n\x1b[31m" + "b" * 500))
    assert logs[0]["path"].startswith("/a??[31mbb")
    assert len(logs[0]["path"]) == 200


async def test_a_request_that_fails_is_written_too() -> None:
    async def failing(scope: Scope, receive: Receive, send: Send) -> None:
        raise ValueError

    with capture_logs() as logs, pytest.raises(ValueError):
        await call(AccessLog(failing), http_scope())
    assert logs[0]["status"] == 0


async def test_health_checks_are_written_at_debug_level() -> None:
    with capture_logs() as logs:
        await call(AccessLog(Recorder()), http_scope(path="/healthz"))
    assert logs[0]["log_level"] == "debug"
