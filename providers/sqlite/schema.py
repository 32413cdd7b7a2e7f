"""The tables of memory.db."""

from __future__ import annotations

from providers.database import Migration

_USERS = """CREATE TABLE users (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE
) STRICT"""

_MEMORIES = """CREATE TABLE memories (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    user_id INTEGER NOT NULL REFERENCES users(id),
    hash BLOB NOT NULL,
    text TEXT NOT NULL,
    category TEXT NOT NULL,
    metadata TEXT NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    l0 TEXT,
    l1 TEXT,
    session TEXT,
    sensitivity TEXT,
    masked TEXT,
    policy TEXT,
    entities TEXT,
    terms TEXT NOT NULL,
    UNIQUE (user_id, hash)
) STRICT"""

# Every term carries its user's number, so that a match reads no posting of another user.
_SEARCH = """CREATE VIRTUAL TABLE memories_terms USING fts5(
    terms, content = 'memories', content_rowid = 'seq', tokenize = "ascii tokenchars '_'", columnsize = 1
)"""

_IN = "INSERT INTO memories_terms(rowid, terms) VALUES (new.seq, new.terms);"
_OUT = "INSERT INTO memories_terms(memories_terms, rowid, terms) VALUES ('delete', old.seq, old.terms);"

MIGRATIONS = (
    Migration(
        1,
        "memories",
        (
            _USERS,
            _MEMORIES,
            "CREATE INDEX memories_by_time ON memories (user_id, created)",
            "CREATE INDEX memories_policy ON memories (policy)",
            _SEARCH,
            f"CREATE TRIGGER memories_in AFTER INSERT ON memories BEGIN {_IN} END",
            f"CREATE TRIGGER memories_out AFTER DELETE ON memories BEGIN {_OUT} END",
            f"CREATE TRIGGER memories_changed AFTER UPDATE OF terms ON memories BEGIN {_OUT} {_IN} END",
        ),
    ),
)
