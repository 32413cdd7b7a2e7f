"""A Mem0 row as a Memory, and a memory as Mem0 takes it."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from providers.base import Memory, ProviderRefused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from providers.base import NewMemory

SOURCE = "eluvix"
_ID = re.compile(r"[A-Za-z0-9_-]{1,128}")
_OURS = frozenset({"category", "session", "created_at"})
_UNKNOWN_TIME = datetime(1970, 1, 1, tzinfo=UTC)


def memory_of(row: object, user: str) -> Memory | None:
    """The memory in a row; None when it is not a memory of that user, whatever the server meant by it."""
    if not isinstance(row, dict) or row.get("user_id") != user:
        return None
    memory_id, text = row.get("id"), row.get("memory")
    if not isinstance(memory_id, str) or not isinstance(text, str) or not is_id(memory_id):
        return None
    metadata = row.get("metadata") or {}
    if not isinstance(metadata, dict):
        metadata = {}
    created = _time(metadata.get("created_at")) or _time(row.get("created_at")) or _UNKNOWN_TIME
    return Memory(
        id=memory_id,
        user=user,
        text=text,
        category=str(metadata.get("category") or "general"),
        created_at=created,
        updated_at=_time(row.get("updated_at")) or created,
        metadata={key: value for key, value in metadata.items() if key not in _OURS},
        session=_text(metadata.get("session")) or _text(row.get("run_id")),
        score=_score(row.get("score")),
    )


def is_id(memory_id: str) -> bool:
    """Whether it can be an id: anything else could change the path of a request."""
    return _ID.fullmatch(memory_id) is not None


def rows_of(answer: object) -> list[object]:
    """The rows of an answer: `{"results": [...]}`, or a bare array."""
    rows = answer.get("results") if isinstance(answer, dict) else answer
    return rows if isinstance(rows, list) else []


def metadata_of(memory: NewMemory) -> dict[str, Any]:
    """What is kept beside a text: the caller's metadata, and the fields that Mem0 has no place for."""
    found: dict[str, Any] = {**memory.metadata, "source": SOURCE, "category": memory.category}
    if memory.session is not None:
        found["session"] = memory.session
    if memory.created_at is not None:
        found["created_at"] = memory.created_at.isoformat()
    return checked_metadata(found)


def checked_metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The same. Raises ProviderRefused for what JSON cannot say."""
    try:
        json.dumps(dict(metadata), ensure_ascii=False, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError):
        message = "mem0: a memory's metadata must be plain JSON"
        raise ProviderRefused(message) from None
    return dict(metadata)


def checked_text(text: str) -> str:
    """The text as it can be sent: NUL, which not every store takes, is a space. Raises ProviderRefused."""
    try:
        text.encode()
    except UnicodeEncodeError:
        message = "mem0: a memory's text holds half of a character (a lone surrogate); send valid Unicode"
        raise ProviderRefused(message) from None
    if not text.strip("\0 \t\r\n"):
        message = "mem0: a memory needs a text"
        raise ProviderRefused(message)
    return text.replace("\0", " ")


def _time(value: object) -> datetime | None:
    """An ISO time or seconds since 1970; without a zone it is taken as UTC. None for anything else."""
    try:
        if isinstance(value, int | float):
            return datetime.fromtimestamp(value, UTC)
        found = datetime.fromisoformat(value) if isinstance(value, str) else None
    except (ValueError, OverflowError, OSError):
        return None
    return found if found is None or found.tzinfo else found.replace(tzinfo=UTC)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _score(value: object) -> float:
    return min(1.0, max(0.0, float(value))) if isinstance(value, int | float) else 0.0
