"""Who is calling the administrative side: the holder of the admin password, or the holder of a named key."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING

from gateway.errors import BadRequest, EluvixError, Forbidden, Unauthorized
from gateway.identity import valid_user

if TYPE_CHECKING:
    from starlette.requests import Request

    from gateway.parts import Parts

FORWARDING = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
"""Headers that a proxy adds: with any of them a request from this machine may come from anywhere."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who may use the memory API: for `user` only, or (None) for any user that they name."""

    user: str | None
    admin: bool = False


def caller_of(parts: Parts, request: Request) -> Caller:
    """Who sent this request. Raises Unauthorized, or TooManyRequests after too many wrong passwords.

    A key is looked for first, so that using one does not count as a wrong password. Without any key configured only the admin
    password opens, on loopback as well.
    """
    headers = [pair for pair in request.scope["headers"] if pair[0] != b"x-eluvix-user"]  # whom it means is settled by `target`
    try:
        principal = parts.identity.principal(headers)
    except Unauthorized:
        principal = None
    if principal is not None and principal.key_name is not None:
        return Caller(principal.user)
    parts.admin.check(request.headers.get("authorization"), client_address(request))
    return Caller(None, admin=True)


def target(caller: Caller, request: Request, named: str | None) -> str:
    """The user whose memories are meant: `named` (`userId`), else the header `x-eluvix-user`, else the key's own.

    Raises BadRequest when nobody or two are named, Forbidden when the key is another user's.
    """
    names = {name for name in (named, request.headers.get("x-eluvix-user")) if name is not None}
    if caller.user is not None:
        if names - {caller.user}:
            message = "This key belongs to another user. Use that user's key, or the admin password."
            raise Forbidden(message, code="other_user", param="userId")
        return caller.user
    if len(names) != 1:
        raise BadRequest(_whom(names), code="missing_field" if not names else "ambiguous_user", param="userId")
    return valid_user(names.pop())


def _whom(names: set[str]) -> str:
    if names:
        return "`userId` and the header x-eluvix-user name two users. Name one."
    return "`userId` is missing. Add the user whose memories are meant."


def is_admin(parts: Parts, request: Request) -> bool:
    """Whether this request may see how the gateway is: it comes from this machine, or it holds the admin password.

    A request without a password is not counted as a failure; a wrong one is.
    """
    if from_this_machine(request):
        return True
    if "authorization" not in request.headers:
        return False
    try:
        return caller_of(parts, request).admin
    except EluvixError:
        return False


def from_this_machine(request: Request) -> bool:
    """Whether the client is on loopback and no proxy stands between."""
    if any(name in request.headers for name in FORWARDING):
        return False
    try:
        return ip_address(client_address(request)).is_loopback
    except ValueError:
        return False


def client_address(request: Request) -> str:
    """The client's address; behind a trusted proxy the one that the proxy names."""
    return request.client.host if request.client else ""
