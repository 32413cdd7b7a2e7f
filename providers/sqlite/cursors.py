"""Cursors of listings: the place of the last memory shown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from providers.base import ProviderRefused

if TYPE_CHECKING:
    from providers.sqlite.records import Record

_CURSOR = re.compile(r"(-?[0-9]{1,18})_([0-9]{1,18})")


def cursor_after(record: Record) -> str:
    """The cursor that asks for what comes after this record."""
    return f"{record.created}_{record.seq}"


def position_of(cursor: str) -> tuple[int, int]:
    """The place that a cursor names: (created, seq). Raises ProviderRefused."""
    found = _CURSOR.fullmatch(cursor)
    if found is None:
        message = "sqlite: this is no cursor of a listing; start again without one"
        raise ProviderRefused(message)
    return int(found[1]), int(found[2])
