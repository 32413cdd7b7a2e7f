from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from structlog.testing import capture_logs

from gateway.errors import UpstreamError
from gateway.routing.catalog import Catalog
from gateway.routing.offer import Freshness
from gateway.upstreams.base import ModelInfo
from tests.fakes.listing_upstream import FakeClock, FakeUpstream, by_name

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection, Mapping, Sequence

LONG = 10_000.0
"""Seconds that no test waits for: whatever ends a wait, it is not the clock."""


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


class Catalogs:
    """Makes catalogs that are closed after the test."""

    def __init__(self, clock: FakeClock) -> None:
        self._clock = clock
        self.made: list[Catalog] = []

    def __call__(
        self,
        *upstreams: FakeUpstream,
        declared: Mapping[str, Sequence[str]] | None = None,
        renamed: Mapping[str, Collection[str]] | None = None,
        aliases: Sequence[str] = (),
        wait_s: float = LONG,
        ask_s: float = LONG,
    ) -> Catalog:
        freshness = Freshness(ttl_s=60, wait_s=wait_s, again_s=2, ask_s=ask_s, clock=self._clock)
        catalog = Catalog(by_name(*upstreams), declared or {}, freshness, aliases=aliases, renamed=renamed or {})
        self.made.append(catalog)
        return catalog


@pytest.fixture
async def catalogs(clock: FakeClock) -> AsyncIterator[Catalogs]:
    catalogs = Catalogs(clock)
    yield catalogs
    for catalog in catalogs.made:
        await catalog.close()


async def _ids(catalog: Catalog) -> list[str]:
    return [entry["id"] for entry in await catalog.all()]


async def test_the_first_look_up_waits_until_the_upstreams_were_asked(catalogs: Catalogs) -> None:
    catalog = catalogs(FakeUpstream("one", "a"), FakeUpstream("two", "b"))
    assert catalog.owner("b") is None
    assert await catalog.locate("b") == "two"
    assert catalog.owner("b") == "two"


async def test_a_model_that_nobody_has_is_nobodys(catalogs: Catalogs) -> None:
    assert await catalogs(FakeUpstream("one", "a")).locate("b") is None


async def test_many_look_ups_at_a_time_ask_each_upstream_once(catalogs: Catalogs) -> None:
    one, two = FakeUpstream("one", "a"), FakeUpstream("two", "b")
    catalog = catalogs(one, two)
    found = await asyncio.gather(*(catalog.locate(model) for model in "abab"), catalog.locate("unknown"))
    assert found == ["one", "two", "one", "two", None]
    assert (one.asked, two.asked) == (1, 1)


async def test_of_two_upstreams_with_the_same_model_the_first_configured_has_it(catalogs: Catalogs) -> None:
    one, two = FakeUpstream("one", "a"), FakeUpstream("two", "a")
    one.gate.clear()
    catalog = catalogs(one, two)
    looking = asyncio.create_task(catalog.locate("a"))
    await one.begun.wait()
    await two.begun.wait()
    assert catalog.owner("a") is None, "two has it already, but one comes first and may have it too"
    one.gate.set()
    assert await looking == "one"


async def test_a_model_is_found_without_waiting_for_upstreams_that_come_later(catalogs: Catalogs) -> None:
    slow = FakeUpstream("slow", "b")
    slow.gate.clear()
    assert await catalogs(FakeUpstream("quick", "a"), slow).locate("a") == "quick"


async def test_a_look_up_gives_up_on_a_silent_upstream_and_uses_what_is_known(catalogs: Catalogs) -> None:
    silent = FakeUpstream("silent", "a")
    silent.gate.clear()
    catalog = catalogs(silent, FakeUpstream("two", "a"), wait_s=0.01)
    assert await catalog.locate("a") == "two"
    assert await catalog.locate("b") is None
    assert silent.asked == 1, "it is still being asked"


