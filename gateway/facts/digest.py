"""The worker's tasks: facts of finished turns, levels of texts. They take and return what JSON can carry and raise for no text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gateway.facts.abstract import levels_of
from gateway.facts.extract import facts

if TYPE_CHECKING:
    from gateway.facts.extract import Fact


def digest(payload: dict[str, Any]) -> dict[str, Any]:
    """`{"turns": [{"question", "answer"}, ...]}` to `{"turns": [[{"text", "category", "l0", "l1"}, ...], ...]}`, a list for each turn.

    Only the question counts: what an assistant says is not what the user told.
    """
    return {"turns": [[_memory(fact) for fact in facts(turn["question"])] for turn in payload["turns"]]}


def levels(payload: dict[str, Any]) -> dict[str, Any]:
    """`{"texts": [...]}` to `{"levels": [[l0, l1], ...]}`; None for a level that the text itself is no longer than."""
    return {"levels": [list(levels_of(text)) for text in payload["texts"]]}


def _memory(fact: Fact) -> dict[str, Any]:
    l0, l1 = levels_of(fact.text)
    return {"text": fact.text, "category": fact.category, "l0": l0, "l1": l1}
