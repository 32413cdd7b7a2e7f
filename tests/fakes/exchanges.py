"""Finished turns for tests."""

from datetime import UTC, datetime

from gateway.turn import Exchange


def an_exchange(number=0, user="alice", question=None, answer="noted"):
    """An exchange of its own; the same number and user give the same key."""
    return Exchange(f"key-{user}-{number}", user, question or f"I like thing {number}.", answer, datetime(2026, 1, 1, tzinfo=UTC), "s1")