async def test_a_cancelled_look_up_does_not_take_the_asking_from_others(catalogs: Catalogs) -> None:
    one = FakeUpstream("one", "a")
    one.gate.clear()
    catalog = catalogs(one)
    first, second = (asyncio.create_task(catalog.locate("a")) for _ in range(2))
    await one.begun.wait()
    first.cancel()
    one.gate.set()
    assert await second == "one"
    assert first.cancelled()


async def test_an_old_list_is_renewed_in_the_background(catalogs: Catalogs, clock: FakeClock) -> None:
    one = FakeUpstream("one", "a")
    catalog = catalogs(one)
    await catalog.locate("a")
    one.offer("a", "b")
    clock.now += 59
    assert await _ids(catalog) == ["a"]
    assert one.asked == 1
    clock.now += 1
    one.begun.clear()
    assert catalog.owner("a") == "one", "what is known is served at once"
    await one.begun.wait()
    assert one.asked == 2
    assert catalog.owner("b") == "one"


async def test_an_unknown_model_makes_upstreams_be_asked_again_but_not_all_the_time(catalogs: Catalogs, clock: FakeClock) -> None:
    one = FakeUpstream("one", "a")
    catalog = catalogs(one)
    assert await catalog.locate("pulled") is None
    one.offer("a", "pulled")
    clock.now += 1.9
    assert await catalog.locate("pulled") is None
    clock.now += 0.1
    assert await catalog.locate("pulled") == "one"
    assert one.asked == 2


@pytest.mark.parametrize("problem", [UpstreamError("odd"), ValueError("a bug"), TimeoutError()])
async def test_an_upstream_that_fails_keeps_its_last_list_and_is_asked_again(
    catalogs: Catalogs, clock: FakeClock, problem: Exception
) -> None:
    one = FakeUpstream("one", "a")
    catalog = catalogs(one, FakeUpstream("two", "b"))
    await catalog.locate("a")
    one.listing, one.problem = None, problem
    clock.now += 60
    assert await catalog.locate("c") is None
    assert (catalog.owner("a"), catalog.silent) == ("one", ("one",))
    one.offer("a", "c")
    clock.now += 60
    assert await catalog.locate("c") == "one"
    assert catalog.silent == ()


async def test_an_upstream_that_is_down_at_the_start_holds_nobody_up(catalogs: Catalogs) -> None:
    catalog = catalogs(FakeUpstream("down", down=True), FakeUpstream("two", "b"))
    assert await catalog.locate("b") == "two"
    assert catalog.settled
    assert catalog.silent == ("down",)


async def test_an_upstream_that_never_answers_counts_as_failed_after_its_time(catalogs: Catalogs) -> None:
    never = FakeUpstream("never", "a")
    never.gate.clear()
    catalog = catalogs(never, ask_s=0.01)
    assert await catalog.locate("a") is None
    assert never.cancelled
    assert catalog.silent == ("never",)


async def test_an_upstream_with_only_plain_names_declared_is_never_asked(catalogs: Catalogs) -> None:
    one = FakeUpstream("one", "listed")
    catalog = catalogs(one, declared={"one": ["x", "y"]})
    assert catalog.settled
    assert catalog.owner("y") == "one"
    assert await catalog.locate("listed") is None
    assert await _ids(catalog) == ["x", "y"]
    assert one.asked == 0


async def test_declared_globs_decide_what_an_upstream_serves_and_shows(catalogs: Catalogs) -> None:
    catalog = catalogs(FakeUpstream("one", "gpt-4o", "whisper"), declared={"one": ["gpt-*", "o3"]})
    assert catalog.owner("gpt-unlisted") == "one", "a glob is known without asking"
    assert await catalog.locate("whisper") is None
    assert await _ids(catalog) == ["gpt-4o", "o3"]


async def test_a_name_that_an_upstream_rewrites_is_its_own_too(catalogs: Catalogs) -> None:
    catalog = catalogs(FakeUpstream("one", "a"), renamed={"one": {"fast": "a"}})
    assert await catalog.locate("fast") == "one"
    assert await _ids(catalog) == ["a", "fast"]


