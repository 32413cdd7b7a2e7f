"""Who is asking: named keys, the user that a request names, and the admin password."""

from __future__ import annotations

import hashlib
import hmac
import math
import os
import re
import secrets
import time
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING

from cachetools import TTLCache
from filelock import FileLock, Timeout

from gateway.errors import BadRequest, ConfigError, Forbidden, TooManyRequests, Unauthorized
from gateway.turn import Principal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

ANY_USER = "*"
USER_RULE = "1 to 128 of ASCII letters, digits and . _ @ : + - and is not made of dots alone"
PASSWORD_FILE = "admin_password"  # noqa: S105 - a file name
_USER = re.compile(r"(?!\.+\Z)[A-Za-z0-9._@:+-]{1,128}")
_SAFE_IN_FOLDERS = re.compile(r"[a-z0-9_-]")
_DEVICES = re.compile(r"con|prn|aux|nul|(?:com|lpt)[0-9]")
_LONGEST_FOLDER = 200
_HEADERS = frozenset({b"authorization", b"x-api-key", b"api-key", b"x-eluvix-user"})
_BLANKS = b" \t"
_FAILURES, _WINDOW_S, _CLIENTS = 10, 60, 4096
LOCK_WAIT_S = 10.0
_NOBODY = Principal(None)


@dataclass(frozen=True, slots=True)
class NamedKey:
    """A key as it is kept: only its hash. `user` None = it may act for any user."""

    name: str
    digest: bytes
    user: str | None
    top_k: int | None = None
    max_tokens: int | None = None


def key_digest(key: str) -> bytes:
    """What is kept of a key. Keys are random and long, so that one fast hash is enough: there is nothing to guess as with passwords."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()


def valid_user(name: str, param: str = "userId") -> str:
    """`name`, if it can name a user. Raises BadRequest that says the rule."""
    if _USER.fullmatch(name):
        return name
    message = f"`{param}` is not a user name. A user name has {USER_RULE}."
    raise BadRequest(message, code="invalid_user", param=param)


def folder_name(user: str) -> str:
    """A folder name for a user that no other user has, on any file system: `Alice` -> `%41lice`. At most 200 characters.

    Names of Windows devices are spelled differently (`con` -> `%63on`), and long ones end in a hash after `~`, which no other has.
    """
    name = "".join(char if _SAFE_IN_FOLDERS.fullmatch(char) else f"%{ord(char):02x}" for char in user)
    if _DEVICES.fullmatch(name):
        name = f"%{ord(name[0]):02x}{name[1:]}"
    if len(name) <= _LONGEST_FOLDER:
        return name
    digest = hashlib.sha256(user.encode()).hexdigest()
    return f"{name[: _LONGEST_FOLDER - len(digest) - 1]}~{digest}"


class Identity:
    """Finds the principal of a request. `open_access`: nobody needs a key as long as there is none (loopback only)."""

    def __init__(self, keys: Iterable[NamedKey], *, open_access: bool) -> None:
        self._keys: dict[bytes, NamedKey] = {}
        for key in keys:
            self._keys.setdefault(key.digest, key)
        self._open = open_access and not self._keys

    def principal(self, headers: Sequence[tuple[bytes, bytes]]) -> Principal:
        """Who sent these ASGI headers (lower-case names). Raises Unauthorized, Forbidden or BadRequest."""
        sent, named = _credentials(headers)
        if self._open:
            return _NOBODY if named is None else Principal(_user(named))
        key = self._key(sent)
        user = None if named is None else _user(named)
        if key.user is None:
            return Principal(user, key.name, key.top_k, key.max_tokens)
        if user is not None and user != key.user:
            message = "This key belongs to another user than x-eluvix-user names. Leave the header out, or use that user's key."
            raise Forbidden(message, code="other_user", param="x-eluvix-user")
        return Principal(key.user, key.name, key.top_k, key.max_tokens)

    def _key(self, sent: bytes) -> NamedKey:
        if not sent:
            message = "No API key was sent. Send one as `Authorization: Bearer <key>`; `eluvix keys add` makes one."
            raise Unauthorized(message)
        digest = hashlib.sha256(sent).digest()
        key = self._keys.get(digest)
        if key is None or not hmac.compare_digest(key.digest, digest):
            message = "This API key is not known here. `eluvix keys list` shows the names of those that are."
            raise Unauthorized(message)
        return key


class Admin:
    """The admin password. Ten wrong ones from an address within a minute close the door to that address for the rest of it.

    `clock` gives seconds. Addresses of one IPv6 network (/64) count as one: whoever has such a network has all of them.
    """

    def __init__(self, password: str | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._digest = key_digest(password) if password else None
        self._clock = clock
        self._failures: TTLCache[str, _Failures] = TTLCache(_CLIENTS, _WINDOW_S, timer=clock)

    def check(self, authorization: str | None, client: str) -> None:
        """Passes when `authorization` bears the password. Raises Unauthorized, or TooManyRequests for this client's address."""
        if self._digest is None:
            message = "No admin password is set. Set ELUVIX_ADMIN_PASSWORD or `admin_password`, and restart."
            raise Unauthorized(message)
        network = _network(client)
        failures = self._failures.get(network)
        if failures is not None and failures.count >= _FAILURES:
            seconds = max(1, math.ceil(failures.until - self._clock()))
            message = f"Too many wrong passwords from this address. Wait {seconds} seconds."
            raise TooManyRequests(message, retry_after=seconds)
        sent = _bearer(authorization or "")
        if not sent:
            message = "The admin password is missing. Send it as `Authorization: Bearer <password>`."
            raise Unauthorized(message)
        if not self._is_password(sent):
            self._failed(network)
            message = "The admin password is wrong. It is in ELUVIX_ADMIN_PASSWORD, `admin_password`, or the file admin_password."
            raise Unauthorized(message)

    def _is_password(self, sent: str) -> bool:
        """Header bytes come decoded as Latin-1; a client may have meant UTF-8 or Latin-1 by them. Both are compared, in constant time."""
        assert self._digest is not None  # noqa: S101 - asked before
        as_latin = hmac.compare_digest(self._digest, key_digest(sent))
        as_utf8 = hmac.compare_digest(self._digest, hashlib.sha256(sent.encode("latin-1", "replace")).digest())
        return as_latin or as_utf8

    def _failed(self, network: str) -> None:
        failures = self._failures.get(network)
        if failures is None:
            self._failures[network] = _Failures(self._clock() + _WINDOW_S)
        else:
            failures.count += 1  # in place: the window goes on from the first failure


