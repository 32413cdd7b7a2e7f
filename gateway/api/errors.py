"""Errors as a client sees them: OpenAI's shape everywhere, a sentence that names the next step, never an internal detail."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

import orjson
import structlog
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from gateway.api.validation import explain
from gateway.errors import BadRequest, EluvixError, NotFound, Unauthorized
from providers.base import ProviderError, ProviderUnavailable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fastapi import FastAPI
    from starlette.requests import Request

PROVIDER_RETRY_S = 5
"""What `retry-after` says when the memory provider cannot be reached, seconds."""


class MethodNotAllowed(EluvixError):
    """The address exists and takes another method (405)."""

    status = 405
    type = "invalid_request_error"
    default_code = "method_not_allowed"


class ProviderDown(EluvixError):
    """The memory provider cannot be reached (503)."""

    status = 503
    default_code = "memory_unavailable"


class ProviderRejected(EluvixError):
    """The memory provider refused what it was asked (502)."""

    status = 502
    default_code = "memory_refused"


class Internal(EluvixError):
    """A mistake of ours (500). What it was stands in the log only."""

    default_code = "internal_error"


def error_body(error: EluvixError) -> bytes:
    """The JSON body for an error: `{"error": {message, type, param, code}}`."""
    return orjson.dumps(error.to_json())


def error_headers(error: EluvixError) -> dict[str, str]:
    """The headers that belong to an error: its media type, `retry-after` (seconds), `www-authenticate` with a 401."""
    headers = {"content-type": "application/json"}
    if error.retry_after is not None:
        headers["retry-after"] = str(error.retry_after)
    if isinstance(error, Unauthorized):
        headers["www-authenticate"] = 'Bearer realm="eluvix"'
    return headers


def error_response(error: EluvixError, headers: Mapping[str, str] | None = None) -> Response:
    """The whole response for an error; `headers` are added to its own."""
    return Response(error_body(error), error.status, {**error_headers(error), **(headers or {})})


def internal_error() -> Internal:
    """The error for whatever was not foreseen."""
    return Internal("The gateway failed here; this is a fault of its own. Its log names the place under this request's id.")


def provider_error(error: ProviderError) -> EluvixError:
    """A memory provider's failure as an error of the API. Their messages name the provider and the next step."""
    if isinstance(error, ProviderUnavailable):
        return ProviderDown(str(error), retry_after=PROVIDER_RETRY_S)
    return ProviderRejected(str(error))


def add_error_handlers(app: FastAPI) -> None:
    """Teaches FastAPI to answer in this shape."""
    app.add_exception_handler(EluvixError, _on_error)
    app.add_exception_handler(ProviderError, _on_provider_error)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http)
    app.add_exception_handler(Exception, _on_surprise)


async def _on_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, EluvixError)  # noqa: S101 - registered for nothing else
    return error_response(error)


async def _on_provider_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, ProviderError)  # noqa: S101 - registered for nothing else
    structlog.get_logger(__name__).warning("memory provider failed", error=type(error).__name__)
    return error_response(provider_error(error))


async def _on_invalid(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for nothing else
    return error_response(explain(error.errors()))


async def _on_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for nothing else
    return error_response(_http_error(error, request), error.headers)


def _http_error(error: HTTPException, request: Request) -> EluvixError:
    if error.status_code == HTTPStatus.NOT_FOUND:
        message = f"There is nothing at {request.method} {_printable(request.url.path)}. GET /openapi.json lists what there is."
        return NotFound(message, code="unknown_url")
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        allowed = (error.headers or {}).get("Allow", "another method")
        return MethodNotAllowed(f"{_printable(request.url.path)} does not take {request.method}. It takes {allowed}.")
    if error.status_code < HTTPStatus.INTERNAL_SERVER_ERROR:
        return BadRequest(str(error.detail))
    return internal_error()


def _printable(path: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in path[:200])


async def _on_surprise(_request: Request, _error: Exception) -> Response:
    """Logged further out, where every exception ends (`ErrorBoundary`)."""
    return error_response(internal_error())