async def test_a_model_without_its_default_tag_is_found(catalogs: Catalogs) -> None:
    catalog = catalogs(FakeUpstream("ollama", "llama3:latest", "qwen:7b"))
    assert await catalog.locate("llama3") == "ollama"
    assert await catalog.locate("qwen") is None
    assert await _ids(catalog) == ["llama3:latest", "qwen:7b"]


async def test_the_list_has_openais_shape_and_keeps_an_upstreams_own_fields(catalogs: Catalogs) -> None:
    one = FakeUpstream("one")
    full = {"id": "a", "object": "x", "created": 7, "owned_by": "acme", "context_length": 8192}
    one.listing = [ModelInfo("a", full), ModelInfo("b", {"created": "2024", "owned_by": None})]
    catalog = catalogs(one, aliases=["fast"])
    assert await catalog.all() == [
        {"id": "a", "object": "model", "created": 7, "owned_by": "acme", "context_length": 8192},
        {"id": "b", "object": "model", "created": 0, "owned_by": "one"},
        {"id": "fast", "object": "model", "created": 0, "owned_by": "eluvix"},
    ]


async def test_the_list_is_in_a_fixed_order_and_names_each_model_once(catalogs: Catalogs) -> None:
    catalog = catalogs(FakeUpstream("two", "z", "c", "c"), FakeUpstream("one", "c", "b"), aliases=["b", "smart", "fast"])
    assert await _ids(catalog) == ["c", "z", "b", "smart", "fast"]
    assert catalog.known() == ["c", "z", "b", "smart", "fast"]


async def test_the_list_waits_no_longer_than_allowed(catalogs: Catalogs) -> None:
    silent = FakeUpstream("silent", "a")
    silent.gate.clear()
    assert await _ids(catalogs(silent, FakeUpstream("two", "b"), wait_s=0.01)) == ["b"]


async def test_asking_at_the_start_spares_the_first_request_the_wait(catalogs: Catalogs) -> None:
    one = FakeUpstream("one", "a")
    catalog = catalogs(one)
    catalog.refresh()
    await one.begun.wait()
    assert catalog.owner("a") == "one"
    assert one.asked == 1


async def test_an_address_names_a_configured_upstream_before_its_first_slash(catalogs: Catalogs) -> None:
    catalog = catalogs(FakeUpstream("ollama", "llama3"))
    assert catalog.address("ollama/org/llama3") == ("ollama", "org/llama3")
    assert catalog.address("ollama/") is None
    assert catalog.address("ollama") is None
    assert catalog.address("other/llama3") is None


async def test_a_model_whose_whole_name_looks_like_an_address_is_no_address(catalogs: Catalogs) -> None:
    catalog = catalogs(FakeUpstream("openai", "gpt"), FakeUpstream("router", "openai/gpt"))
    assert await catalog.locate("openai/gpt") == "router"
    assert catalog.address("openai/gpt") is None
    assert catalog.names("openai/gpt", "router")
    assert not catalog.names("openai/gpt", "openai")


async def test_closing_stops_the_asking(catalogs: Catalogs) -> None:
    one = FakeUpstream("one", "a")
    one.gate.clear()
    catalog = catalogs(one)
    catalog.refresh()
    await one.begun.wait()
    await catalog.close()
    assert one.cancelled


async def test_a_failing_upstream_is_logged_once_until_it_answers_again(catalogs: Catalogs, clock: FakeClock) -> None:
    one = FakeUpstream("one", down=True)
    catalog = catalogs(one)
    with capture_logs() as lines:
        for _ in range(3):
            clock.now += 60
            await catalog.locate("a")
        one.offer("a")
        clock.now += 60
        await catalog.locate("a")
        one.listing = None
        clock.now += 60
        await catalog.locate("b")
    assert one.asked == 5
    assert [(line["upstream"], line["error"]) for line in lines] == [("one", "UpstreamUnavailable")] * 2
