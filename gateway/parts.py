"""The running parts of one gateway, as the API is given them. A reload makes a new set; requests under way keep theirs."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gateway.commit.drain import Drain
    from gateway.commit.outbox import Outbox
    from gateway.identity import Admin, Identity
    from gateway.memories import Memories
    from gateway.pipeline import Pipeline
    from gateway.routing.catalog import Catalog
    from gateway.telemetry import Metrics
    from gateway.turn import MemoryMode
    from gateway.upstreams.base import Upstream
    from providers.base import MemoryProvider


@dataclass(frozen=True, slots=True)
class Parts:
    """One consistent set of parts, made from one configuration."""

    identity: Identity
    admin: Admin
    pipeline: Pipeline
    catalog: Catalog
    upstreams: tuple[Upstream, ...]
    provider: MemoryProvider
    memories: Memories
    outbox: Outbox
    drain: Drain
    metrics: Metrics
    memory: MemoryMode
    """What the configuration allows of recall and commit."""

    async def close(self) -> None:
        """Lets go of what belongs to this configuration alone: the upstreams. Requests under way end as they would."""
        await self.catalog.close()
        await asyncio.gather(*(upstream.close() for upstream in self.upstreams))
