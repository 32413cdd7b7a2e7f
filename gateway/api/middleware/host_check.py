"""Keeps web pages of strangers away from a gateway on this machine.

DNS rebinding: a page's own name is made to point at 127.0.0.1, the browser then sends that name as `Host`.
Cross-site posts: a page sends a form or a simple fetch to a loopback port, the browser then names the page as `Origin`.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TYPE_CHECKING

from gateway.api.errors import error_response
from gateway.errors import BadRequest, EluvixError, Forbidden

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

CHECKED = (b"host", b"origin")
REMEMBERED = 64
"""So many combinations of these headers that passed are remembered."""
DEFAULT_PORTS = {"http": 80, "https": 443}
WILDCARDS = frozenset({"0.0.0.0", "::", ""})  # noqa: S104 - compared with, not bound


@dataclass(frozen=True, slots=True)
class HostRules:
    """Which names the gateway answers to, and which pages may call it from a browser.

    `bound`: the address that the server listens on; a wildcard accepts any IP address as `Host`. `allowed`: further names;
    `*.example.org` stands for names below it, `*` for all. `origins`: `scheme://host[:port]` of pages, `*` for all.
    """

    bound: str = "127.0.0.1"
    allowed: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()


class HostCheck:
    """Checks `Host` and `Origin` of every request: 400 without a usable Host, 403 for a strange one or a strange page."""

    def __init__(self, app: ASGIApp, rules: HostRules) -> None:
        self._app = app
        self._names = frozenset(_plain(name) for name in (*rules.allowed, rules.bound, "localhost"))
        self._suffixes = tuple(name[1:] for name in self._names if name.startswith("*."))
        self._any_name = "*" in self._names
        self._any_address = rules.bound.strip("[]") in WILDCARDS
        self._origins = frozenset(origin.lower().rstrip("/") for origin in rules.origins)
        self._passed: set[tuple[object, ...]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on or refuses it."""
        if scope["type"] == "http":
            problem = self._problem(scope)
            if problem is not None:
                await error_response(problem)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _problem(self, scope: Scope) -> EluvixError | None:
        """What is wrong with the request. What passed is remembered: nearly all requests look the same."""
        sent = tuple(pair for pair in scope["headers"] if pair[0] in CHECKED)
        known = (scope["scheme"], sent)
        if known in self._passed:
            return None
        hosts, origins = ([value.decode("latin-1") for key, value in sent if key == name] for name in CHECKED)
        problem = self._judged(scope["scheme"], hosts, origins)
        if problem is None and len(self._passed) < REMEMBERED:
            self._passed.add(known)
        return problem

    def _judged(self, scheme: str, hosts: list[str], origins: list[str]) -> EluvixError | None:
        target = authority(hosts[0]) if len(hosts) == 1 else None
        if target is None:
            return BadRequest("The request must have one Host header, of the form name or name:port.", code="invalid_host")
        if not self._host_allowed(target[0]):
            message = "The gateway does not answer to this Host. Add its name to server.allowed_hosts."
            return Forbidden(message, code="host_not_allowed")
        if all(self._origin_allowed(origin.lower(), scheme, target) for origin in origins):
            return None
        message = "Pages of this origin may not call the gateway. Add it to server.cors_origins to allow them."
        return Forbidden(message, code="origin_not_allowed")

    def _host_allowed(self, name: str) -> bool:
        if name in self._names or self._any_name or name.endswith(self._suffixes):
            return True
        address = _address(name)
        return address is not None and (self._any_address or _loopback(address))

    def _origin_allowed(self, origin: str, scheme: str, target: tuple[str, int | None]) -> bool:
        if origin == "null":
            return False
        if origin in self._origins or "*" in self._origins:
            return True
        prefix = f"{scheme}://"
        page = authority(origin.removeprefix(prefix)) if origin.startswith(prefix) else None
        if page is None:
            return False
        default = DEFAULT_PORTS.get(scheme)
        return (page[0], page[1] or default) == (target[0], target[1] or default)


def authority(value: str) -> tuple[str, int | None] | None:
    """`name[:port]` as (lower-case name without brackets and final dot, port), or None where it is not of that form."""
    name, bracket, rest = value.strip().partition("]")
    if not bracket:
        name, colon, rest = name.partition(":")
        rest = colon + rest
    if rest and not (rest[0] == ":" and rest[1:].isdecimal() and len(rest) <= 6 and rest.isascii()):
        return None
    plain = _plain(name)
    if not plain or any(char.isspace() or char in "/@?#\\," for char in plain) or bool(bracket) != name.startswith("["):
        return None
    return plain, int(rest[1:]) if rest else None


def _plain(name: str) -> str:
    return name.strip().lower().lstrip("[").rstrip("]").removesuffix(".")


def _address(name: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(name)
    except ValueError:
        return None


def _loopback(address: IPv4Address | IPv6Address) -> bool:
    inner = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return (inner or address).is_loopback
