"""What the cache keeps, and what a store must do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Entry:
    """A complete answer, ready to be sent again. `body` is encoded as the `content-encoding` among its headers says."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    """Lower-case names; only those that describe the body."""
    body: bytes
    stream: bool
    """Whether the body is an event stream."""


@dataclass(frozen=True, slots=True)
class StoreConfig:
    """What every store is made with: how long entries live (seconds) and how much room they have (MiB)."""

    ttl_s: float = 3600
    max_mib: float = 64


class CacheStore(Protocol):
    """Where entries live. Keys are opaque; each entry has an owner whose entries can be purged together.

    Every method may raise StorageError and nothing else. An entry that does not fit is not kept, silently.
    """

    async def get(self, key: str) -> Entry | None:
        """The entry, or None when there is none or it has expired."""
        ...

    async def put(self, key: str, owner: str, entry: Entry) -> None:
        """Keeps an entry, in the place of any older one under this key."""
        ...

    async def purge(self, owner: str) -> int:
        """Removes every entry of this owner. Returns how many had not expired."""
        ...

    async def close(self) -> None:
        """Gives back what the store holds open."""
        ...
