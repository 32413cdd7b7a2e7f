"""One tree of errors. Each carries what an OpenAI client expects: status, type, code, param and a message that names the next step."""

from __future__ import annotations

from typing import Any, ClassVar


class EluvixError(Exception):
    """The root: something went wrong that a person can act on.

    `str(error)` is the sentence shown to the person; it never holds message text, memory text or a key.
    """

    status: ClassVar[int] = 500
    type: ClassVar[str] = "server_error"
    default_code: ClassVar[str | None] = None

    def __init__(self, message: str, *, code: str | None = None, param: str | None = None, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.code = code or self.default_code
        self.param = param
        self.retry_after = retry_after  # seconds

    def to_json(self) -> dict[str, Any]:
        """What a client is told, in OpenAI's shape: `{"error": {message, type, param, code}}`."""
        return {"error": {"message": str(self), "type": self.type, "param": self.param, "code": self.code}}


class BadRequest(EluvixError):
    """The client sent something that cannot be served as it is (400)."""

    status = 400
    type = "invalid_request_error"


class Unauthorized(EluvixError):
    """No key or password, or a wrong one (401)."""

    status = 401
    type = "authentication_error"
    default_code = "invalid_api_key"


class Forbidden(EluvixError):
    """The caller is known and may not do this (403)."""

    status = 403
    type = "permission_error"


class NotFound(EluvixError):
    """There is no such model, memory or page (404)."""

    status = 404
    type = "invalid_request_error"


class Conflict(EluvixError):
    """What the caller assumes has changed meanwhile (409)."""

    status = 409
    type = "invalid_request_error"


class BodyTooLarge(EluvixError):
    """The request body is over `server.max_body_mib` (413)."""

    status = 413
    type = "invalid_request_error"
    default_code = "request_too_large"


class TooManyRequests(EluvixError):
    """A limit of the gateway itself was reached (429)."""

    status = 429
    type = "rate_limit_error"
    default_code = "rate_limit_exceeded"


class UpstreamError(EluvixError):
    """Anything that went wrong between the gateway and a model server (502)."""

    status = 502
    type = "upstream_error"


class UpstreamUnavailable(UpstreamError):
    """No byte of an answer came: refused, unreachable, closed, or too slow to start. Another upstream may be tried."""

    default_code = "upstream_unavailable"


class UpstreamTimeout(UpstreamUnavailable):
    """The model server did not begin to answer in time (504)."""

    status = 504
    default_code = "upstream_timeout"


class UpstreamBroken(UpstreamError):
    """The answer had begun and then broke off, stalled or was not HTTP. It must not be tried again."""

    default_code = "upstream_broken"


class NotLocal(UpstreamUnavailable):
    """An upstream that is declared local has a public address. Nothing was sent to it."""

    default_code = "upstream_not_local"


class ConfigError(EluvixError):
    """A setting is missing, unknown or contradicts another. The message names the key, the reason and the fix."""


class StorageError(EluvixError):
    """A database or file of ours cannot be read or written. The message names the path and the next step."""
