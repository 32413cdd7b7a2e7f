"""Named keys in state.db: only their hashes. A key itself is shown once, when it is made."""

from __future__ import annotations

import re
import secrets
import string
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gateway.errors import BadRequest, Conflict, NotFound
from gateway.identity import NamedKey, key_digest, valid_user

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from providers.database import Database

PREFIX = "elx_"
_ALPHABET = string.ascii_letters + string.digits
_LENGTH = 40
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_LIMITS = {"top_k": (1, 100), "max_tokens": (0, 32768)}
_COLUMNS = "name, digest, user, top_k, max_tokens, hint, created_at"

KEYS_TABLE = """CREATE TABLE keys (
    name TEXT PRIMARY KEY, digest BLOB NOT NULL UNIQUE, user TEXT, top_k INTEGER, max_tokens INTEGER,
    hint TEXT NOT NULL, created_at REAL NOT NULL) STRICT"""


@dataclass(frozen=True, slots=True)
class StoredKey:
    """A key as it is listed. `hint` is its last four characters, to tell keys apart."""

    key: NamedKey
    hint: str
    created_at: float
    """Seconds since 1970."""


class KeyStore:
    """Makes, lists, rotates and revokes keys."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, name: str, user: str | None, *, top_k: int | None = None, max_tokens: int | None = None) -> str:
        """A new key for `user` (None = may act for any). Returns the key itself.

        Raises Conflict when the name is taken, BadRequest for a name, user or limit that cannot be.
        """
        _check(name, user, {"top_k": top_k, "max_tokens": max_tokens})
        key = new_key()
        row = (name, key_digest(key), user, top_k, max_tokens, key[-4:], time.time())

        def insert(connection: Connection) -> int:
            statement = f"INSERT INTO keys ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO NOTHING"  # noqa: S608
            return connection.exec_driver_sql(statement, row).rowcount

        if not await self._database.write(insert):
            message = f"There is a key named {name!r} already. Choose another name, or rotate it."
            raise Conflict(message, param="name")
        return key

    async def all(self) -> list[StoredKey]:
        """Every key, by name."""
        statement = f"SELECT {_COLUMNS} FROM keys ORDER BY name"  # noqa: S608
        rows = await self._database.read(lambda c: c.exec_driver_sql(statement).all())
        return [
            StoredKey(NamedKey(name, bytes(digest), user, top_k, max_tokens), hint, created)
            for name, digest, user, top_k, max_tokens, hint, created in rows
        ]

    async def version(self) -> int:
        """A number that changes with every change of the keys, also by another process."""
        statement = "SELECT count(*), coalesce(sum(created_at), 0) FROM keys"
        return hash(tuple(await self._database.read(lambda c: c.exec_driver_sql(statement).one())))

    async def rotate(self, name: str) -> str:
        """A new key under the same name; the old one is worth nothing from now on. Raises NotFound."""
        key = new_key()
        row = (key_digest(key), key[-4:], time.time(), name)
        statement = "UPDATE keys SET digest = ?, hint = ?, created_at = ? WHERE name = ?"
        await self._change(name, statement, row)
        return key

    async def revoke(self, name: str) -> None:
        """The key is worth nothing from now on. Raises NotFound."""
        await self._change(name, "DELETE FROM keys WHERE name = ?", (name,))

    async def _change(self, name: str, statement: str, row: tuple[object, ...]) -> None:
        if not await self._database.write(lambda c: c.exec_driver_sql(statement, row).rowcount):
            message = (
                f"There is no key named {name!r}. `eluvix keys list` shows those that there are; keys in config.yaml are changed there."
            )
            raise NotFound(message, param="name")


def _check(name: str, user: str | None, limits: dict[str, int | None]) -> None:
    if not _NAME.fullmatch(name):
        message = "A key's name has 1 to 64 letters, digits and . _ - and begins with a letter or digit."
        raise BadRequest(message, code="invalid_name", param="name")
    if user is not None:
        valid_user(user, "user")
    for limit, value in limits.items():
        least, most = _LIMITS[limit]
        if value is not None and not least <= value <= most:
            message = f"`{limit}` must be from {least} to {most}."
            raise BadRequest(message, code="invalid_limit", param=limit)


def new_key() -> str:
    """40 random letters and digits (238 bits) after a prefix by which a leaked key is recognised."""
    return PREFIX + "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))
