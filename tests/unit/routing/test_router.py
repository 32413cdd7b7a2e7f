from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from gateway.errors import ConfigError, NotFound
from gateway.routing.breaker import BreakerLimits, Breakers
from gateway.routing.catalog import Catalog
from gateway.routing.offer import Freshness
from gateway.routing.router import Router
from gateway.routing.routes import Route, Routes, RouteTarget
from tests.fakes.listing_upstream import FakeClock, FakeUpstream, by_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gateway.routing.plan import Plan


@dataclass
class World:
    """A router and what it stands on."""

    upstreams: Sequence[FakeUpstream]
    routes: Sequence[Route] = ()
    declared: Mapping[str, Sequence[str]] = field(default_factory=dict)
    rewrites: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.clock = FakeClock()
        self.breakers = Breakers({upstream.config.name: BreakerLimits(1, 30) for upstream in self.upstreams}, self.clock)
        upstreams = by_name(*self.upstreams)
        freshness = Freshness(wait_s=10_000, ask_s=10_000, clock=self.clock)
        self.catalog = Catalog(upstreams, self.declared, freshness, aliases=("alias",), renamed=self.rewrites)
        self.router = Router(upstreams, Routes(self.routes), self.catalog, self.breakers, self.rewrites)


def _route(pattern: str, *targets: str | RouteTarget) -> Route:
    return Route(pattern, tuple(RouteTarget(to) if isinstance(to, str) else to for to in targets))


def _tried(plan: Plan | None) -> list[tuple[str, str]]:
    assert plan is not None
    return [(target.upstream.config.name, target.model) for target in plan.targets]


def test_a_route_is_planned_at_once_without_asking_anyone() -> None:
    one, two = FakeUpstream("one"), FakeUpstream("two")
    world = World([one, two], [_route("gpt-*", "two", RouteTarget("one", "llama3"))])
    plan = world.router.plan("gpt-4o")
    assert _tried(plan) == [("two", "gpt-4o"), ("one", "llama3")]
    assert plan is not None
    assert plan.route == "gpt-*"
    assert one.asked == two.asked == 0


async def test_a_route_comes_before_an_address_and_before_whoever_has_the_model() -> None:
    world = World([FakeUpstream("one", "a", "one/a"), FakeUpstream("two")], [_route("*a", "two")])
    assert _tried(await world.router.resolve("one/a")) == [("two", "one/a")]
    assert _tried(await world.router.resolve("a")) == [("two", "a")]


async def test_an_address_goes_to_its_upstream_whatever_that_lists() -> None:
    world = World([FakeUpstream("one", "a"), FakeUpstream("two", "a")])
    plan = await world.router.resolve("two/unlisted")
    assert _tried(plan) == [("two", "unlisted")]
    assert plan.route == "two"
    assert world.router.plan("two/unlisted") == plan


async def test_an_address_waits_until_it_is_known_that_it_is_no_model() -> None:
    world = World([FakeUpstream("openai", "gpt"), FakeUpstream("router", "openai/gpt")])
    assert world.router.plan("openai/gpt") is None
    assert _tried(await world.router.resolve("openai/gpt")) == [("router", "openai/gpt")]


async def test_an_address_beats_an_upstream_that_takes_everything() -> None:
    world = World([FakeUpstream("all"), FakeUpstream("ollama", "llama3")], declared={"all": ["*"]})
    assert _tried(await world.router.resolve("ollama/llama3")) == [("ollama", "llama3")]
    assert _tried(await world.router.resolve("llama3")) == [("all", "llama3")]


async def test_without_a_route_the_first_upstream_that_has_the_model_gets_it() -> None:
    world = World([FakeUpstream("one", "a"), FakeUpstream("two", "a", "b")])
    assert world.router.plan("b") is None
    assert _tried(await world.router.resolve("b")) == [("two", "b")]
    assert _tried(world.router.plan("a")) == [("one", "a")]


async def test_names_are_rewritten_for_the_upstream_and_only_for_it() -> None:
    rewrites = {"one": {"fast": "llama3:8b"}}
    world = World([FakeUpstream("one"), FakeUpstream("two")], [_route("fast", "two", "one")], rewrites=rewrites)
    assert _tried(world.router.plan("fast")) == [("two", "fast"), ("one", "llama3:8b")]


async def test_an_address_and_a_declared_model_are_rewritten_too() -> None:
    world = World([FakeUpstream("one", "llama3")], rewrites={"one": {"fast": "llama3"}})
    assert _tried(await world.router.resolve("one/fast")) == [("one", "llama3")]
    assert _tried(await world.router.resolve("fast")) == [("one", "llama3")]


def test_a_routes_own_model_is_final() -> None:
    world = World([FakeUpstream("one")], [_route("x", RouteTarget("one", "fast"))], rewrites={"one": {"fast": "slow"}})
    assert _tried(world.router.plan("x")) == [("one", "fast")]


async def test_a_route_over_addresses_leaves_the_upstreams_name_out() -> None:
    world = World([FakeUpstream("ollama", "ollama/odd")], [_route("ollama/*", "ollama")])
    await world.catalog.locate("llama3")
    assert _tried(world.router.plan("ollama/llama3")) == [("ollama", "llama3")]
    assert _tried(world.router.plan("ollama/odd")) == [("ollama", "ollama/odd")]
    assert _tried(world.router.plan("ollama/")) == [("ollama", "ollama/")]


