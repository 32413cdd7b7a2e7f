"""What the pipeline counts of a request, however it ends."""

import pytest

from gateway.errors import NotFound, UpstreamBroken, UpstreamUnavailable
from providers.base import NewMemory
from tests.fakes.turns import a_turn
from tests.fakes.upstreams import FakeUpstream, plain, streamed

CHAT = "/chat/completions"


def requests(here, upstream, status):
    return here.figure("eluvix_requests_total", endpoint=CHAT, upstream=upstream, status=str(status))


async def test_a_request_that_nobody_answered_is_counted_under_no_upstream(scene):
    here = scene(FakeUpstream("one", UpstreamUnavailable("down")))
    with pytest.raises(UpstreamUnavailable):
        await here.pipeline.answer(a_turn("hi"))
    assert requests(here, "none", 502) == 1
    assert here.figure("eluvix_upstream_errors_total", upstream="one", kind="upstream_unavailable") == 1


async def test_a_request_for_an_unknown_model_is_counted(scene):
    here = scene(FakeUpstream("one"), routes={"known": ["one"]})
    with pytest.raises(NotFound):
        await here.pipeline.answer(a_turn("hi", model="unknown"))
    assert requests(here, "none", 404) == 1


async def test_a_plain_answer_that_breaks_off_counts_against_its_upstream(scene):
    answer = plain("x")
    answer._pieces.append(UpstreamBroken("cut"))
    here = scene(FakeUpstream("one", answer))
    with pytest.raises(UpstreamBroken):
        await here.pipeline.answer(a_turn("q"))
    assert here.figure("eluvix_upstream_errors_total", upstream="one", kind="upstream_broken") == 1
    assert requests(here, "none", 502) == 1


async def test_a_stream_is_counted_once_also_when_it_breaks_or_its_client_leaves(scene):
    here = scene(FakeUpstream("one", streamed("a"), streamed("a", broken=True), streamed("a", "b")))
    for _ in range(2):
        reply = await here.pipeline.answer(a_turn("q"))
        assert [piece async for piece in reply.pieces]
        reply.close()
    leaving = await here.pipeline.answer(a_turn("q"))
    await anext(leaving.pieces)
    await leaving.pieces.aclose()
    leaving.close()
    assert requests(here, "one", 200) == 3


async def test_the_guard_is_counted_where_a_block_was_on_its_way_to_a_cloud(scene):
    here = scene(FakeUpstream("local", UpstreamUnavailable("down")), FakeUpstream("cloud", local=False))
    await here.provider.add("alice", [NewMemory("write to jo.baker@" + "gmail.com about tea"), NewMemory("green tea")])
    await here.pipeline.answer(a_turn("tea"))
    await here.pipeline.answer(a_turn("nothing fits"))
    assert here.figure("eluvix_guard_actions_total", action="filtered") == 1
    assert here.figure("eluvix_guard_actions_total", action="passed") == 0


async def test_cache_look_ups_are_counted_by_outcome(scene):
    here = scene(FakeUpstream("local"), cache="on")
    for user in ("alice", "alice", None):
        await here.pipeline.answer(a_turn("capital of Peru?", user=user))
    assert [here.figure("eluvix_cache_total", outcome=outcome) for outcome in ("miss", "hit", "bypass")] == [1, 1, 1]


async def test_recalls_are_counted_also_those_that_were_not_made(scene):
    here = scene(FakeUpstream("local"))
    await here.provider.add("alice", [NewMemory("green tea")])
    for text, user in (("tea", "alice"), ("nothing fits", "alice"), ("tea", None)):
        await here.pipeline.answer(a_turn(text, user=user))
    assert [here.figure("eluvix_recalls_total", status=status) for status in ("hit", "miss", "off")] == [1, 1, 1]
