"""What commands work on without a running gateway: the same databases, the same provider, the same worker."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gateway.app.offload import Offload
from gateway.app.provider import make_provider
from gateway.app.translate import policy_of
from gateway.cli.running import let_go
from gateway.cli.state import opened_state
from gateway.commit.outbox import Outbox
from gateway.memories import Memories
from gateway.storage.keys import KeyStore
from gateway.telemetry.logs import configure_logging
from gateway.worker import Worker

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from gateway.settings import Loaded
    from providers.base import MemoryProvider
    from providers.database import Database


@dataclass(frozen=True, slots=True)
class Desk:
    """Everything of one home folder, opened."""

    loaded: Loaded
    state: Database
    keys: KeyStore
    outbox: Outbox
    provider: MemoryProvider
    memories: Memories


@asynccontextmanager
async def opened(config: Path | None) -> AsyncIterator[Desk]:
    """Everything. A running gateway notices within a second what is changed here. Raises ConfigError or ProviderError."""
    configure_logging("console", "critical")  # problems are told by the commands themselves
    async with AsyncExitStack() as stack:
        loaded, state = await stack.enter_async_context(opened_state(config))
        provider = make_provider(loaded.settings, loaded.home)
        await provider.open()
        stack.push_async_callback(provider.close)
        worker = Worker()
        stack.push_async_callback(worker.close)
        offload = Offload(worker, policy_of(loaded.settings))

        async def forgotten(user: str) -> None:
            await let_go(loaded.home, state, user)

        memories = Memories(provider, offload.classify, offload.levels, forgotten)
        yield Desk(loaded, state, KeyStore(state), Outbox(state), provider, memories)
