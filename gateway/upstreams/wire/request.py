"""Request heads: nearly all of their bytes are the same for each request to an upstream, and are made once."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING

from gateway import __version__
from gateway.errors import BadRequest, ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gateway.upstreams.base import UpstreamConfig
    from gateway.upstreams.wire.origin import Origin, Proxy

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
_OURS = frozenset({"accept-encoding", "connection", "content-length", "expect", "te", "trailer", "transfer-encoding", "upgrade"})
"""Headers that decide how bytes are framed: configuration does not set them."""
_WITHHELD = _OURS | {"authorization", "cookie", "proxy-authorization"}
"""Headers of a client that do not go on, whatever the caller lists."""


class RequestHead:
    """Writes the request heads of one upstream. Raises ConfigError when its configured key or headers cannot be sent."""

    __slots__ = ("_base", "_constant", "_posts", "_server", "_withheld")

    def __init__(self, config: UpstreamConfig, origin: Origin, proxy: Proxy | None) -> None:
        absolute = proxy is not None and origin.scheme == "http"
        self._server = f"http://{origin.authority}" if absolute else ""
        self._base = self._server + origin.path
        fields = _constant_fields(config, origin)
        if absolute and proxy is not None:
            fields |= proxy_fields(proxy)
        self._constant = b"".join(f"{name}: {value}\r\n".encode("latin-1") for name, value in fields.items())
        self._posts: dict[str, bytes] = {}
        self._withheld = _WITHHELD | fields.keys()

    def post(self, path: str, length: int, extra: Mapping[str, str]) -> bytes:
        """The head of a POST of `length` bytes to `path` below the base. Raises BadRequest when an extra header is malformed."""
        start = self._posts.get(path)
        if start is None:
            start = self._posts[path] = self._start("POST", self._base + path) + b"content-length: "
        if extra:
            return b"%b%d%b\r\n\r\n" % (start, length, self._extra(extra))
        return b"%b%d\r\n\r\n" % (start, length)

    def get(self, path: str, *, from_root: bool = False) -> bytes:
        """The head of a GET of `path` below the base url, or below the root of the server."""
        return self._start("GET", (self._server if from_root else self._base) + path) + b"\r\n"

    def _start(self, method: str, target: str) -> bytes:
        return f"{method} {target} HTTP/1.1\r\n".encode("ascii") + self._constant

    def _extra(self, extra: Mapping[str, str]) -> bytes:
        lines = [_line(name, value) for name, value in extra.items() if name.lower() not in self._withheld]
        return b"".join(lines)


def proxy_fields(proxy: Proxy) -> dict[str, str]:
    """What a proxy must be told about us: nothing, or `user:password`."""
    if proxy.user is None:
        return {}
    return {"proxy-authorization": "Basic " + base64.b64encode(proxy.user.encode()).decode("ascii")}


def _constant_fields(config: UpstreamConfig, origin: Origin) -> dict[str, str]:
    fields = {
        "host": origin.authority,
        "user-agent": f"eluvix/{__version__}",
        "content-type": "application/json",
        "accept-encoding": "identity",
    }
    if config.api_key is not None:
        fields["authorization"] = f"Bearer {config.api_key}"
    for name, value in config.headers.items():
        if name.lower() in _OURS:
            message = f"upstream {config.name!r}: the header {name!r} cannot be set; remove it."
            raise ConfigError(message)
        fields[name.lower()] = value
    for name, value in fields.items():
        if not (_NAME.fullmatch(name) and _VALUE.fullmatch(value)):
            what = "its api_key" if name == "authorization" else f"the header {name!r}"
            message = f"upstream {config.name!r}: {what} has characters that cannot be sent in a header."
            raise ConfigError(message)
    return fields


def _line(name: str, value: str) -> bytes:
    if not (_NAME.fullmatch(name) and _VALUE.fullmatch(value)):
        message = "A request header has characters that cannot be passed on. Remove line breaks and control characters."
        raise BadRequest(message, code="invalid_header")
    return f"\r\n{name}: {value}".encode("latin-1")
