"""What every store must do, run over all of `CACHES`; then what is special to the one in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gateway.cache import CACHES
from gateway.cache.memory import MemoryStore
from gateway.cache.store import Entry, StoreConfig
from tests.fakes.listing_upstream import FakeClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from gateway.cache.store import CacheStore

MIB = 1024 * 1024


def _entry(body: bytes = b"{}", *, stream: bool = False) -> Entry:
    return Entry(200, ((b"content-type", b"application/json"), (b"content-encoding", b"gzip")), body, stream)


@pytest.fixture(params=sorted(CACHES))
async def store(request: pytest.FixtureRequest) -> AsyncIterator[CacheStore]:
    store = CACHES[request.param](StoreConfig(ttl_s=3600, max_mib=1))
    yield store
    await store.close()


async def test_what_was_put_is_got_byte_for_byte(store: CacheStore) -> None:
    entry = _entry(bytes(range(256)), stream=True)
    await store.put("k", "user:a", entry)
    assert await store.get("k") == entry


async def test_a_key_that_was_never_put_has_nothing(store: CacheStore) -> None:
    await store.put("k", "user:a", _entry())
    assert await store.get("other") is None


async def test_a_later_entry_takes_the_place_of_an_earlier_one(store: CacheStore) -> None:
    await store.put("k", "user:a", _entry(b"1"))
    await store.put("k", "user:a", _entry(b"2"))
    assert await store.get("k") == _entry(b"2")
    assert await store.purge("user:a") == 1


async def test_purging_removes_all_of_one_owner_and_nothing_of_others(store: CacheStore) -> None:
    for key, owner in (("1", "user:a"), ("2", "user:a"), ("3", "user:b"), ("4", "user:aa")):
        await store.put(key, owner, _entry())
    assert await store.purge("user:a") == 2
    assert [await store.get(key) is not None for key in "1234"] == [False, False, True, True]


async def test_purging_an_owner_without_entries_removes_nothing(store: CacheStore) -> None:
    assert await store.purge("user:nobody") == 0
    await store.put("1", "user:a", _entry())
    await store.purge("user:a")
    assert await store.purge("user:a") == 0


async def test_after_a_purge_new_entries_are_kept_again(store: CacheStore) -> None:
    await store.put("1", "user:a", _entry())
    await store.purge("user:a")
    await store.put("1", "user:a", _entry(b"new"))
    assert await store.get("1") == _entry(b"new")


async def test_an_entry_over_the_whole_size_is_not_kept_and_does_no_harm(store: CacheStore) -> None:
    await store.put("small", "user:a", _entry())
    await store.put("large", "user:a", _entry(bytes(MIB + 1)))
    assert await store.get("large") is None
    assert await store.get("small") is not None


async def test_an_entry_that_has_grown_too_large_leaves_no_old_one_behind(store: CacheStore) -> None:
    await store.put("k", "user:a", _entry())
    await store.put("k", "user:a", _entry(bytes(MIB + 1)))
    assert await store.get("k") is None
    assert await store.purge("user:a") == 0


async def test_a_closed_store_holds_nothing(store: CacheStore) -> None:
    await store.put("k", "user:a", _entry())
    await store.close()
    assert await store.get("k") is None


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def memory(clock: FakeClock) -> MemoryStore:
    return MemoryStore(StoreConfig(ttl_s=60, max_mib=1), clock)


async def test_an_entry_expires(memory: MemoryStore, clock: FakeClock) -> None:
    await memory.put("k", "user:a", _entry())
    clock.now += 59
    assert await memory.get("k") is not None
    clock.now += 1
    assert await memory.get("k") is None


async def test_a_hit_does_not_prolong_an_entrys_life(memory: MemoryStore, clock: FakeClock) -> None:
    await memory.put("k", "user:a", _entry())
    clock.now += 40
    await memory.get("k")
    clock.now += 20
    assert await memory.get("k") is None


async def test_expired_entries_are_not_counted_as_purged(memory: MemoryStore, clock: FakeClock) -> None:
    await memory.put("old", "user:a", _entry())
    clock.now += 60
    await memory.put("new", "user:a", _entry())
    assert await memory.purge("user:a") == 1
    assert memory.size == 0


async def test_an_expired_entry_can_be_put_anew(memory: MemoryStore, clock: FakeClock) -> None:
    await memory.put("k", "user:a", _entry())
    clock.now += 60
    await memory.put("k", "user:a", _entry(b"new"))
    assert await memory.get("k") == _entry(b"new")
    assert await memory.purge("user:a") == 1


async def test_the_least_recently_used_entries_make_room(memory: MemoryStore) -> None:
    for key in "abc":
        await memory.put(key, "user:a", _entry(bytes(300_000)))
    await memory.get("a")
    await memory.put("d", "user:b", _entry(bytes(300_000)))
    assert [key for key in "abcd" if await memory.get(key)] == ["a", "c", "d"]
    assert memory.size <= MIB


async def test_entries_that_made_room_are_not_counted_as_purged(memory: MemoryStore) -> None:
    for key in "abcdef":
        await memory.put(key, f"user:{key}", _entry(bytes(600_000)))
    assert [await memory.purge(f"user:{key}") for key in "abcdef"] == [0, 0, 0, 0, 0, 1]
    assert memory.size == 0


async def test_a_thousand_empty_answers_have_a_size_too(memory: MemoryStore) -> None:
    for number in range(2000):
        await memory.put(str(number), "user:a", _entry(b""))
    assert 0 < await memory.purge("user:a") < 1024


async def test_a_key_that_changes_hands_belongs_to_the_last_owner(memory: MemoryStore) -> None:
    await memory.put("k", "user:a", _entry())
    await memory.put("k", "user:b", _entry())
    assert await memory.purge("user:a") == 0
    assert await memory.get("k") is not None
