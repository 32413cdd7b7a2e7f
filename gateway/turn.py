"""The three frozen values that travel through a request: Turn (as received) -> Prepared (memories inside) -> Outbound (guarded).

A `Prepared` must not leave the machine. `Outbound` is abstract: its only implementation lives in `gateway.egress.guard`, so that
whatever reaches an upstream has been through the guard.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from providers.base import Memory

Endpoint = Literal["/chat/completions", "/completions", "/embeddings"]
"""Path below an upstream's base URL."""

Placement = Literal["system_head", "last_user"]


@dataclass(frozen=True, slots=True)
class Principal:
    """Who is asking, and what their key allows. `user` is None where nobody was named: then nothing is recalled or committed."""

    user: str | None
    key_name: str | None = None
    top_k: int | None = None
    max_tokens: int | None = None
    """Limits of the key for recall, None = as configured."""


@dataclass(frozen=True, slots=True)
class MemoryMode:
    """What this request does with memory. `reason` is why recall is off (`no-user`, `asked`, `disabled`), else None."""

    recall: bool
    commit: bool
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One request as it was received. `body` is the parsed JSON of `raw` with its unknown fields and key order: never changed in place."""

    request_id: str
    endpoint: Endpoint
    principal: Principal
    memory: MemoryMode
    body: Mapping[str, Any]
    raw: bytes
    received: float
    """`time.perf_counter()` when the last byte of it had come."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """The client's headers that may go on to an upstream, lower-case names."""
    session: str | None = None
    no_cache: bool = False
    """The client sent `cache-control: no-cache` or `no-store`, or `x-eluvix-cache: off`."""
    cache_asked: bool = False
    """The client sent `x-eluvix-cache: on`."""

    @property
    def user(self) -> str | None:
        """The user whose memories may be used, or None."""
        return self.principal.user

    @property
    def model(self) -> str:
        """The model as the client named it."""
        return str(self.body["model"])

    @property
    def stream(self) -> bool:
        """Whether the client asked for an event stream."""
        return self.body.get("stream") is True


@dataclass(frozen=True, slots=True)
class Block:
    """A `<recalled_context>` element. `text` is "" when there is nothing to say; `tokens` counts all of it in o200k_base, tags included."""

    text: str
    tokens: int
    memories: tuple[Memory, ...]
    """The memories inside, in the order in which they stand there."""


EMPTY_BLOCK = Block("", 0, ())

RecallStatus = Literal["hit", "miss", "off", "error"]


@dataclass(frozen=True, slots=True)
class Recalled:
    """What recall found: the block as a local model sees it, and what to say in `x-eluvix-memory`."""

    status: RecallStatus
    detail: str | None = None
    """For `off` and `error`: why (`no-user`, `asked`, `timeout`, `provider`, ...)."""
    block: Block = EMPTY_BLOCK
    limit: int = 0
    """The token limit that the block was written for; a guarded block keeps to it too."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A turn with everything that the gateway adds to it, unguarded. It never leaves the machine: only the guard takes it."""

    turn: Turn
    recalled: Recalled
    placement: Placement = "system_head"


@dataclass(frozen=True, slots=True)
class Injected:
    """What was really sent of the block to one upstream, for the response headers."""

    block: Block = EMPTY_BLOCK
    filtered: int = 0
    """Memories masked or removed by the guard."""
    stripped: bool = False


class Outbound(ABC):
    """A request that may leave, guarded for one named upstream. Only `gateway.egress.guard` makes one."""

    __slots__ = ()

    upstream: str
    url: str
    """The upstream's base URL: a configuration may give the name to another server."""
    endpoint: Endpoint
    body: bytes
    model: str
    """The model name as the upstream knows it."""
    stream: bool
    headers: Mapping[str, str]
    injected: Injected

    @abstractmethod
    def _sealed_by_the_guard(self) -> None:
        """Keeps this class abstract."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A finished turn, as it is committed: the user's question and the answer, with our own blocks taken out."""

    key: str
    """Hash of (conversation prefix, user, question, answer): the same turn is committed once."""
    user: str
    question: str
    answer: str
    created_at: datetime
    session: str | None = None
