"""The worker's tasks as the async functions that the parts are given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gateway.context.block import visible
from providers.base import NewMemory, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gateway.egress.policy import Policy
    from gateway.turn import Exchange
    from gateway.worker import Worker

CLASSIFY_BUDGET_S = 30.0
"""For one call of at most so many texts; on a busy machine the language model alone takes many seconds to load."""
CLASSIFY_AT_ONCE = 32
DIGEST_BUDGET_S = 20.0


class Offload:
    """Classification, levels and facts, computed in the worker under one policy."""

    def __init__(self, worker: Worker, policy: Policy) -> None:
        self._worker = worker
        self._policy = policy.to_json()

    async def classify(self, texts: Sequence[str]) -> list[Verdict]:
        """A verdict for each text. Raises WorkerFailed."""
        verdicts: list[Verdict] = []
        for start in range(0, len(texts), CLASSIFY_AT_ONCE):
            payload = {"texts": [visible(text) for text in texts[start : start + CLASSIFY_AT_ONCE]], "policy": self._policy}
            answer = await self._worker.call("classify", payload, CLASSIFY_BUDGET_S)
            verdicts += map(_verdict, answer["verdicts"])
        return verdicts

    async def levels(self, texts: Sequence[str]) -> list[tuple[str | None, str | None]]:
        """L0 and L1 for each text, None where the text itself is no longer. Raises WorkerFailed."""
        answer = await self._worker.call("levels", {"texts": list(texts)}, DIGEST_BUDGET_S)
        return [(l0, l1) for l0, l1 in answer["levels"]]

    async def digest(self, exchanges: Sequence[Exchange]) -> list[list[NewMemory]]:
        """The facts in each finished turn, by rules. Raises WorkerFailed."""
        turns = [{"question": exchange.question, "answer": exchange.answer} for exchange in exchanges]
        answer = await self._worker.call("digest", {"turns": turns}, DIGEST_BUDGET_S)
        return [[_memory(fact, exchange) for fact in facts] for facts, exchange in zip(answer["turns"], exchanges, strict=True)]


def _verdict(data: dict[str, Any]) -> Verdict:
    return Verdict(data["sensitivity"], data["masked"], data["policy"], tuple(data["entities"]))


def _memory(fact: dict[str, Any], exchange: Exchange) -> NewMemory:
    return NewMemory(
        text=fact["text"],
        category=fact["category"],
        created_at=exchange.created_at,
        l0=fact.get("l0"),
        l1=fact.get("l1"),
        session=exchange.session,
    )
