"""The egress guard: the only maker of an `Outbound`. A local upstream gets the block whole; a cloud one gets it masked, or not at all.

It fails closed: whatever goes wrong, the block is left out and the request goes on without it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import orjson
import structlog

from gateway.context.block import ITEM
from gateway.context.placement import with_block
from gateway.errors import BadRequest
from gateway.turn import EMPTY_BLOCK, Block, Injected, Outbound

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gateway.context.block import BlockWriter
    from gateway.egress.policy import Policy
    from gateway.egress.scan import Rules
    from gateway.egress.verdicts import Verdicts
    from gateway.routing.plan import Target
    from gateway.turn import Endpoint, Prepared, Recalled
    from providers.base import Memory, Verdict

log = structlog.get_logger()

_STRIPPED = Injected(stripped=True)
_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class _Guarded(Outbound):
    """What passed the guard."""

    upstream: str
    url: str
    endpoint: Endpoint
    body: bytes
    model: str
    stream: bool
    headers: Mapping[str, str]
    injected: Injected

    def _sealed_by_the_guard(self) -> None:
        """Made here and nowhere else."""


class Guard:
    """Decides for each attempt what of the block may go to the target, and seals the request."""

    def __init__(self, policy: Policy, rules: Rules, verdicts: Verdicts, writer: BlockWriter) -> None:
        self.policy = policy
        self._rules = rules
        self._verdicts = verdicts
        self._writer = writer
        self._found = lru_cache(4096)(self._find)

    async def seal(self, prepared: Prepared, target: Target) -> Outbound:
        """The request as it may leave for `target`. Always starts from the unguarded original."""
        turn = prepared.turn
        injected = await self.admit(prepared.recalled, target)
        try:
            body = _body(prepared, target.model, injected.block.text)
        except (TypeError, ValueError, RecursionError) as error:
            message = "The request body cannot be written as JSON again. Send valid UTF-8, finite numbers and less nesting."
            raise BadRequest(message) from error
        config = target.upstream.config
        return _Guarded(config.name, config.url, turn.endpoint, body, target.model, turn.stream, turn.headers, injected)

    async def admit(self, recalled: Recalled, target: Target) -> Injected:
        """What of the recalled block may be sent to `target`."""
        block = recalled.block
        if target.local or not block.text:
            return Injected(block)
        if (target.upstream.config.cloud_mode or self.policy.cloud_mode) == "strip":
            return _STRIPPED
        try:
            return await self._filtered(block, recalled.limit)
        except Exception as error:
            log.error("the guard failed: the block was left out", error=type(error).__name__)
            return Injected(filtered=len(block.memories))

    async def _filtered(self, block: Block, limit: int) -> Injected:
        """The block written anew from what may leave, and looked through once more as a whole."""
        verdicts = await self._verdicts.of(block.memories)
        kept, touched = [], 0
        for memory, verdict in zip(block.memories, verdicts, strict=True):
            leaving = _leaving(memory, verdict)
            touched += leaving is not memory
            if leaving is not None:
                kept.append(leaving)
        clean = self._writer.pack(kept, limit) if touched else block
        checked = self._last_pass(clean, limit)
        return Injected(checked, filtered=max(touched, len(block.memories) - len(checked.memories)))

    def _last_pass(self, block: Block, limit: int) -> Block:
        """The rules over the finished text. A memory in which they still find something is taken out, whatever its verdict said."""
        for _ in range(_ROUNDS):
            found = self._found(block.text) if block.text else ()
            if not found:
                return block
            block = self._writer.pack(_untouched(block, found), limit)
        return EMPTY_BLOCK

    def _find(self, text: str) -> tuple[tuple[int, int], ...]:
        return tuple((span.start, span.end) for span in self._rules.scan(text))


def _untouched(block: Block, found: tuple[tuple[int, int], ...]) -> list[Memory]:
    """The memories of a block in whose lines nothing was found."""
    kept, start = [], 0
    memories = iter(block.memories)
    for line in block.text.split("\n"):
        end = start + len(line)
        if line.startswith(ITEM):
            memory = next(memories)
            if not any(first < end and start < last for first, last in found):
                kept.append(memory)
        start = end + 1
    return kept


def _leaving(memory: Memory, verdict: Verdict | None) -> Memory | None:
    """The memory as it may leave; None when it may not. The shorter levels of a masked one were made from the unmasked text: they stay."""
    if verdict is None or verdict.sensitivity == "high":
        return None
    if verdict.sensitivity == "none":
        return memory
    return memory._replace(text=verdict.masked, l0=None, l1=None) if verdict.masked else None


def _body(prepared: Prepared, model: str, block: str) -> bytes:
    """The body for one upstream: the client's own bytes when nothing is added or renamed."""
    turn = prepared.turn
    body: Mapping[str, Any] = turn.body
    if turn.user is not None and turn.endpoint == "/chat/completions":
        body = with_block(body, block, prepared.placement) or body
    if body is turn.body and model == turn.model:
        return turn.raw
    return _written(body if model == turn.model else {**body, "model": model})


def _written(body: Mapping[str, Any]) -> bytes:
    """The body as JSON; by Python's own writer where orjson gives up (integers of over 64 bits, nesting of over 254 levels)."""
    try:
        return orjson.dumps(body)
    except TypeError:
        return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
