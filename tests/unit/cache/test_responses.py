from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from gateway.cache.flight import Flights
from gateway.cache.key import cache_key
from gateway.cache.memory import MemoryStore
from gateway.cache.responses import ResponseCache
from gateway.cache.store import Entry, StoreConfig
from gateway.cache.use import CacheUse, use_cache
from gateway.errors import StorageError
from gateway.turn import MemoryMode, Principal, Turn
from tests.fakes.sealed_request import SealedRequest

if TYPE_CHECKING:
    from gateway.cache.flight import Lead
    from gateway.cache.responses import CacheMode

HEADERS = [(b"content-type", b"application/json"), (b"x-request-id", b"r1")]
BODY = b'{"choices":[{"index":0,"finish_reason":"stop","message":{"content":"hi"}}]}'
ENTRY = Entry(200, ((b"content-type", b"application/json"),), BODY, stream=False)


def _turn(user: str | None = "alice", **changes: Any) -> Turn:
    body = {"model": "m", "messages": []}
    turn = Turn("r1", "/chat/completions", Principal(user), MemoryMode(recall=True, commit=True), body, b"", 0.0)
    return replace(turn, **changes)


class FailingStore:
    """A store whose server is away."""

    async def get(self, key: str) -> Entry | None:
        raise StorageError("away")

    async def put(self, key: str, owner: str, entry: Entry) -> None:
        raise StorageError("away")

    async def purge(self, owner: str) -> int:
        raise StorageError("away")

    async def close(self) -> None:
        """Nothing is open."""


class SlowStore(MemoryStore):
    """Reading waits for `may_get`, writing for `may_put`."""

    def __init__(self) -> None:
        super().__init__(StoreConfig())
        self.reading, self.writing = asyncio.Event(), asyncio.Event()
        self.may_get, self.may_put = asyncio.Event(), asyncio.Event()
        self.may_get.set()
        self.may_put.set()

    async def get(self, key: str) -> Entry | None:
        self.reading.set()
        await self.may_get.wait()
        return await super().get(key)

    async def put(self, key: str, owner: str, entry: Entry) -> None:
        self.writing.set()
        await self.may_put.wait()
        await super().put(key, owner, entry)


@pytest.fixture
def store() -> SlowStore:
    return SlowStore()


@pytest.fixture
def flights() -> Flights:
    return Flights(patience_s=10_000)


@pytest.fixture
def cache(store: SlowStore, flights: Flights) -> ResponseCache:
    return ResponseCache(store, flights, "on")


async def _keep(cache: ResponseCache, lead: Lead, body: bytes = BODY) -> bool:
    return await cache.keep(lead, 200, HEADERS, body, complete=True)


@pytest.mark.parametrize(
    ("mode", "asked", "wanted"),
    [("on", False, True), ("on", True, True), ("asked", False, False), ("asked", True, True), ("off", True, False)],
)
def test_the_cache_is_used_as_configured_or_asked(flights: Flights, store: SlowStore, mode: CacheMode, asked: bool, wanted: bool) -> None:
    assert ResponseCache(store, flights, mode).wanted(_turn(cache_asked=asked)) is wanted


def test_the_cache_is_not_used_for_strangers_nor_against_the_clients_will(cache: ResponseCache) -> None:
    assert not cache.wanted(_turn(None, cache_asked=True))
    assert not cache.wanted(_turn(no_cache=True, cache_asked=True))


async def test_an_answer_that_was_kept_is_found_by_the_next_request(cache: ResponseCache, flights: Flights) -> None:
    lead = await cache.look_up(_turn(), "k")
    assert (lead.entry, lead.leads) == (None, True)
    assert await _keep(cache, lead)
    lead.close()
    assert (await cache.look_up(_turn(), "k")).entry == ENTRY
    assert len(flights) == 0


async def test_an_answer_that_may_not_be_kept_is_not(cache: ResponseCache) -> None:
    lead = await cache.look_up(_turn(), "k")
    assert not await _keep(cache, lead, b'{"error":{}}')
    lead.close()
    assert (await cache.look_up(_turn(), "k")).entry is None


async def test_identical_requests_wait_for_the_first_and_get_its_answer(cache: ResponseCache) -> None:
    lead = await cache.look_up(_turn(), "k")
    waiting = asyncio.gather(*(cache.look_up(_turn(), "k") for _ in range(3)))
    await asyncio.sleep(0)
    await _keep(cache, lead)
    assert [other.entry for other in await waiting] == [ENTRY] * 3


async def test_requests_that_wait_for_a_look_up_share_what_it_finds(cache: ResponseCache, store: SlowStore) -> None:
    await store.put("k", "user:alice", ENTRY)
    store.may_get.clear()
    looking = asyncio.gather(*(cache.look_up(_turn(), "k") for _ in range(3)))
    await store.reading.wait()
    store.may_get.set()
    assert [lead.entry for lead in await looking] == [ENTRY] * 3


