"""Structured log lines on standard error: JSON for machines, colours for people.

Exceptions are written as their class and the places that they passed, never as their message: a message may quote what
someone wrote.
"""

from __future__ import annotations

import logging
import sys
import time
import traceback
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Literal

import orjson
import structlog

if TYPE_CHECKING:
    from collections.abc import Callable

    from structlog.typing import EventDict, Processor, WrappedLogger

LogFormat = Literal["auto", "json", "console"]

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The name of the request under way; it stands in each of its log lines."""

PRIVATE_KEYS = frozenset(
    {
        "answer",
        "api_key",
        "authorization",
        "block",
        "body",
        "content",
        "cookie",
        "headers",
        "memory",
        "messages",
        "password",
        "prompt",
        "query",
        "question",
        "secret",
        "text",
        "token",
    }
)
"""Names under which somebody's words or secrets would travel. A second line: nobody should log them in the first place."""

FRAMES = 5
"""How many places of an exception are named, the innermost last."""


def configure_logging(format: LogFormat, level: str) -> None:
    """Sends the log lines of the whole process, uvicorn's included, to standard error.

    `auto` is `console` when standard error is a terminal and `json` otherwise. `level` is `debug`, `info`, `warning` or `error`;
    libraries that speak through `logging` are heard from `warning` on, since some write addresses with their query.
    """
    threshold = logging.getLevelNamesMapping()[level.upper()]
    renderer = _renderer(format)
    structlog.configure(
        processors=[*_shared_processors(), *renderer],
        wrapper_class=structlog.make_filtering_bound_logger(threshold),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
    _route_standard_logging(renderer, threshold)


def drop_private(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """A processor that takes out what must not be written, and names the keys that it took."""
    if PRIVATE_KEYS.isdisjoint(event):
        return event
    dropped = sorted(PRIVATE_KEYS.intersection(event))
    for key in dropped:
        del event[key]
    event["dropped"] = dropped
    return event


def name_exception(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """A processor that turns `exc_info` into `error` (the class) and `at` (`module:line function`, innermost last)."""
    error = _exception_of(event.pop("exc_info")) if "exc_info" in event else None
    if error is not None:
        event["error"] = type(error).__name__
        event["at"] = places(error)
    return event


def name_request(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """A processor that adds `request_id` to what is said during a request."""
    name = request_id.get()
    if name is not None:
        event["request_id"] = name
    return event


class Stamp:
    """A processor that adds the time in UTC, to the millisecond. The part down to the second is kept, since many lines share it."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._second = -1
        self._prefix = ""

    def __call__(self, _logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
        """Adds `timestamp`."""
        second, fraction = divmod(self._clock(), 1)
        if second != self._second:
            self._prefix = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))
            self._second = int(second)
        event["timestamp"] = f"{self._prefix}.{int(fraction * 1000):03d}Z"
        return event


def first_line(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """A processor for what libraries say: asyncio's further lines hold the message of an exception that nobody awaited."""
    event["event"] = str(event["event"]).partition("\n")[0]
    return event


def places(error: BaseException) -> list[str]:
    """Where an exception came through: `module:line function` of its last frames, without its message or any source line."""
    frames = list(traceback.walk_tb(error.__traceback__))[-FRAMES:]
    return [f"{frame.f_globals.get('__name__', '?')}:{line} {frame.f_code.co_name}" for frame, line in frames]


def _exception_of(exc_info: object) -> BaseException | None:
    if isinstance(exc_info, BaseException):
        return exc_info
    if isinstance(exc_info, tuple):
        return exc_info[1] if isinstance(exc_info[1], BaseException) else None
    return sys.exc_info()[1] if exc_info else None


def _shared_processors() -> list[Processor]:
    return [
        name_request,
        structlog.stdlib.add_log_level,
        Stamp(),
        name_exception,
        drop_private,
    ]


def _renderer(format: LogFormat) -> list[Processor]:
    terminal = sys.stderr.isatty()
    if format == "console" or (format == "auto" and terminal):
        return [structlog.dev.ConsoleRenderer(colors=terminal)]
    return [structlog.processors.JSONRenderer(serializer=_json)]


def _json(event: EventDict, default: Any = str, **_: Any) -> str:
    return orjson.dumps(event, default=default, option=orjson.OPT_NON_STR_KEYS).decode()


def _route_standard_logging(renderer: list[Processor], threshold: int) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, first_line, *_shared_processors()],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderer],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(threshold, logging.WARNING))
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        _hand_over(logging.getLogger(name))
    logging.getLogger("uvicorn.error").setLevel(threshold)
    logging.getLogger("uvicorn.access").disabled = True  # the access log is our own


def _hand_over(logger: logging.Logger) -> None:
    logger.handlers.clear()
    logger.propagate = True
