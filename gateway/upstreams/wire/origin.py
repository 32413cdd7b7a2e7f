"""Where an upstream lives: its url, taken apart once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import SplitResult, quote, unquote, urlsplit

from gateway.errors import ConfigError

_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Origin:
    """Scheme, host (as it is looked up: no brackets), port, and the path under which the API lies (`/v1`, or "")."""

    scheme: Literal["http", "https"]
    host: str
    port: int
    path: str = ""

    @property
    def authority(self) -> str:
        """`host[:port]` as a `Host` header has it: brackets around IPv6, no default port."""
        return self.bracketed if self.port == _PORTS[self.scheme] else self.address

    @property
    def address(self) -> str:
        """`host:port`, the port always there."""
        return f"{self.bracketed}:{self.port}"

    @property
    def bracketed(self) -> str:
        """The host with brackets around IPv6 and without a zone."""
        host = self.host.partition("%")[0]
        return f"[{host}]" if ":" in host else host


@dataclass(frozen=True, slots=True)
class Proxy:
    """An HTTP proxy, spoken to in plain text. `user` is `name:password` or None."""

    origin: Origin
    user: str | None = field(default=None, repr=False)


def parse_origin(name: str, url: str) -> Origin:
    """Reads the url of upstream `name`. Raises ConfigError that says what is wrong with it."""
    parts, port = _split(name, "url", url)
    if parts.username is not None or parts.query or parts.fragment:
        message = f"upstream {name!r}: its url must be only scheme, host, port and path; put a key into api_key."
        raise ConfigError(message)
    path = quote(parts.path.rstrip("/"), safe="/%:@!$&'()*+,;=~-._")
    return Origin("https" if parts.scheme == "https" else "http", _host(name, parts), port, path)


def parse_proxy(name: str, url: str) -> Proxy:
    """Reads the proxy url of upstream `name`. Raises ConfigError: only `http://[user:password@]host:port` is spoken."""
    parts, port = _split(name, "proxy", url)
    if parts.scheme != "http":
        message = f"upstream {name!r}: its proxy must be an http:// url."
        raise ConfigError(message)
    user = None if parts.username is None else f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return Proxy(Origin("http", _host(name, parts), port), user)


def _split(name: str, key: str, url: str) -> tuple[SplitResult, int]:
    try:
        parts = urlsplit(url)
        port = _PORTS[parts.scheme] if parts.port is None else parts.port
    except (ValueError, KeyError):
        port = 0
    if not port or not parts.hostname:
        message = f"upstream {name!r}: its {key} is not a http:// or https:// url with a host."
        raise ConfigError(message)
    return parts, port


def _host(name: str, parts: SplitResult) -> str:
    host = unquote(parts.hostname or "")
    try:
        return host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError as error:
        message = f"upstream {name!r}: {host!r} is not a host name."
        raise ConfigError(message) from error
