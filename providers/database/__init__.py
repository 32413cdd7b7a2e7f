"""A SQLite file of ours: opened, migrated, backed up, and used by one writer and one reader connection."""

from providers.database.database import Database
from providers.database.errors import DatabaseError, DatabaseRefused, DatabaseUnavailable
from providers.database.migration import Migration

__all__ = ["Database", "DatabaseError", "DatabaseRefused", "DatabaseUnavailable", "Migration"]
