"""Log lines say what happened, never what anybody wrote."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
from typing import TYPE_CHECKING, Any

import pytest
import structlog

from gateway.telemetry import configure_logging, request_id
from gateway.telemetry.logs import Stamp

if TYPE_CHECKING:
    from collections.abc import Iterator

WORDS = "the sea is wide"


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    """Puts the process's logging back as it was."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    access = logging.getLogger("uvicorn.access")
    yield
    root.handlers[:], access.disabled = handlers, False
    root.setLevel(level)
    structlog.reset_defaults()


def written(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def test_a_line_is_one_json_object_with_time_level_and_request_id_when_stderr_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("auto", "info")
    token = request_id.set("req_1")
    structlog.get_logger().info("recalled", memories=3)
    request_id.reset(token)
    (line,) = written(capsys)
    assert (line["event"], line["level"], line["memories"], line["request_id"]) == ("recalled", "info", 3, "req_1")
    assert line["timestamp"].endswith("Z")


@pytest.mark.parametrize("key", ["text", "authorization", "messages", "api_key", "query"])
def test_values_under_dangerous_names_are_dropped_and_the_name_is_told(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("json", "info")
    structlog.get_logger().warning("oops", **{key: WORDS})
    logged = capsys.readouterr().err
    assert WORDS not in logged
    assert json.loads(logged)["dropped"] == [key]


@pytest.mark.parametrize("log_format", ["json", "console"])
def test_an_exception_is_named_by_class_and_place_and_its_message_is_not_written(
    log_format: str, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logging(log_format, "info")  # type: ignore[arg-type]
    try:
        raise ValueError(WORDS)
    except ValueError:
        structlog.get_logger().exception("commit failed")
        logging.getLogger("uvicorn.error").exception("Exception in ASGI application\n")
    logged = capsys.readouterr().err
    assert logged.count("ValueError") == 2
    assert logged.count("test_telemetry_logs") == 2
    assert WORDS not in logged


async def test_an_exception_that_nobody_awaited_is_named_without_its_message(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("json", "info")

    async def fail() -> None:
        raise ValueError(WORDS)

    task = asyncio.create_task(fail())
    await asyncio.wait([task])
    del task
    gc.collect()
    (line,) = written(capsys)
    assert line["error"] == "ValueError"
    assert WORDS not in json.dumps(line)


def test_the_server_speaks_through_the_same_lines_and_its_access_log_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("json", "info")
    logging.getLogger("uvicorn.error").info("Started server process [%d]", 7)
    logging.getLogger("uvicorn.access").info("GET /v1/models?key=value")
    (line,) = written(capsys)
    assert (line["event"], line["logger"]) == ("Started server process [7]", "uvicorn.error")


def test_libraries_are_heard_from_warning_on_since_some_write_addresses_with_their_query(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("json", "debug")
    logging.getLogger("httpx").info("HTTP Request: GET https://example.org/?q=private")
    logging.getLogger("httpx").warning("pool is full")
    assert [line["event"] for line in written(capsys)] == ["pool is full"]


def test_lines_below_the_level_are_not_written(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("json", "warning")
    structlog.get_logger().info("quiet")
    structlog.get_logger().warning("loud")
    assert [line["event"] for line in written(capsys)] == ["loud"]


def test_times_are_utc_to_the_millisecond() -> None:
    times = iter((1769860800.0, 1769860800.9996, 1769860801.042))
    stamp = Stamp(lambda: next(times))
    stamped = [stamp(None, "info", {})["timestamp"] for _ in range(3)]
    assert stamped == ["2026-01-31T12:00:00.000Z", "2026-01-31T12:00:00.999Z", "2026-01-31T12:00:01.042Z"]
