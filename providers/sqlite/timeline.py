"""The order in which a user's memories came about, and which of them belong to one conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from providers.sqlite.records import Record

_PAUSE = 30 * 60 * 1_000_000  # microseconds: a longer silence ends a conversation where no session is known


class Timeline:
    """For each memory number: the one before and after it in the same conversation (-1 = none), and the conversation's number."""

    def __init__(self) -> None:
        self.before: list[int] = []
        self.after: list[int] = []
        self.conversation: list[int] = []
        self._last: tuple[int, Record] | None = None
        self._conversations = 0
        self._in_order = True

    def put(self, slot: int, record: Record) -> None:
        """Takes the memory with the next number. One that is older than the last makes the order stale until `arrange`."""
        self.before.append(-1)
        self.after.append(-1)
        self.conversation.append(-1)
        if self._last is not None and record.created < self._last[1].created:
            self._in_order = False
        if self._in_order:
            self._link(slot, record)

    def arrange(self, records: Sequence[Record | None]) -> None:
        """Puts everything in order again where that is needed; `records` are by number, None for those that are gone."""
        if self._in_order:
            return
        living = [(record.created, record.seq, slot, record) for slot, record in enumerate(records) if record is not None]
        self._last, self._conversations, self._in_order = None, 0, True
        for _, _, slot, record in sorted(living, key=lambda entry: entry[:2]):
            self._link(slot, record)

    def _link(self, slot: int, record: Record) -> None:
        previous, self._last = self._last, (slot, record)
        self.before[slot] = self.after[slot] = -1
        if previous is not None and _together(previous[1], record):
            self.before[slot], self.after[previous[0]] = previous[0], slot
        else:
            self._conversations += 1
        self.conversation[slot] = self._conversations


def _together(earlier: Record, later: Record) -> bool:
    if earlier.session is not None and later.session is not None:
        return earlier.session == later.session
    return later.created - earlier.created <= _PAUSE
