"""The embedded memory engine on SQLite."""

from providers.sqlite.provider import SqliteProvider

__all__ = ["SqliteProvider"]
