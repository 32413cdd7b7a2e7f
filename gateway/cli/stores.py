"""Are the databases sound, and does anything lie about in them? Each is looked at by itself, so that one that is damaged hides nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.app.named_keys import configured_keys
from gateway.cli.backups import databases as databases_of
from gateway.cli.findings import Finding
from gateway.commit.outbox import Outbox
from gateway.settings import is_loopback
from gateway.storage import state_database
from gateway.storage.keys import KeyStore
from providers.base import ProviderError

if TYPE_CHECKING:
    from gateway.settings import Loaded
    from providers.database import Database

_OLD_S = 600


async def databases(loaded: Loaded) -> list[Finding]:
    """Whether SQLite finds each file sound."""
    return [await _database(database) for database in databases_of(loaded).values()]


async def records(loaded: Loaded) -> list[Finding]:
    """What waits in the outbox, and who may come in."""
    state = state_database(loaded.home)
    try:
        await state.open()
        return [await _outbox(Outbox(state)), await _keys(KeyStore(state), loaded)]
    except ProviderError:
        return []  # said of the database already
    finally:
        await state.close()


async def _database(database: Database) -> Finding:
    what = f"database: {database.path.name}"
    try:
        await database.open()
        problems = await database.integrity()
    except ProviderError as error:
        return Finding(what, "error", str(error))
    finally:
        await database.close()
    if problems:
        return Finding(what, "error", f"{len(problems)} problems; stop the gateway, then: eluvix backup restore FILE")
    return Finding(what, "ok", "sound")


async def _outbox(outbox: Outbox) -> Finding:
    counts = await outbox.counts()
    detail = f"{counts.pending} turns wait, {counts.dead} were given up"
    if counts.dead:
        return Finding("outbox", "warning", f"{detail}; `eluvix outbox retry` tries them again")
    if counts.pending and counts.oldest_s > _OLD_S:
        return Finding("outbox", "warning", f"{detail}; the oldest is over ten minutes old: is the gateway running, and the provider well?")
    return Finding("outbox", "ok", detail)


async def _keys(store: KeyStore, loaded: Loaded) -> Finding:
    count = len(await store.all()) + len(configured_keys(loaded.settings))
    if count:
        return Finding("keys", "ok", f"{count} keys")
    if is_loopback(loaded.settings.server.host):
        return Finding("keys", "ok", "none: open to everyone on this machine, and to nobody else")
    return Finding("keys", "error", "none, and the gateway would listen to others; `eluvix keys add NAME` makes one")