@dataclass(slots=True)
class _Failures:
    """Wrong passwords from one address. `until`: when they are forgotten, in the clock's seconds."""

    until: float
    count: int = 1


def ensure_admin_password(home: Path) -> tuple[str, Path, bool]:
    """The password kept in `home`, made when there is none: (password, its file, whether it was made now). Raises ConfigError."""
    file = home / PASSWORD_FILE
    try:
        with FileLock(home / f".{PASSWORD_FILE}.lock", timeout=LOCK_WAIT_S):
            kept = file.read_text(encoding="utf-8").strip() if file.is_file() else ""
            if kept:
                file.chmod(0o600)
                return kept, file, False
            password = secrets.token_urlsafe(18)
            _write_private(file, password + "\n")
    except (OSError, UnicodeDecodeError, Timeout) as error:
        message = f"The admin password file {file} cannot be used ({type(error).__name__}). Mend it, or set ELUVIX_ADMIN_PASSWORD."
        raise ConfigError(message) from None
    return password, file, True


def _write_private(file: Path, text: str) -> None:
    """Replaces a file in one step; nobody else can read it at any time."""
    fresh = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as opened:
        opened.write(text)
    fresh.replace(file)


def _credentials(headers: Sequence[tuple[bytes, bytes]]) -> tuple[bytes, bytes | None]:
    """The key that was sent, b"" for none, and the user that was named. A bearer counts more than the other two headers.

    Raises BadRequest for two different users.
    """
    bearer = other = b""
    user: bytes | None = None
    for name, value in headers:
        if name not in _HEADERS:
            continue
        value = value.strip(_BLANKS)
        if name == b"authorization":
            scheme, _, rest = value.partition(b" ")
            bearer = rest.strip(_BLANKS) if scheme.lower() == b"bearer" else bearer
        elif name != b"x-eluvix-user":
            other = other or value
        elif user is not None and value != user:
            message = "x-eluvix-user was sent twice with different names. Send it once."
            raise BadRequest(message, code="invalid_user", param="x-eluvix-user")
        else:
            user = value
    return bearer or other, user


def _user(named: bytes) -> str:
    return valid_user(named.decode("latin-1"), "x-eluvix-user")


def _bearer(authorization: str) -> str:
    scheme, _, sent = authorization.strip(" \t").partition(" ")
    return sent.strip(" \t") if scheme.lower() == "bearer" else ""


def _network(client: str) -> str:
    try:
        address = ip_address(client)
    except ValueError:
        return client
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or int(address) >> 64)
    return client
