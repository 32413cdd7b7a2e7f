"""Everything of one user, in every store of a home folder."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from gateway.app.named_keys import configured_keys
from gateway.cli.backups import backups_in
from gateway.cli.running import let_go_of_everything
from gateway.memories import exported
from providers.sqlite import SqliteProvider

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from gateway.cli.desk import Desk
    from providers.base import MemoryProvider

_PAGE = 200


@dataclass(frozen=True, slots=True)
class Erased:
    """What was erased, and what is left for a person to do."""

    user: str
    memories: int
    turns: int
    keys: int
    keys_left: int
    """Of all users."""
    configured_keys: tuple[str, ...]
    """Keys of this user in config.yaml, which is not changed."""
    backups: tuple[str, ...]
    running_gateway_agreed: bool
    traces: tuple[str, ...]
    """Databases that another program was reading, so that old pages could not be overwritten."""

    def as_json(self) -> dict[str, Any]:
        """For scripts."""
        return asdict(self)


async def records_of(desk: Desk, user: str) -> AsyncIterator[dict[str, Any]]:
    """Memories, turns that wait, and keys without their values, each with its `kind`."""
    async with _every_provider(desk) as providers:
        for provider in providers:
            async for memory in _memories(provider, user):
                yield {"kind": "memory"} | memory
    for turn in await desk.outbox.export(user):
        yield {"kind": "waiting_turn"} | turn
    for stored in await desk.keys.all():
        if stored.key.user == user:
            yield {"kind": "key", "name": stored.key.name, "ends": stored.hint}


async def erase_user(desk: Desk, user: str) -> Erased:
    """Takes everything away, and returns when a running gateway has let go of it too. Raises ProviderError: then run it again."""
    turns = await desk.outbox.erase(user)  # first: what waits would become memories again
    memories = 0
    async with _every_provider(desk) as providers:
        for provider in providers:
            memories += await provider.clear(user)
    mine = [stored.key.name for stored in await desk.keys.all() if stored.key.user == user]
    for name in mine:
        await desk.keys.revoke(name)
    configured = configured_keys(desk.loaded.settings)
    agreed = await let_go_of_everything(desk.loaded.home, desk.state, user)
    return Erased(
        user=user,
        memories=memories,
        turns=turns,
        keys=len(mine),
        keys_left=len(await desk.keys.all()) + len(configured),
        configured_keys=tuple(key.name for key in configured if key.user == user),
        backups=tuple(str(path) for path in backups_in(desk.loaded)),
        running_gateway_agreed=agreed,
        traces=await _overwrite(desk),
    )


async def _overwrite(desk: Desk) -> tuple[str, ...]:
    """Leaves nothing of what was deleted on unused pages. Returns the names of databases where that was not possible."""
    traces = [] if await desk.state.empty_log() else [desk.state.path.name]
    async with _every_provider(desk) as providers:
        embedded = [provider for provider in providers if isinstance(provider, SqliteProvider)]
        traces += [provider.database.path.name for provider in embedded if not await provider.scrub()]
    return tuple(traces)


@asynccontextmanager
async def _every_provider(desk: Desk) -> AsyncIterator[list[MemoryProvider]]:
    """The provider in use, and a memory.db that was used before another provider was chosen."""
    file = desk.loaded.settings.memory.sqlite.path or desk.loaded.home / "memory.db"
    if isinstance(desk.provider, SqliteProvider) or not file.is_file():
        yield [desk.provider]
        return
    earlier = SqliteProvider(file)
    await earlier.open()
    try:
        yield [desk.provider, earlier]
    finally:
        await earlier.close()


async def _memories(provider: MemoryProvider, user: str) -> AsyncIterator[dict[str, Any]]:
    cursor: str | None = None
    while True:
        page = await provider.list(user, _PAGE, cursor)
        for memory in page.memories:
            yield {"id": memory.id, "provider": provider.name} | exported(memory) | {"l0": memory.l0, "l1": memory.l1}
        cursor = page.cursor
        if cursor is None:
            return
