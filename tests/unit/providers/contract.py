"""What every memory provider must do, as plain async functions that take an opened provider and its subject.

`Subject` says how to make and reopen a provider, and what it cannot do. A new provider is one more Subject in test_contract.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from providers.base import Memory, MemoryProvider


@dataclass(frozen=True)
class Subject:
    """A provider under test. `make` gives one over the store in a folder; called again, one over the same store."""

    name: str
    make: Callable[[Path], MemoryProvider]
    recognises_repeats: bool = True
    """Adding a text twice keeps one."""
    lists_users: bool = True
    keeps_nul: bool = True
    """NUL is stored as it is (else it becomes white space)."""


async def everything(provider: MemoryProvider, user: str) -> list[Memory]:
    """All memories of a user, through pages of three."""
    found: list[Memory] = []
    cursor: str | None = None
    while True:
        page = await provider.list(user, 3, cursor)
        assert len(page.memories) <= 3
        found += page.memories
        cursor = page.cursor
        if cursor is None:
            return found


def texts(memories: list[Memory]) -> list[str]:
    """Their texts, sorted."""
    return sorted(memory.text for memory in memories)
