"""One chat request, step by step. This is the file to read first."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from gateway.cache.use import use_cache
from gateway.delivery import Attempt
from gateway.errors import EluvixError, UpstreamBroken, UpstreamUnavailable
from gateway.preview import described
from gateway.turn import Prepared
from gateway.upstreams.headers import value_of

if TYPE_CHECKING:
    from gateway.cache.responses import ResponseCache
    from gateway.context.recall import Recall
    from gateway.delivery import Delivery
    from gateway.egress.guard import Guard
    from gateway.errors import UpstreamError
    from gateway.reply import Reply
    from gateway.routing.breaker import Breakers
    from gateway.routing.plan import Plan, Target
    from gateway.routing.router import Router
    from gateway.telemetry import Metrics
    from gateway.turn import Placement, Turn
    from gateway.upstreams.base import Answer

MIN_STATUS, MAX_STATUS = 200, 599
TRY_NEXT = frozenset({429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
"""Answers after which the plan's next upstream is tried; without a next one they go to the client as they came. 520 to 524 come from
Cloudflare when it does not reach the server behind it, 529 from overloaded servers."""


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The steps of a request in order: recall, compose, route; then per attempt guard, cache, send; then deliver (and commit)."""

    recall: Recall
    router: Router
    guard: Guard
    cache: ResponseCache
    breakers: Breakers
    delivery: Delivery
    metrics: Metrics
    placement: Placement = "system_head"

    async def answer(self, turn: Turn) -> Reply:
        """Serves one turn. Raises EluvixError when it cannot be served."""
        try:
            recalled = await self.recall.recall(turn)
            prepared = Prepared(turn, recalled, self.placement)
            plan = self.router.plan(turn.model) or await self.router.resolve(turn.model)
            return await self.forward(prepared, plan)
        except EluvixError as error:
            self.metrics.refused(turn.endpoint, error.status, perf_counter() - turn.received)
            raise

    async def forward(self, prepared: Prepared, plan: Plan) -> Reply:
        """Tries the plan's upstreams in order until one answers. Each try starts from the unguarded original."""
        problem: EluvixError | None = None
        for number, target in enumerate(plan.targets, 1):
            try:
                reply = await self.attempt(prepared, target, last=number == len(plan.targets))
            except UpstreamUnavailable as error:
                self.breakers.failure(target.upstream.config.name)
                self._failed(target, error)
                problem = error
            except UpstreamBroken as error:
                self._failed(target, error)
                raise
            else:
                if reply is not None:
                    return reply
        raise problem or UpstreamUnavailable("No upstream answered. Try again in a moment.")

    async def attempt(self, prepared: Prepared, target: Target, *, last: bool) -> Reply | None:
        """One upstream: guard, cache, send. None when the next one should be tried instead of handing on a refusal."""
        outbound = await self.guard.seal(prepared, target)
        if prepared.recalled.block.text and not target.local:
            self.metrics.guard(outbound.injected.filtered, outbound.injected.stripped)
        cached = await use_cache(self.cache, prepared.turn, outbound, self.guard.policy.version)
        self.metrics.cache(cached.outcome)
        attempt = Attempt(prepared, target, outbound, cached)
        reply = None
        try:
            if cached.entry is not None:
                return self.delivery.replay(attempt, cached.entry)
            answer = await target.upstream.send(outbound)
            if not MIN_STATUS <= answer.status <= MAX_STATUS:
                answer.close()
                message = f"Upstream {target.upstream.config.name!r} answered with the status {answer.status}, which does not exist."
                raise UpstreamUnavailable(message)
            if self._judged(target, answer) and not last:
                answer.close()
            else:
                reply = await self.delivery.deliver(attempt, answer)
            return reply
        finally:
            if reply is None or reply.pieces is None:
                cached.close()

    async def preview(self, user: str, query: str, max_tokens: int | None, upstream: str | None) -> dict[str, Any]:
        """What would be injected for `query`, and what the guard would let through to an upstream (None = any in the cloud).

        Raises NotFound for an unknown upstream, ProviderError when memory does not answer.
        """
        target = self.router.target(upstream or "inspect-cloud")
        recalled = await self.recall.look(user, query, max_tokens)
        injected = await self.guard.admit(recalled, target)
        return described(recalled, injected, target)

    def _judged(self, target: Target, answer: Answer) -> bool:
        """Tells the breaker how the upstream did. True when its answer is a refusal after which another may be tried."""
        name = target.upstream.config.name
        if answer.status not in TRY_NEXT:
            self.breakers.success(name)
            return False
        self.metrics.upstream_error(name, f"status_{answer.status}")
        if answer.status == 429:
            self.breakers.cool(name, _retry_after(answer))
        else:
            self.breakers.failure(name)
        return True

    def _failed(self, target: Target, error: UpstreamError) -> None:
        self.metrics.upstream_error(target.upstream.config.name, str(error.code))


def _retry_after(answer: Answer) -> float:
    """Seconds to leave the upstream alone, as far as it says so in seconds."""
    said = value_of(answer.headers, b"retry-after").strip()
    return float(said) if said.isdigit() else 1.0
