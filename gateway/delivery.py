"""From an upstream's answer to the client's reply: the original bytes, a tee that reads a copy, and what happens when it is complete.

The outbox row of a finished turn is written before the final bytes are released, so that no turn is lost that the client has seen.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

import orjson
import structlog

from gateway.commit.exchange import finished
from gateway.errors import EluvixError, UpstreamBroken, UpstreamError
from gateway.reply import Reply, memory_headers
from gateway.streaming import NOTHING_SAID, Said, StreamTee, said_plainly
from gateway.upstreams.headers import client_headers, is_stream, value_of, without_secret

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Sequence

    from gateway.cache.store import Entry
    from gateway.cache.use import CacheUse
    from gateway.commit.outbox import Outbox
    from gateway.reply import Headers
    from gateway.routing.plan import Target
    from gateway.telemetry import Metrics
    from gateway.turn import Outbound, Prepared, Turn
    from gateway.upstreams.base import Answer

log = structlog.get_logger()

MAX_CACHED_BYTES = 4 * 1024 * 1024
_AFTER_END_S = 0.5
"""How long an upstream may take to close a stream after its end mark. The client has everything by then."""
_TAIL = 32


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try at one upstream, from the guarded request to its answer."""

    prepared: Prepared
    target: Target
    outbound: Outbound
    cache: CacheUse
    sent: float = field(default_factory=perf_counter)
    """`time.perf_counter()` when it was sent: what comes before is the gateway's own time."""

    @property
    def turn(self) -> Turn:
        """The turn that is answered."""
        return self.prepared.turn

    @property
    def upstream(self) -> str:
        """The upstream's name."""
        return self.outbound.upstream

    @property
    def reads(self) -> bool:
        """Whether anyone wants to know what the answer says."""
        return self.turn.memory.commit or self.cache.keeps


