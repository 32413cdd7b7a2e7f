"""What a memory provider is: a place where the memories of users live, one user's never visible to another."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

Sensitivity = Literal["none", "medium", "high"]
"""none: may leave as it is. medium: leaves masked. high: does not leave."""


class ProviderError(Exception):
    """The provider could not do what was asked. The message names the provider and the next step, never a memory's text."""


class ProviderUnavailable(ProviderError):
    """It could not be reached, or failed; the same call may succeed later."""


class ProviderUnclear(ProviderUnavailable):
    """A write was sent and no answer came: it may have been done. Repeating it could do it twice."""


class ProviderRefused(ProviderError):
    """It understood and refused (bad input, wrong key, unsupported call): trying again is of no use."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the egress guard thinks of a text, computed when it was written. Stale when `policy` is not the guard's current version."""

    sensitivity: Sensitivity
    masked: str
    """The text as it may leave; equal to the text for `none`, "" for `high`."""
    policy: str
    entities: tuple[str, ...] = ()
    """The kinds of things found, sorted, without duplicates (`EMAIL_ADDRESS`, ...)."""


_NO_METADATA: Mapping[str, Any] = MappingProxyType({})


class Memory(NamedTuple):
    """A stored memory. `text` is its level L2; `l0` is 10-30 tokens, `l1` 50-150 (None where the text itself is no longer than that).

    A tuple, since each request makes dozens of them: a frozen dataclass takes six times as long to make.
    """

    id: str
    user: str
    text: str
    category: str
    created_at: datetime
    """Aware, UTC."""
    updated_at: datetime
    metadata: Mapping[str, Any] = _NO_METADATA
    l0: str | None = None
    l1: str | None = None
    session: str | None = None
    score: float = 0.0
    """How relevant it is to the query of a search, 0..1 (higher is better); 0 outside searches."""
    verdict: Verdict | None = None
    """None where the provider cannot keep one."""


@dataclass(frozen=True, slots=True)
class NewMemory:
    """A memory to be stored. Adding the same `text` twice for a user keeps one (white space at the ends and case do not count)."""

    text: str
    category: str = "general"
    metadata: Mapping[str, Any] = field(default_factory=dict)
    created_at: datetime | None = None
    """None = now."""
    l0: str | None = None
    l1: str | None = None
    session: str | None = None
    verdict: Verdict | None = None


@dataclass(frozen=True, slots=True)
class MemoryPatch:
    """Changes to a memory; None leaves a field as it is. A new `text` comes with its own levels and verdict."""

    text: str | None = None
    category: str | None = None
    metadata: Mapping[str, Any] | None = None
    l0: str | None = None
    l1: str | None = None
    verdict: Verdict | None = None


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """A finished turn for providers that draw the facts out of it themselves (`digests_turns`)."""

    key: str
    """The same turn has the same key: storing it again must be recognised where the provider can."""
    question: str
    answer: str
    created_at: datetime
    session: str | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a listing, newest first. `cursor` asks for the next page, None = this was the last."""

    memories: tuple[Memory, ...]
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class Health:
    """How the provider is. `detail` names version, dialect, counts or the last error, never a memory."""

    ok: bool
    detail: str


@runtime_checkable
class KeepsVerdicts(Protocol):
    """A provider that stores verdicts beside its memories, and can tell which are out of date."""

    async def stale(self, policy: str, limit: int) -> Sequence[Memory]:
        """At most `limit` memories, of any user, whose verdict is missing or not of this policy. Empty = all are up to date."""
        ...

    async def stamp(self, judged: Sequence[tuple[Memory, Verdict]]) -> None:
        """Stores verdicts. One whose memory is gone, or has another text by now, is left out."""
        ...


class MemoryProvider(Protocol):
    """Where memories live. Every call names one user and touches only that user's memories.

    User names are 1-128 of ASCII letters, digits and `._@:+-`, checked by the caller; `Alice` and `alice` are two users.
    Every method raises ProviderUnavailable or ProviderRefused, and nothing else, when it fails.
    """

    name: ClassVar[str]
    digests_turns: ClassVar[bool]
    """True: `commit` is given whole turns and the provider extracts facts. False: the caller extracts and calls `add`."""
    local: bool
    """Whether what is written here stays on this machine or network (egress: a provider that is not local gets masked text)."""

    async def open(self) -> None:
        """Connects, creates and migrates what is needed. Called once before anything else."""
        ...

    async def close(self) -> None:
        """Finishes what was begun and lets go of files and connections."""
        ...

    async def search(self, user: str, query: str, limit: int) -> list[Memory]:
        """At most `limit` memories relevant to `query`, best first; [] when nothing fits or the user is unknown."""
        ...

    async def add(self, user: str, memories: Sequence[NewMemory]) -> list[Memory]:
        """Stores all of them or none. Returns the stored memories in the given order; for a text already known, the one there."""
        ...

    async def commit(self, user: str, turn: TurnRecord) -> list[Memory]:
        """Stores a finished turn (only where `digests_turns`). May return [] when the server works later."""
        ...

    async def get(self, user: str, memory_id: str) -> Memory | None:
        """That memory, or None when this user has none of that id."""
        ...

    async def users(self) -> list[str]:
        """Every user with at least one memory, sorted; [] where the provider cannot tell."""
        ...

    async def list(self, user: str, limit: int, cursor: str | None = None) -> Page:
        """The user's memories, newest first."""
        ...

    async def update(self, user: str, memory_id: str, patch: MemoryPatch) -> Memory | None:
        """Changes one memory; None when this user has none of that id."""
        ...

    async def delete(self, user: str, memory_id: str) -> bool:
        """Forgets one memory; False when this user has none of that id."""
        ...

    async def clear(self, user: str) -> int:
        """Forgets all memories of the user; how many there were."""
        ...

    async def health(self) -> Health:
        """Asks whether it works now. Never raises."""
        ...
