"""What the guard thinks of each memory: looked up where it was computed at write, else computed now, at the latest in the worker."""

from __future__ import annotations

import asyncio
from hashlib import blake2b
from typing import TYPE_CHECKING

import structlog
from cachetools import LRUCache

from gateway.context.block import visible
from gateway.egress.scan import judge

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from gateway.egress.policy import Policy
    from gateway.egress.scan import Rules
    from providers.base import Memory, Verdict

    Classify = Callable[[Sequence[str]], Awaitable[list[Verdict]]]

log = structlog.get_logger()

WAIT_S = 0.25
"""How long a request waits for the worker. What comes later is remembered for the next one."""
_SHORT = 1000
"""Characters. The rules take about 2 ms for them, and a hundred times as long for the longest memory: that is the worker's task."""
_REMEMBERED = 32 * 1024 * 1024
"""Characters of all computed verdicts together, and what Python needs around each."""
_AROUND = 400


class Verdicts:
    """Verdicts of memories under one policy. One that was stored under another policy does not count."""

    def __init__(self, policy: Policy, rules: Rules, classify: Classify, wait_s: float = WAIT_S) -> None:
        self._policy = policy
        self._rules = rules
        self._classify = classify
        self._names = policy.uses_ner()
        self._wait_s = wait_s
        self._computed: LRUCache[bytes, Verdict] = LRUCache(_REMEMBERED, _size)
        self._asked: dict[str, asyncio.Task[None]] = {}

    async def of(self, memories: Sequence[Memory]) -> list[Verdict | None]:
        """A verdict for each; None where none can be had in time: that memory must not leave."""
        found = [self._known(memory) for memory in memories]
        unknown = [memory.text for memory, verdict in zip(memories, found, strict=True) if verdict is None]
        if not unknown:
            return found
        await self._learn(list(dict.fromkeys(unknown)))
        return [verdict or self._known(memory) for memory, verdict in zip(memories, found, strict=True)]

    def _known(self, memory: Memory) -> Verdict | None:
        stored = memory.verdict
        if stored is not None and stored.policy == self._policy.version:
            return stored
        return self._computed.get(_key(memory.text))

    async def _learn(self, texts: list[str]) -> None:
        """Without a language model the rules say all there is to say: on a short text they say it here."""
        elsewhere = []
        for text in texts:
            if self._names or len(text) > _SHORT:
                elsewhere.append(text)
            else:
                shown = visible(text)
                self._computed[_key(text)] = judge(shown, self._rules.scan(shown), self._policy)
        if elsewhere:
            await self._ask_worker(elsewhere)

    async def _ask_worker(self, texts: list[str]) -> None:
        new = [text for text in texts if text not in self._asked]
        if new:
            task = asyncio.ensure_future(self._ask(new))
            self._asked.update(dict.fromkeys(new, task))
        await asyncio.wait({self._asked[text] for text in texts if text in self._asked}, timeout=self._wait_s)

    async def _ask(self, texts: list[str]) -> None:
        """Goes on when the request that asked does not wait any longer."""
        try:
            verdicts = await self._classify(texts)
        except Exception as error:
            log.warning("memories without a verdict stay here", count=len(texts), error=type(error).__name__)
        else:
            self._computed.update(zip(map(_key, texts), verdicts, strict=True))
        finally:
            for text in texts:
                self._asked.pop(text, None)


def _size(verdict: Verdict) -> int:
    return len(verdict.masked) + _AROUND


def _key(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
