"""Memories as the command line shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gateway.cli.screen import say, show_json, show_table
from gateway.memories import exported

if TYPE_CHECKING:
    from collections.abc import Sequence

    from providers.base import Memory


def show_memories(memories: Sequence[Memory], *, as_json: bool) -> None:
    """A table, or JSON."""
    if as_json:
        show_json([as_json_value(one) for one in memories])
    elif memories:
        rows = [(one.id, f"{one.created_at:%Y-%m-%d}", one.category, one.text) for one in memories]
        show_table(("id", "when", "category", "text"), rows)
    else:
        say("Nothing.")


def as_json_value(found: Memory) -> dict[str, Any]:
    """The field names of the memory API."""
    return {"id": found.id, "userId": found.user} | exported(found) | ({"score": found.score} if found.score else {})


def details(found: Memory) -> dict[str, Any]:
    """All that is known of one memory."""
    verdict = found.verdict
    return as_json_value(found) | {
        "l0": found.l0,
        "l1": found.l1,
        "sensitivity": verdict.sensitivity if verdict else None,
        "masked": verdict.masked if verdict else None,
        "entities": list(verdict.entities) if verdict else [],
    }
