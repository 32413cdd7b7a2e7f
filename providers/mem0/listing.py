"""Pages out of a list that the server gives whole and in no order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from providers.base import Page, ProviderRefused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from providers.base import Memory


def page_of(memories: Sequence[Memory], limit: int, cursor: str | None) -> Page:
    """Newest first, from behind the memory that the cursor names. Raises ProviderRefused for a cursor that is none of ours."""
    ordered = sorted(memories, key=_place, reverse=True)
    if cursor is not None:
        behind = _position(cursor)
        ordered = [memory for memory in ordered if _place(memory) < behind]
    size = max(1, limit)
    return Page(tuple(ordered[:size]), _cursor(ordered[size - 1]) if len(ordered) > size else None)


def _place(memory: Memory) -> tuple[float, str]:
    return memory.created_at.timestamp(), memory.id


def _cursor(memory: Memory) -> str:
    return f"{memory.created_at.timestamp()!r}_{memory.id}"


def _position(cursor: str) -> tuple[float, str]:
    created, separator, memory_id = cursor.partition("_")
    try:
        position = float(created), memory_id
    except ValueError:
        separator = ""
    if not separator:
        message = "mem0: this is no cursor of a listing; start again without one"
        raise ProviderRefused(message)
    return position
