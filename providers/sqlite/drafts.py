"""Getting memories and changes ready to be written: checked, analysed, in the columns' terms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from providers.base import NewMemory
from providers.sqlite.records import check, check_texts, check_verdict, encode_metadata, fingerprint, microseconds, verdict_values
from providers.sqlite.store import Draft

if TYPE_CHECKING:
    from datetime import datetime

    from providers.base import MemoryPatch
    from providers.sqlite.terms import Analyzer


def draft_of(memory: NewMemory, analyzer: Analyzer, now: datetime) -> Draft:
    """A memory ready for its row. Raises ProviderRefused."""
    check(memory)
    return Draft(
        hash=fingerprint(memory.text),
        text=memory.text,
        category=memory.category,
        metadata=encode_metadata(memory.metadata),
        created=microseconds(memory.created_at or now),
        l0=memory.l0,
        l1=memory.l1,
        session=memory.session,
        verdict=memory.verdict,
        terms=analyzer.terms(memory.text),
    )


def changes_of(patch: MemoryPatch, now: datetime) -> dict[str, object]:
    """Columns and their new values. Raises ProviderRefused."""
    check_texts((patch.category, patch.l0, patch.l1))
    check_verdict(patch.verdict)
    changes: dict[str, object] = {"updated": microseconds(now)}
    if patch.text is not None:
        check(NewMemory(patch.text))
        changes |= {"text": patch.text, "hash": fingerprint(patch.text), "l0": None, "l1": None} | _verdict(None)
    if patch.category is not None:
        changes["category"] = patch.category
    if patch.metadata is not None:
        changes["metadata"] = encode_metadata(patch.metadata)
        check_texts((str(changes["metadata"]),))
    changes |= {name: value for name, value in (("l0", patch.l0), ("l1", patch.l1)) if value is not None}
    return changes | (_verdict(patch.verdict) if patch.verdict is not None else {})


_VERDICT_COLUMNS = ("sensitivity", "masked", "policy", "entities")


def _verdict(verdict: object) -> dict[str, object]:
    return dict(zip(_VERDICT_COLUMNS, verdict_values(verdict), strict=True))  # type: ignore[arg-type]
