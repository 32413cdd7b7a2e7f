"""Reading memories for a turn. It fails open: whatever goes wrong, the request is served without memories and the header says why."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

import structlog

from gateway.context.query import recall_query
from gateway.turn import EMPTY_BLOCK, Recalled
from providers.base import ProviderUnavailable

if TYPE_CHECKING:
    from gateway.context.block import BlockWriter
    from gateway.context.sticky import Sticky
    from gateway.telemetry import Metrics
    from gateway.turn import Turn
    from providers.base import MemoryProvider

log = structlog.get_logger()

_SPARE = 5
"""So many more than `top_k` are asked for: a conversation's block stays while all its memories are among them."""
_FAILURES, _COOLDOWN_S = 3, 10.0


@dataclass(frozen=True, slots=True)
class RecallLimits:
    """How much is recalled and how long it may take; a key may set smaller or larger limits for itself."""

    top_k: int = 20
    max_tokens: int = 500
    timeout_s: float = 0.3


class Recall:
    """Asks the provider and writes the block. After three failures in a row it does not ask for ten seconds."""

    def __init__(
        self, provider: MemoryProvider, writer: BlockWriter, limits: RecallLimits, metrics: Metrics, sticky: Sticky | None
    ) -> None:
        self._provider = provider
        self._writer = writer
        self._limits = limits
        self._metrics = metrics
        self._sticky = sticky
        self._failures = 0
        self._closed_until = 0.0

    async def recall(self, turn: Turn) -> Recalled:
        """What memory says to this turn. Never raises, but for cancellation."""
        started = perf_counter()
        recalled = await self._recalled(turn, started)
        self._metrics.recall(recalled.status, perf_counter() - started)
        return recalled

    async def look(self, user: str, query: str, max_tokens: int | None) -> Recalled:
        """What would be recalled, without a deadline and without remembering that it was asked. Raises ProviderError."""
        limit = self._limits.max_tokens if max_tokens is None else max_tokens
        found = await self._provider.search(user, query, self._limits.top_k)
        block = self._writer.pack(found, limit)
        return Recalled("hit" if block.memories else "miss", None, block, limit)

    async def _recalled(self, turn: Turn, now: float) -> Recalled:
        if not turn.memory.recall:
            return Recalled("off", turn.memory.reason)
        query = recall_query(turn.body.get("messages"))
        return await self._ask(turn, query, now) if query else Recalled("miss", "no-text")

    async def _ask(self, turn: Turn, query: str, now: float) -> Recalled:
        if now < self._closed_until:
            return Recalled("error", "unavailable")
        top_k = turn.principal.top_k or self._limits.top_k
        limit = self._limits.max_tokens if turn.principal.max_tokens is None else turn.principal.max_tokens
        try:
            async with asyncio.timeout(self._limits.timeout_s):
                found = await self._provider.search(str(turn.user), query, top_k + _SPARE)
            chosen = self._sticky.choose(turn, found, top_k) if self._sticky else found[:top_k]
            block = self._writer.pack(chosen, limit) if chosen else EMPTY_BLOCK
        except (TimeoutError, ProviderUnavailable) as error:
            self._failures += 1
            return self._failed("timeout" if isinstance(error, TimeoutError) else "provider", error)
        except Exception as error:  # of this request alone: others are still asked for
            return self._failed("provider", error)
        self._failures = 0
        return Recalled("hit" if block.memories else "miss", None, block, limit)

    def _failed(self, detail: str, error: Exception) -> Recalled:
        if self._failures >= _FAILURES:
            self._closed_until = perf_counter() + _COOLDOWN_S
        log.warning("recall failed", provider=self._provider.name, reason=detail, error=type(error).__name__)
        return Recalled("error", detail)
