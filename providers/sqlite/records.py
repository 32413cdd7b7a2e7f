"""A stored row, and how it becomes a Memory."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from providers.base import Memory, ProviderRefused, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from providers.base import NewMemory, Sensitivity

MAX_TEXT_BYTES = 4 * 1024 * 1024
_SCORE = Memory._fields.index("score")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class Record(NamedTuple):
    """One row of `memories`, in the order of COLUMNS. Times are microseconds since 1970, UTC."""

    seq: int
    id: str
    user_id: int
    text: str
    category: str
    metadata: str
    created: int
    updated: int
    l0: str | None
    l1: str | None
    session: str | None
    sensitivity: str | None
    masked: str | None
    policy: str | None
    entities: str | None
    terms: str
    """Space-separated, each with the user's number before it: `17_tailwind`."""


COLUMNS = "seq, id, user_id, text, category, metadata, created, updated, l0, l1, session, sensitivity, masked, policy, entities, terms"


def scored(memory: Memory, score: float) -> Memory:
    """The same memory with a score of its own: a third of what `_replace` takes."""
    return Memory._make((*memory[:_SCORE], score, *memory[_SCORE + 1 :]))


def to_memory(record: Record, user: str, score: float = 0.0) -> Memory:
    """The Memory that a row holds."""
    return Memory(
        record.id,
        user,
        record.text,
        record.category,
        moment(record.created),
        moment(record.updated),
        json.loads(record.metadata) if record.metadata != "{}" else {},
        record.l0,
        record.l1,
        record.session,
        score,
        _verdict(record.sensitivity, record.masked, record.policy, record.entities),
    )


@lru_cache(65_536)
def moment(microseconds: int) -> datetime:
    """The time of a stored number."""
    return _EPOCH + timedelta(microseconds=microseconds)


def microseconds(time: datetime) -> int:
    """The number under which a time is stored. Raises ProviderRefused for a time without a zone."""
    if time.tzinfo is None:
        message = "sqlite: a memory's time needs a time zone"
        raise ProviderRefused(message)
    try:
        time = time.astimezone(UTC)
    except OverflowError:
        message = "sqlite: a memory's time is before the year 1 or after 9999 in UTC"
        raise ProviderRefused(message) from None
    return (time - _EPOCH) // _MICROSECOND


def fingerprint(text: str) -> bytes:
    """The same for texts that differ only in case, white space or Unicode form."""
    folded = " ".join(unicodedata.normalize("NFC", text).casefold().split())
    return hashlib.blake2b(folded.encode(), digest_size=16).digest()


def verdict_values(verdict: Verdict | None) -> tuple[str | None, str | None, str | None, str | None]:
    """Sensitivity, masked text, policy and entities as they are stored."""
    if verdict is None:
        return None, None, None, None
    return verdict.sensitivity, verdict.masked, verdict.policy, ",".join(verdict.entities)


def encode_metadata(metadata: Mapping[str, Any]) -> str:
    """JSON. Raises ProviderRefused for what JSON cannot say."""
    try:
        return json.dumps(dict(metadata), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError):
        message = "sqlite: a memory's metadata must be plain JSON"
        raise ProviderRefused(message) from None


def check(memory: NewMemory) -> None:
    """Raises ProviderRefused for what cannot be stored and read back unchanged."""
    check_texts((memory.text, memory.category, memory.l0, memory.l1, memory.session, encode_metadata(memory.metadata)))
    check_verdict(memory.verdict)
    if not memory.text.strip():
        message = "sqlite: a memory needs a text"
        raise ProviderRefused(message)


def check_verdict(verdict: Verdict | None) -> None:
    """The same for a verdict."""
    if verdict is not None:
        check_texts((verdict.masked, verdict.policy, *verdict.entities))


def check_texts(texts: Sequence[str | None]) -> None:
    """Raises ProviderRefused for a text that is not Unicode, or too long."""
    for text in texts:
        try:
            size = len(text.encode()) if text else 0
        except UnicodeEncodeError:
            message = "sqlite: a memory's text holds half of a character (a lone surrogate); send valid Unicode"
            raise ProviderRefused(message) from None
        if size > MAX_TEXT_BYTES:
            message = f"sqlite: a memory's text is longer than {MAX_TEXT_BYTES} bytes; split it"
            raise ProviderRefused(message)


@lru_cache(16_384)
def _verdict(sensitivity: str | None, masked: str | None, policy: str | None, entities: str | None) -> Verdict | None:
    if policy is None or sensitivity is None:
        return None
    return Verdict(cast("Sensitivity", sensitivity), masked or "", policy, tuple(entities.split(",")) if entities else ())