class Delivery:
    """Hands answers on, commits finished turns and keeps what the cache may keep."""

    def __init__(self, outbox: Outbox, metrics: Metrics) -> None:
        self._outbox = outbox
        self._metrics = metrics

    async def deliver(self, attempt: Attempt, answer: Answer) -> Reply:
        """The reply for an answer whose head has come. Raises UpstreamBroken when a plain answer is cut short."""
        overhead = attempt.sent - attempt.turn.received
        headers = self._headers(attempt, answer, overhead)
        if answer.status < 400 and is_stream(answer.headers):
            return Reply(answer.status, headers, pieces=self._stream(attempt, answer, overhead), close=partial(_close, attempt, answer))
        try:
            body = await answer.read()
        finally:
            answer.close()
        if answer.status >= 400:
            body = without_secret(body, attempt.target.upstream.config.api_key)
        elif attempt.reads:
            said = said_plainly(body, _encoding(answer.headers))
            await self._finish(attempt, said, answer, body)
        self._count(attempt, answer.status, overhead)
        return Reply(answer.status, [*headers, (b"content-length", b"%d" % len(body))], body)

    def replay(self, attempt: Attempt, entry: Entry) -> Reply:
        """The reply for an answer from the cache."""
        overhead = perf_counter() - attempt.turn.received
        headers = [*entry.headers, *self._own_headers(attempt, overhead), (b"content-length", b"%d" % len(entry.body))]
        self._metrics.request(attempt.turn.endpoint, attempt.upstream, entry.status, overhead, overhead)
        return Reply(entry.status, headers, entry.body)

    async def _stream(self, attempt: Attempt, answer: Answer, overhead: float) -> AsyncGenerator[bytes, None]:
        """The stream's bytes as they come; the end mark only after the turn is safe. Closing it cancels the upstream."""
        tee = StreamTee(_encoding(answer.headers), MAX_CACHED_BYTES if attempt.cache.keeps else 0) if attempt.reads else None
        pieces, tail = answer.pieces(), b""
        try:
            async for piece in pieces:
                released = tee.feed(piece) if tee else piece
                if released:
                    tail = (tail + released)[-_TAIL:]
                    yield released
                if tee and tee.ended:
                    yield await self._end(attempt, answer, tee)
                    while rest := await _next_soon(pieces):
                        yield rest
                    break
            if tee and not tee.ended:
                yield await self._end(attempt, answer, tee)
        except UpstreamBroken as error:
            yield self._broke_off(attempt, answer, error, tail)
        finally:
            answer.close()
            self._count(attempt, answer.status, overhead)

    async def _end(self, attempt: Attempt, answer: Answer, tee: StreamTee) -> bytes:
        """Does what is to be done with a complete stream; then what was held back may go out."""
        await self._finish(attempt, tee.said(), answer, tee.copy())
        return tee.held()

    def _broke_off(self, attempt: Attempt, answer: Answer, error: UpstreamBroken, tail: bytes) -> bytes:
        """What a client is still told of a stream that broke off; b"" when it has the end mark. Raises `error` within an encoded body."""
        self._failed(attempt, error)
        if _encoding(answer.headers):
            raise error
        return b"" if tail.rstrip().endswith(b"[DONE]") else _error_event(error, tail)

    async def _finish(self, attempt: Attempt, said: Said, answer: Answer, body: bytes | None) -> None:
        """What is done with a complete answer before its last byte is released."""
        if said is NOTHING_SAID:
            return
        upstream = attempt.upstream
        for kind, tokens in (("input", said.prompt_tokens), ("output", said.completion_tokens)):
            if tokens:
                self._metrics.tokens(upstream, kind, tokens)
        if said.complete and body is not None:
            await attempt.cache.keep(answer.status, answer.headers, body)
        if said.final and attempt.turn.memory.commit:
            await self._commit(attempt, said)

    async def _commit(self, attempt: Attempt, said: Said) -> None:
        """Writes the outbox row. When that fails the answer still goes out: it is logged and counted."""
        answer = "" if attempt.target.upstream.config.kind == "inspect" else said.text
        exchange = finished(attempt.turn, answer)
        if exchange is None:
            return
        try:
            new = await self._outbox.append(exchange)
        except Exception as error:
            log.error("a finished turn could not be written to the outbox", error=type(error).__name__)
            self._metrics.commit("failed")
            return
        self._metrics.commit("queued" if new else "known")

    def _headers(self, attempt: Attempt, answer: Answer, overhead: float) -> Headers:
        kept = client_headers(answer.headers, attempt.target.upstream.config.api_key)
        return [*kept, *self._own_headers(attempt, overhead)]

    def _own_headers(self, attempt: Attempt, overhead: float) -> Headers:
        return [
            *memory_headers(attempt.prepared.recalled, attempt.outbound.injected),
            (b"x-eluvix-upstream", attempt.upstream.encode()),
            (b"x-eluvix-cache", attempt.cache.outcome.encode()),
            (b"x-eluvix-overhead-ms", b"%.2f" % (overhead * 1000)),
        ]

    def _count(self, attempt: Attempt, status: int, overhead: float) -> None:
        turn = attempt.turn
        self._metrics.request(turn.endpoint, attempt.upstream, status, overhead, perf_counter() - turn.received)

    def _failed(self, attempt: Attempt, error: UpstreamError) -> None:
        log.warning("an answer broke off", upstream=attempt.upstream, code=error.code)
        self._metrics.upstream_error(attempt.upstream, str(error.code))


def _close(attempt: Attempt, answer: Answer) -> None:
    answer.close()
    attempt.cache.close()


async def _next_soon(pieces: AsyncIterator[bytes]) -> bytes:
    """What comes after the end mark, b"" = nothing more: mostly the end of the message, after which the connection can be used again."""
    try:
        async with asyncio.timeout(_AFTER_END_S):
            return await anext(pieces)
    except (StopAsyncIteration, TimeoutError, UpstreamBroken):
        return b""


def _encoding(headers: Sequence[tuple[bytes, bytes]]) -> str:
    return value_of(headers, b"content-encoding").decode("latin-1").strip().lower()


def _error_event(error: EluvixError, tail: bytes) -> bytes:
    """An error as an event of its own, whatever the stream's last bytes were; no `[DONE]` follows."""
    body = orjson.dumps(error.to_json())
    start = b"" if not tail or tail.endswith((b"\n\n", b"\r\n\r\n", b"\r\r")) else b"\n\n"
    return b"%sdata: %s\n\n" % (start, body)
