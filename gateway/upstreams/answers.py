"""Answers that are in memory already: of the built-in models, and of whoever replays one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence


@dataclass(slots=True)
class BufferedAnswer:
    """An `Answer` whose body is here. `parts` come out of `pieces` one by one, as they are; header names are lower-case."""

    status: int
    headers: Sequence[tuple[bytes, bytes]]
    parts: Sequence[bytes]

    async def read(self) -> bytes:
        """The whole body."""
        return self.parts[0] if len(self.parts) == 1 else b"".join(self.parts)

    async def pieces(self) -> AsyncIterator[bytes]:
        """The parts in their order."""
        for part in self.parts:
            yield part

    def close(self) -> None:
        """Nothing to give back."""
