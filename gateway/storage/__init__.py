"""The gateway's own database, `state.db`: the outbox, the named keys, and what a running gateway is asked to let go of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.storage.keys import KEYS_TABLE
from gateway.storage.outbox import OUTBOX_TABLE
from gateway.storage.purges import PURGES_TABLE
from providers.database import Database, Migration

if TYPE_CHECKING:
    from pathlib import Path

STATE_NAME = "state.db"
MIGRATIONS = (
    Migration(1, "outbox and keys", (*OUTBOX_TABLE, KEYS_TABLE)),
    Migration(2, "purges", (PURGES_TABLE,)),
)


def state_database(home: Path) -> Database:
    """The database, not yet opened."""
    return Database(home / STATE_NAME, MIGRATIONS)
