"""The running parts of a gateway without databases, upstreams or processes, for tests of the HTTP side."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, ClassVar, cast

from prometheus_client import CollectorRegistry

from gateway.commit.outbox import Counts
from gateway.identity import Admin, Identity, NamedKey, key_digest
from gateway.memories import Memories
from gateway.parts import Parts
from gateway.telemetry import Metrics
from gateway.turn import MemoryMode
from providers.base import Health, Memory, NewMemory, Page, ProviderRefused, ProviderUnavailable, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gateway.commit.outbox import State
    from gateway.turn import Exchange
    from providers.base import MemoryPatch, TurnRecord

PASSWORD = "-".join(("the", "admin", "password"))
BOBS_KEY = "-".join(("key", "of", "bob"))
ANYONES_KEY = "-".join(("key", "of", "anyone"))
KEYS = (NamedKey("bobs", key_digest(BOBS_KEY), "bob"), NamedKey("anyones", key_digest(ANYONES_KEY), None))


@dataclass
class StoreInMemory:
    """A memory provider in dictionaries. Ids are counted over all users, so that they are easily guessed."""

    name: ClassVar[str] = "in-memory"
    digests_turns: ClassVar[bool] = False
    local: bool = True
    down: bool = False
    kept: dict[str, list[Memory]] = field(default_factory=dict)
    count: int = 0

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def search(self, user: str, query: str, limit: int) -> list[Memory]:
        words = query.lower().split()
        found = [memory._replace(score=0.5) for memory in self._of(user) if any(word in memory.text.lower() for word in words)]
        return found[:limit]

    async def add(self, user: str, memories: Sequence[NewMemory]) -> list[Memory]:
        return [self._stored(user, memory) for memory in memories]

    async def commit(self, user: str, turn: TurnRecord) -> list[Memory]:
        raise ProviderRefused("in-memory takes no turns")

    async def get(self, user: str, memory_id: str) -> Memory | None:
        return next((memory for memory in self._of(user) if memory.id == memory_id), None)

    async def users(self) -> list[str]:
        return sorted(self.kept)

    async def update(self, user: str, memory_id: str, patch: MemoryPatch) -> Memory | None:
        old = await self.get(user, memory_id)
        if old is None:
            return None
        changes = {name: getattr(patch, name) for name in ("text", "category", "metadata") if getattr(patch, name) is not None}
        new = old._replace(**changes)
        self.kept[user][self.kept[user].index(old)] = new
        return new

    async def delete(self, user: str, memory_id: str) -> bool:
        old = await self.get(user, memory_id)
        if old is not None:
            self.kept[user].remove(old)
        return old is not None

    async def clear(self, user: str) -> int:
        return len(self.kept.pop(user, []))

    async def health(self) -> Health:
        return Health(not self.down, "refused" if self.down else "ready")

    def _of(self, user: str) -> list[Memory]:
        if self.down:
            raise ProviderUnavailable("in-memory is down. Start it.")
        return self.kept.get(user, [])

    def _stored(self, user: str, new: NewMemory) -> Memory:
        known = next((memory for memory in self._of(user) if memory.text == new.text), None)
        if known is not None:
            return known
        self.count += 1
        now = new.created_at or datetime.now(UTC)
        memory = Memory(f"m{self.count}", user, new.text, new.category, now, now, dict(new.metadata), session=new.session)
        self.kept.setdefault(user, []).append(memory)
        return memory

    async def list(self, user: str, limit: int, cursor: str | None = None) -> Page:
        if cursor is not None and not cursor.isdecimal():
            raise ProviderRefused("in-memory: this cursor came from no listing. Begin without one.")
        start = int(cursor or 0)
        newest = self._of(user)[::-1]
        more = str(start + limit) if start + limit < len(newest) else None
        return Page(tuple(newest[start : start + limit]), more)


@dataclass
class OutboxInMemory:
    """An outbox whose turns are stored at once as one memory each, or (`stuck`) never."""

    store: StoreInMemory
    stuck: bool = False
    refused: bool = False
    rows: dict[str, tuple[Exchange, State]] = field(default_factory=dict)

    async def append(self, exchange: Exchange) -> bool:
        if exchange.key in self.rows:
            return False
        state: State = "pending" if self.stuck else "dead" if self.refused else "done"
        self.rows[exchange.key] = (exchange, state)
        if state == "done":
            await self.store.add(exchange.user, [NewMemory(exchange.question, created_at=exchange.created_at, session=exchange.session)])
        return True

    async def wait(self, key: str, timeout_s: float) -> State:
        await asyncio.sleep(0)
        return self.rows[key][1]

    async def status(self, key: str) -> tuple[str, State] | None:
        row = self.rows.get(key)
        return None if row is None else (row[0].user, row[1])

    async def counts(self) -> Counts:
        states = [state for _, state in self.rows.values()]
        return Counts(states.count("pending"), states.count("dead"), 1.5)

    async def erase(self, user: str) -> int:
        mine = [key for key, (exchange, _) in self.rows.items() if exchange.user == user]
        for key in mine:
            del self.rows[key]
        return len(mine)


@dataclass
class CatalogOf:
    """A catalog of fixed models."""

    models: tuple[str, ...] = ("small", "meta/llama-3:8b")
    settled: bool = True
    silent: tuple[str, ...] = ()

    def known(self) -> list[str]:
        return list(self.models)

    async def locate(self, model: str) -> str | None:
        return "home" if model in self.models or model.startswith("glob-") else None

    async def all(self) -> list[dict[str, Any]]:
        return [{"id": model, "object": "model", "created": 0, "owned_by": "home"} for model in self.models]


@dataclass
class PreviewOnly:
    """A pipeline of which only the preview is there: it tells what it was asked."""

    asked: list[tuple[str, str, int | None, str | None]] = field(default_factory=list)

    async def preview(self, user: str, query: str, max_tokens: int | None, upstream: str | None) -> dict[str, Any]:
        self.asked.append((user, query, max_tokens, upstream))
        return {"block": "", "tokens": 0, "items": [], "egress": {"upstream": upstream, "local": False}}


@dataclass
class Running:
    """Parts made of fakes, and the fakes."""

    store: StoreInMemory
    outbox: OutboxInMemory
    catalog: CatalogOf
    pipeline: PreviewOnly
    metrics: Metrics
    parts: Parts

    def current(self) -> Parts:
        return self.parts


async def _classify(texts: Sequence[str]) -> list[Verdict]:
    return [Verdict("high" if "hunter2" in text else "none", text, "1") for text in texts]


async def _levels(texts: Sequence[str]) -> list[tuple[str | None, str | None]]:
    return [(None, None)] * len(texts)


async def _forgotten(_user: str) -> None:
    return None


def running(keys: Sequence[NamedKey] = KEYS, password: str | None = PASSWORD) -> Running:
    """A gateway with one key bound to bob and one that may act for anyone, unless told otherwise."""
    store = StoreInMemory()
    outbox, catalog, pipeline, metrics = OutboxInMemory(store), CatalogOf(), PreviewOnly(), Metrics(CollectorRegistry())
    parts = Parts(
        identity=Identity(keys, open_access=not keys),
        admin=Admin(password),
        pipeline=cast("Any", pipeline),
        catalog=cast("Any", catalog),
        upstreams=(),
        provider=store,
        memories=Memories(store, _classify, _levels, _forgotten),
        outbox=cast("Any", outbox),
        drain=cast("Any", None),
        metrics=metrics,
        memory=MemoryMode(recall=True, commit=True),
    )
    return Running(store, outbox, catalog, pipeline, metrics, parts)
