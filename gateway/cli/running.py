"""The gateway that may be running on the same home folder: only one does, and it is told what was taken from a user."""

from __future__ import annotations

import asyncio
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from gateway.errors import ConfigError
from gateway.storage.purges import Purges

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from providers.database import Database

LOCK_NAME = ".gateway.lock"
_PATIENCE_S = 1.0
"""Another command may look whether a gateway runs, and holds the lock for a moment."""
_ANSWER_S = 15.0
_LOOK_EVERY_S = 0.05


@contextmanager
def home_held(home: Path, what_next: str) -> Iterator[None]:
    """No gateway starts on this home folder meanwhile. Raises ConfigError, which ends in `what_next`, when one runs.

    The system lets go of the lock when this process ends, however it ends.
    """
    lock = FileLock(home / LOCK_NAME)
    try:
        lock.acquire(timeout=_PATIENCE_S)
    except Timeout:
        message = f"A gateway is running on the home folder {home}. {what_next}"
        raise ConfigError(message) from None
    try:
        yield
    finally:
        lock.release()


def gateway_runs(home: Path) -> bool:
    """Whether a gateway runs on this home folder."""
    lock = FileLock(home / LOCK_NAME)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return True
    lock.release()
    return False


async def let_go(home: Path, state: Database, user: str) -> None:
    """Asks a running gateway to forget the answers that it keeps for a user; it does so within a second or two."""
    if gateway_runs(home):
        await Purges(state).ask(user)


async def let_go_of_everything(home: Path, state: Database, user: str, answer_s: float = _ANSWER_S) -> bool:
    """The same for all that it holds of a user; returns when it is done. False when a gateway runs and does not answer."""
    if not gateway_runs(home):
        return True
    purges = Purges(state)
    purge_id = await purges.ask(user, everything=True)
    if await _carried_out(purges, purge_id, answer_s):
        return True
    if gateway_runs(home):
        return False
    await purges.done(purge_id)  # it has ended meanwhile, and holds nothing any more
    return True


async def _carried_out(purges: Purges, purge_id: int, answer_s: float) -> bool:
    deadline = time.monotonic() + answer_s
    while time.monotonic() < deadline:
        if not await purges.waits(purge_id):
            return True
        await asyncio.sleep(_LOOK_EVERY_S)
    return False
