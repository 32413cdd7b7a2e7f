"""The gateway's own database, opened for commands that need nothing else."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeVar

from gateway.cli.common import load_settings
from gateway.storage import state_database

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine
    from pathlib import Path

    from gateway.settings import Loaded
    from providers.database import Database

T = TypeVar("T")


def run(work: Coroutine[object, object, T]) -> T:
    """Runs a command's work on an event loop."""
    return asyncio.run(work)


@asynccontextmanager
async def opened_state(config: Path | None) -> AsyncIterator[tuple[Loaded, Database]]:
    """The configuration and the database. Raises ConfigError or ProviderError."""
    loaded = load_settings(config)
    state = state_database(loaded.home)
    await state.open()
    try:
        yield loaded, state
    finally:
        await state.close()
