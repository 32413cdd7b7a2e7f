"""The table of the durable outbox, in state.db."""

from __future__ import annotations

OUTBOX_TABLE = (
    """CREATE TABLE outbox (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, user TEXT NOT NULL, payload BLOB,
    state TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, sending INTEGER NOT NULL DEFAULT 0,
    next_at REAL NOT NULL, created_at REAL NOT NULL, done_at REAL, error TEXT) STRICT""",
    "CREATE INDEX outbox_due ON outbox (next_at) WHERE state = 'pending'",
    "CREATE INDEX outbox_dead ON outbox (id) WHERE state = 'dead'",
    "CREATE INDEX outbox_user ON outbox (user)",
    "CREATE INDEX outbox_done ON outbox (done_at) WHERE state = 'done'",
)
"""`state`: pending, done or dead. A done row keeps its key, so that the same turn is not stored again, and no text. `sending` is 1
while a turn is on its way to a store that cannot recognise what it has already."""
