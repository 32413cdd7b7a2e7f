"""What an upstream (a model server) is to the rest of the gateway."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    from gateway.turn import Outbound

CloudMode = Literal["filter", "strip"]


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds. `first_byte` and `between` are long because local models load and think slowly."""

    connect: float = 5.0
    first_byte: float = 300.0
    between: float = 120.0
    total: float = 1800.0


@dataclass(frozen=True, slots=True)
class UpstreamConfig:
    """One configured model server. `url` is its base (`http://127.0.0.1:11434/v1`); `local` is declared, and checked at connect time."""

    name: str
    kind: str
    url: str
    local: bool = False
    api_key: str | None = field(default=None, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    cloud_mode: CloudMode | None = None
    """None = as configured under `egress`."""
    cloud_models: tuple[str, ...] = ()
    """Globs of models that a local server runs in its vendor's cloud: these count as cloud."""
    timeouts: Timeouts = Timeouts()
    proxy: str | None = field(default=None, repr=False)
    ca_file: str | None = None
    max_connections: int = 256


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """One model of an upstream, as `/v1/models` lists it. `raw` is the upstream's own object."""

    id: str
    raw: Mapping[str, object] = field(default_factory=dict)


class Answer(Protocol):
    """An answer whose head has arrived. Either read it whole or take its pieces; then close it. Closing early cancels the upstream."""

    status: int
    headers: Sequence[tuple[bytes, bytes]]
    """Lower-case names, as they came: hop-by-hop headers included."""

    async def read(self) -> bytes:
        """The whole body (as encoded on the wire). Raises UpstreamBroken when it is cut short."""
        ...

    def pieces(self) -> AsyncIterator[bytes]:
        """The body as it comes, without holding anything back. Raises UpstreamBroken when it is cut short."""
        ...

    def close(self) -> None:
        """Gives the connection back when the body is complete, else aborts it. May be called twice."""
        ...


class Upstream(Protocol):
    """A model server. `send` raises UpstreamUnavailable before an answer's head, UpstreamBroken after it."""

    config: UpstreamConfig

    async def send(self, outbound: Outbound) -> Answer:
        """Sends a guarded request and returns when the head of the answer is here."""
        ...

    async def models(self) -> list[ModelInfo]:
        """The models it offers now. Raises UpstreamError."""
        ...

    async def close(self) -> None:
        """Closes idle connections."""
        ...
