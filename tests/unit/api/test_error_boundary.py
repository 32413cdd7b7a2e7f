"""Whatever escapes becomes an answer, and nothing of it reaches the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import ClientDisconnect
from structlog.testing import capture_logs

from gateway.api.middleware import ErrorBoundary
from gateway.errors import TooManyRequests
from tests.fakes.asgi import call, http_scope

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

WORDS = "the sea is wide"


def failing(error: Exception, *, begun: bool = False) -> ASGIApp:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if begun:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"begun", "more_body": True})
        raise error

    return app


async def test_an_unforeseen_exception_becomes_a_500_without_its_message_and_is_logged_by_class() -> None:
    with capture_logs() as logs:
        result = await call(ErrorBoundary(failing(ValueError(WORDS))), http_scope())
    assert (result.status, result.error["type"], result.error["code"]) == (500, "server_error", "internal_error")
    assert WORDS.encode() not in result.body
    assert isinstance(logs[0]["exc_info"], ValueError)


async def test_an_error_of_ours_keeps_its_status_code_and_retry_after() -> None:
    result = await call(ErrorBoundary(failing(TooManyRequests("Wait a minute.", retry_after=60))), http_scope())
    assert (result.status, result.headers["retry-after"], result.error["message"]) == (429, "60", "Wait a minute.")


async def test_after_the_answer_has_begun_nothing_is_added_to_it() -> None:
    with capture_logs():
        result = await call(ErrorBoundary(failing(ValueError(WORDS), begun=True)), http_scope())
    assert (result.status, result.body) == (200, b"begun")


async def test_a_client_that_left_is_no_failure() -> None:
    with capture_logs() as logs:
        await call(ErrorBoundary(failing(ClientDisconnect())), http_scope())
    assert [line["log_level"] for line in logs] == ["debug"]