async def test_a_client_that_leaves_during_the_look_up_holds_nobody_up(cache: ResponseCache, store: SlowStore, flights: Flights) -> None:
    store.may_get.clear()
    leaving = asyncio.create_task(cache.look_up(_turn(), "k"))
    await store.reading.wait()
    leaving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await leaving
    assert len(flights) == 0


async def test_a_store_that_is_away_costs_hits_and_no_request(flights: Flights) -> None:
    cache = ResponseCache(FailingStore(), flights, "on")
    lead = await cache.look_up(_turn(), "k")
    assert lead.entry is None
    waiting = asyncio.create_task(cache.look_up(_turn(), "k"))
    await asyncio.sleep(0)
    assert await _keep(cache, lead), "who waits for it gets it all the same"
    assert (await waiting).entry == ENTRY


async def test_a_purge_that_fails_says_so(flights: Flights) -> None:
    with pytest.raises(StorageError):
        await ResponseCache(FailingStore(), flights, "on").purge("alice")


async def test_forgetting_removes_a_users_answers_and_no_others(cache: ResponseCache) -> None:
    for user, key in (("alice", "1"), ("bob", "2")):
        lead = await cache.look_up(_turn(user), key)
        await _keep(cache, lead)
    assert await cache.purge("alice") == 1
    assert (await cache.look_up(_turn("alice"), "1")).entry is None
    assert (await cache.look_up(_turn("bob"), "2")).entry == ENTRY


async def test_an_answer_that_was_under_way_when_its_user_was_purged_is_not_kept(cache: ResponseCache) -> None:
    lead = await cache.look_up(_turn(), "k")
    await cache.purge("alice")
    assert not await _keep(cache, lead)
    lead.close()
    assert (await cache.look_up(_turn(), "k")).entry is None


async def test_an_answer_that_was_being_written_when_its_user_was_purged_is_taken_back(cache: ResponseCache, store: SlowStore) -> None:
    store.may_put.clear()
    lead = await cache.look_up(_turn(), "k")
    keeping = asyncio.create_task(_keep(cache, lead))
    await store.writing.wait()
    await cache.purge("alice")
    store.may_put.set()
    assert not await keeping
    assert await store.get("k") is None


async def test_taking_an_answer_back_from_a_store_that_is_away_fails_no_request(flights: Flights) -> None:
    store = FailingPurge()
    cache = ResponseCache(store, flights, "on")
    store.may_put.clear()
    lead = await cache.look_up(_turn(), "k")
    keeping = asyncio.create_task(_keep(cache, lead))
    await store.writing.wait()
    flights.void("user:alice")
    store.may_put.set()
    assert not await keeping


class FailingPurge(SlowStore):
    async def purge(self, owner: str) -> int:
        raise StorageError("away")


async def test_an_attempt_misses_keeps_and_then_hits(cache: ResponseCache) -> None:
    first = await use_cache(cache, _turn(), SealedRequest(), "1")
    assert (first.outcome, first.entry, first.keeps) == ("miss", None, True)
    await first.keep(200, HEADERS, BODY)
    first.close()
    again = await use_cache(cache, _turn(), SealedRequest(), "1")
    assert (again.outcome, again.entry, again.keeps) == ("hit", ENTRY, False)


@pytest.mark.parametrize("turn", [_turn(None), _turn(no_cache=True)])
async def test_an_attempt_that_bypasses_keeps_nothing(cache: ResponseCache, flights: Flights, turn: Turn) -> None:
    use = await use_cache(cache, turn, SealedRequest(), "1")
    assert (use.outcome, use.entry, use.keeps) == ("bypass", None, False)
    await use.keep(200, HEADERS, BODY)
    use.close()
    assert len(flights) == 0


async def test_one_users_answer_is_never_anothers_hit(cache: ResponseCache) -> None:
    mine = await use_cache(cache, _turn("alice"), SealedRequest(), "1")
    await mine.keep(200, HEADERS, BODY)
    mine.close()
    for other in ("bob", "Alice", "alice ", "key:alice", "user:alice"):
        assert (await use_cache(cache, _turn(other), SealedRequest(), "1")).outcome == "miss"


async def test_one_user_never_waits_for_anothers_answer(cache: ResponseCache) -> None:
    assert (await use_cache(cache, _turn("alice"), SealedRequest(), "1")).keeps
    assert (await use_cache(cache, _turn("bob"), SealedRequest(), "1")).keeps


def test_an_unused_part_closes_quietly() -> None:
    CacheUse().close()


def test_the_key_and_the_wish_agree(cache: ResponseCache) -> None:
    for turn in (_turn(), _turn(None), _turn(no_cache=True)):
        assert cache.wanted(turn) == (cache_key(turn, SealedRequest(), "1") is not None)