def test_an_upstream_with_an_open_breaker_is_tried_last() -> None:
    world = World([FakeUpstream("one"), FakeUpstream("two"), FakeUpstream("three")], [_route("*", "one", "two", "three")])
    world.breakers.failure("one")
    assert [name for name, _ in _tried(world.router.plan("x"))] == ["two", "three", "one"]


def test_an_upstream_with_an_open_breaker_stays_when_there_is_no_other() -> None:
    world = World([FakeUpstream("one")], [_route("*", "one")])
    world.breakers.failure("one")
    assert _tried(world.router.plan("x")) == [("one", "x")]


def test_when_all_breakers_are_open_the_order_is_kept() -> None:
    world = World([FakeUpstream("one"), FakeUpstream("two")], [_route("*", "one", "two")])
    world.breakers.failure("two")
    world.breakers.failure("one")
    assert [name for name, _ in _tried(world.router.plan("x"))] == ["one", "two"]


def test_after_the_cooldown_one_request_tries_it_first_and_the_next_does_not() -> None:
    world = World([FakeUpstream("one"), FakeUpstream("two")], [_route("*", "one", "two")])
    world.breakers.failure("one")
    world.clock.now += 30
    orders = [[name for name, _ in _tried(world.router.plan("x"))] for _ in range(2)]
    assert orders == [["one", "two"], ["two", "one"]]


def test_a_fallback_that_is_not_tried_keeps_its_one_try() -> None:
    world = World([FakeUpstream("one"), FakeUpstream("two")], [_route("a", "one", "two"), _route("b", "two", "one")])
    world.breakers.failure("two")
    world.clock.now += 30
    assert [name for name, _ in _tried(world.router.plan("a"))] == ["one", "two"]
    assert [name for name, _ in _tried(world.router.plan("b"))] == ["two", "one"]


def test_local_is_decided_by_the_name_that_the_upstream_is_sent() -> None:
    ollama = FakeUpstream("ollama", local=True, cloud_models=("*-cloud",))
    world = World([ollama, FakeUpstream("openai")], [_route("*", "ollama", RouteTarget("ollama", "big-cloud"), "openai")])
    plan = world.router.plan("llama3")
    assert plan is not None
    assert [target.local for target in plan.targets] == [True, False, False]


async def test_a_rewrite_to_a_cloud_model_is_not_local() -> None:
    ollama = FakeUpstream("ollama", local=True, cloud_models=("*-cloud",))
    world = World([ollama], [_route("*", "ollama")], rewrites={"ollama": {"big": "big-cloud"}})
    plan = world.router.plan("big")
    assert plan is not None
    assert not plan.targets[0].local


async def test_an_unknown_model_is_answered_with_what_was_meant_and_what_to_do() -> None:
    world = World([FakeUpstream("one", "gpt-4o"), FakeUpstream("down", down=True)])
    with pytest.raises(NotFound) as caught:
        await world.router.resolve("gpt4o")
    error = caught.value
    assert (error.status, error.code, error.param) == (404, "model_not_found", "model")
    assert "Did you mean 'gpt-4o'?" in str(error)
    assert "Not answering when asked for models: down" in str(error)
    assert "/v1/models" in str(error)


async def test_an_unknown_model_that_is_like_no_other_gets_no_suggestion() -> None:
    with pytest.raises(NotFound) as caught:
        await World([FakeUpstream("one", "gpt-4o")]).router.resolve("zzz")
    assert "Did you mean" not in str(caught.value)
    assert "Not answering" not in str(caught.value)


async def test_aliases_are_suggested_too() -> None:
    with pytest.raises(NotFound, match="Did you mean 'alias'"):
        await World([FakeUpstream("one")]).router.resolve("allias")


async def test_without_any_upstream_the_error_says_so() -> None:
    with pytest.raises(NotFound, match="No upstream is configured"):
        await World([]).router.resolve("gpt-4o")


async def test_the_error_repeats_an_endless_or_odd_name_only_in_part() -> None:
    with pytest.raises(NotFound) as caught:
        await World([FakeUpstream("one")]).router.resolve("x\n" + "y" * 10_000)
    assert len(str(caught.value)) < 500
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("target", "said"), [("olama", "did you mean 'ollama'"), ("zzz", "add it under `upstreams`")])
def test_a_route_to_an_upstream_that_is_not_there_is_a_mistake_in_the_config(target: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        World([FakeUpstream("ollama")], [_route("*", target)])


def test_an_upstream_can_be_named_without_a_model() -> None:
    world = World([FakeUpstream("one", local=True), FakeUpstream("two")])
    target = world.router.target("one")
    assert (target.upstream.config.name, target.local) == ("one", True)
    assert not world.router.target("two").local


def test_naming_an_upstream_that_is_not_there_lists_those_that_are() -> None:
    with pytest.raises(NotFound, match="Configured: one, two") as caught:
        World([FakeUpstream("one"), FakeUpstream("two")]).router.target("three")
    assert (caught.value.code, caught.value.param) == ("upstream_not_found", "upstream")
