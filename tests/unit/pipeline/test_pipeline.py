import asyncio

import orjson
import pytest

from gateway.errors import NotFound, UpstreamBroken, UpstreamUnavailable
from providers.base import NewMemory
from tests.fakes.turns import a_turn
from tests.fakes.upstreams import FakeUpstream, event, plain, refusal, streamed

SECRET = "gh" + "p_" + "Zk3vQ9xT7bLw2Rn8Yc5Hd" + "1Js6Mf4Pg0aUeK"


def named(reply):
    return {name.decode(): value.decode() for name, value in reply.headers}


async def read(reply):
    try:
        return [piece async for piece in reply.pieces]
    finally:
        reply.close()


async def remember(scene, *texts, user="alice"):
    await scene.provider.add(user, [NewMemory(text) for text in texts])


async def test_the_answer_goes_to_the_client_as_it_came(scene):
    answer = plain("hello", headers=[(b"x-request-id", b"req_77"), (b"set-cookie", b"a=b"), (b"keep-alive", b"timeout=5")])
    here = scene(FakeUpstream("local", answer))
    reply = await here.pipeline.answer(a_turn("hi"))
    assert (reply.status, orjson.loads(reply.body)["choices"][0]["message"]["content"]) == (200, "hello")
    assert named(reply)["x-request-id"] == "req_77"
    assert not {"set-cookie", "keep-alive"} & set(named(reply))
    assert answer.closed


async def test_each_user_gets_only_their_own_memories(scene):
    here = scene(FakeUpstream("local"))
    await remember(here, "secret of alice about tea")
    await remember(here, "secret of bob about tea", user="bob")
    replies = await asyncio.gather(*(here.pipeline.answer(a_turn("about tea?", user=user)) for user in ("alice", "bob") * 10))
    assert len(replies) == 20
    for outbound in here.upstreams["local"].sent:
        text = outbound.body.decode()
        assert ("secret of alice" in text) != ("secret of bob" in text)


async def test_without_a_user_the_body_leaves_byte_for_byte_as_it_came(scene):
    here = scene(FakeUpstream("local"))
    raw = b'{ "model": "m",  "messages": [{"role":"user","content":"hi \\u00e5"}], "x": 1.50 }'
    turn = a_turn(user=None, body=orjson.loads(raw))
    await here.pipeline.answer(type(turn)(**{f: getattr(turn, f) for f in turn.__dataclass_fields__} | {"raw": raw}))
    assert here.upstreams["local"].sent[0].body == raw


async def test_the_headers_say_what_was_injected(scene):
    here = scene(FakeUpstream("local"))
    await remember(here, "I like tea")
    headers = named(await here.pipeline.answer(a_turn("tea or coffee")))
    assert headers["x-eluvix-memory"] == "hit;1"
    assert int(headers["x-eluvix-memory-tokens"]) > 10
    assert (headers["x-eluvix-upstream"], headers["x-eluvix-cache"]) == ("local", "bypass")
    assert named(await here.pipeline.answer(a_turn("nothing fits")))["x-eluvix-memory"] == "miss"
    assert named(await here.pipeline.answer(a_turn("tea", user=None)))["x-eluvix-memory"] == "off;no-user"


async def test_failing_over_to_the_cloud_guards_again_from_the_original(scene):
    here = scene(FakeUpstream("local", UpstreamUnavailable("down")), FakeUpstream("cloud", local=False))
    await remember(here, f"my token is {SECRET} tea", "I like green tea")
    reply = await here.pipeline.answer(a_turn("tea"))
    (to_local,), (to_cloud,) = here.upstreams["local"].sent, here.upstreams["cloud"].sent
    assert SECRET.encode() in to_local.body
    assert SECRET.encode() not in to_cloud.body
    assert b"green tea" in to_cloud.body
    assert named(reply)["x-eluvix-memory"] == "hit;1;filtered=1"
    assert named(reply)["x-eluvix-upstream"] == "cloud"


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504, 522, 529])
async def test_a_refusal_is_passed_over_while_there_is_another_and_handed_on_when_not(scene, status):
    refused = refusal(status, "slow down", [(b"retry-after", b"30")])
    here = scene(
        FakeUpstream("one", refused, refusal(status, "slow down", [(b"retry-after", b"30")])), FakeUpstream("two", plain("second"))
    )
    assert (await here.pipeline.answer(a_turn("hi"))).status == 200
    assert refused.closed
    alone = scene(FakeUpstream("one", refusal(status, "slow down", [(b"retry-after", b"30")])))
    reply = await alone.pipeline.answer(a_turn("hi"))
    assert (reply.status, named(reply)["retry-after"]) == (status, "30")


async def test_a_clients_own_mistake_is_not_tried_elsewhere(scene):
    here = scene(FakeUpstream("one", refusal(400)), FakeUpstream("two"))
    assert (await here.pipeline.answer(a_turn("hi"))).status == 400
    assert here.upstreams["two"].sent == []


async def test_when_nobody_answers_the_last_problem_is_told(scene):
    here = scene(FakeUpstream("one", UpstreamUnavailable("refused")), FakeUpstream("two", UpstreamUnavailable("timed out")))
    with pytest.raises(UpstreamUnavailable, match="timed out"):
        await here.pipeline.answer(a_turn("hi"))


async def test_an_unknown_model_is_told_so_and_reaches_nobody(scene):
    here = scene(FakeUpstream("one"), routes={"known": ["one"]})
    with pytest.raises(NotFound, match="known"):
        await here.pipeline.answer(a_turn("hi", model="knwon"))


async def test_the_upstreams_key_is_taken_out_of_its_error(scene):
    key = "upstream-" + "secret-key"
    here = scene(FakeUpstream("one", refusal(401, f"bad key {key}", [(b"x-debug", key.encode())]), api_key=key))
    reply = await here.pipeline.answer(a_turn("hi"))
    assert key.encode() not in reply.body
    assert key not in str(named(reply))
    assert int(named(reply)["content-length"]) == len(reply.body)


async def test_a_finished_turn_is_committed_once_with_question_and_answer(scene):
    here = scene(FakeUpstream("local", plain("noted")))
    await here.pipeline.answer(a_turn("I like teal"))
    ((exchange),) = here.outbox.exchanges
    assert (exchange.user, exchange.question, exchange.answer) == ("alice", "I like teal", "noted")


async def test_a_stream_is_handed_on_piece_by_piece_and_committed_before_its_last_event(scene):
    here = scene(FakeUpstream("local", streamed("Papa", "geien 🦜")))
    reply = await here.pipeline.answer(a_turn("I keep parrots", body={"stream": True}))
    seen = [(piece, len(here.outbox.exchanges)) async for piece in reply.pieces]
    reply.close()
    assert b"".join(piece for piece, _ in seen) == event("Papa") + event("geien 🦜") + event(None, "stop") + b"data: [DONE]\n\n"
    assert [count for _, count in seen] == [0, 0, 0, 1]
    assert here.outbox.exchanges[0].answer == "Papageien 🦜"


@pytest.mark.parametrize(
    "answer",
    [
        refusal(400),
        plain("x", error={"message": "boom"}),
        streamed("par", broken=True),
        streamed("par", done=False),
    ],
)
async def test_what_failed_or_was_cut_short_is_not_committed(scene, answer):
    here = scene(FakeUpstream("local", answer))
    reply = await here.pipeline.answer(a_turn("I own a boat"))
    if reply.pieces is not None:
        await read(reply)
    assert here.outbox.exchanges == []


async def test_a_client_that_leaves_cancels_the_upstream_and_commits_nothing(scene):
    answer = streamed("one", "two", "three")
    here = scene(FakeUpstream("local", answer))
    reply = await here.pipeline.answer(a_turn("q"))
    await anext(reply.pieces)
    await reply.pieces.aclose()
    reply.close()
    assert answer.closed
    assert answer.taken == 1
    assert here.outbox.exchanges == []


async def test_a_reply_whose_stream_never_began_is_closed_too(scene):
    answer = streamed("one")
    here = scene(FakeUpstream("local", answer), cache="on")
    reply = await here.pipeline.answer(a_turn("q"))
    reply.close()
    assert answer.closed
    async with asyncio.timeout(5):  # the next identical request does not wait for the one that left
        (await here.pipeline.answer(a_turn("q"))).close()


async def test_a_stream_that_breaks_ends_with_an_error_event_and_no_end_mark(scene):
    here = scene(FakeUpstream("local", streamed("par", broken=True)))
    pieces = await read(await here.pipeline.answer(a_turn("q")))
    assert pieces[0] == event("par")
    assert orjson.loads(pieces[1].removeprefix(b"data: "))["error"]["code"] == "upstream_broken"
    assert b"[DONE]" not in b"".join(pieces)


async def test_a_plain_answer_that_breaks_is_an_error_and_not_tried_again(scene):
    answer = plain("x")
    answer._pieces.append(UpstreamBroken("cut"))
    here = scene(FakeUpstream("one", answer), FakeUpstream("two"))
    with pytest.raises(UpstreamBroken):
        await here.pipeline.answer(a_turn("q"))
    assert here.upstreams["two"].sent == []


async def test_an_outbox_that_fails_costs_the_client_nothing(scene):
    here = scene(FakeUpstream("local", plain("fine"), streamed("fine")))
    here.outbox.problem = OSError("disk full")
    assert (await here.pipeline.answer(a_turn("q"))).status == 200
    assert b"[DONE]" in b"".join(await read(await here.pipeline.answer(a_turn("q"))))


async def test_what_inspect_echoes_is_not_stored_as_an_answer(scene):
    here = scene(FakeUpstream("inspect", plain("an echo of the whole request"), kind="inspect"))
    await here.pipeline.answer(a_turn("I like teal"))
    assert here.outbox.exchanges[0].answer == ""


async def test_an_identical_request_of_the_same_user_is_answered_from_the_cache(scene):
    here = scene(FakeUpstream("local", plain("lima"), plain("again")), cache="on")
    first = await here.pipeline.answer(a_turn("capital of Peru?"))
    second = await here.pipeline.answer(a_turn("capital of Peru?"))
    other = await here.pipeline.answer(a_turn("capital of Peru?", user="bob"))
    assert (named(first)["x-eluvix-cache"], named(second)["x-eluvix-cache"], named(other)["x-eluvix-cache"]) == ("miss", "hit", "miss")
    assert second.body == first.body != other.body
    assert len(here.outbox.exchanges) == 2  # a hit is not committed again


async def test_a_stream_is_replayed_as_a_stream(scene):
    here = scene(FakeUpstream("local", streamed("li", "ma")), cache="on")
    first = b"".join(await read(await here.pipeline.answer(a_turn("q"))))
    second = await here.pipeline.answer(a_turn("q"))
    assert second.body == first
    assert named(second)["content-type"] == "text/event-stream"
    assert len(here.upstreams["local"].sent) == 1


async def test_a_preview_shows_both_sides_and_sends_nothing(scene):
    here = scene(FakeUpstream("local"), FakeUpstream("cloud", local=False))
    await remember(here, f"token {SECRET} tea", "green tea")
    shown = await here.pipeline.preview("alice", "tea", None, "cloud")
    assert SECRET in shown["block"]
    assert SECRET not in shown["egress"]["block"]
    assert (shown["egress"]["filtered"], len(shown["items"])) == (1, 2)
    assert (await here.pipeline.preview("alice", "tea", None, "local"))["egress"]["block"] == shown["block"]
    assert all(not upstream.sent for upstream in here.upstreams.values())
    with pytest.raises(NotFound):
        await here.pipeline.preview("alice", "tea", None, "nowhere")


async def test_a_stream_is_complete_at_its_end_mark_whatever_the_connection_does_then(scene):
    answer = streamed("fine")
    answer._pieces.append(UpstreamBroken("cut"))
    here = scene(FakeUpstream("local", answer))
    pieces = await read(await here.pipeline.answer(a_turn("I like teal")))
    assert pieces[-1] == b"data: [DONE]\n\n"
    assert len(here.outbox.exchanges) == 1


async def test_what_stands_behind_the_end_mark_is_passed_on(scene):
    answer = streamed("fine")
    answer._pieces.append(b": bye\n\n")
    here = scene(FakeUpstream("local", answer))
    assert (await read(await here.pipeline.answer(a_turn("q"))))[-1] == b": bye\n\n"


async def test_without_a_user_a_finished_stream_gets_no_error_either(scene):
    answer = streamed("fine")
    answer._pieces.append(UpstreamBroken("cut"))
    here = scene(FakeUpstream("local", answer))
    assert b"error" not in b"".join(await read(await here.pipeline.answer(a_turn("q", user=None))))


async def test_an_error_that_comes_as_a_stream_is_redacted_too(scene):
    key = "upstream-" + "secret-key"
    refused = refusal(401, f"bad key {key}")
    refused.headers = [(b"content-type", b"text/event-stream")]
    reply = await scene(FakeUpstream("one", refused, api_key=key)).pipeline.answer(a_turn("hi"))
    assert key.encode() not in reply.body


async def test_an_upstream_cannot_speak_in_the_gateways_name(scene):
    answer = plain(headers=[(b"x-eluvix-memory", b"hit;99"), (b"x-eluvix-upstream", b"evil")])
    reply = await scene(FakeUpstream("one", answer)).pipeline.answer(a_turn("hi"))
    assert [value for name, value in reply.headers if name == b"x-eluvix-upstream"] == [b"one"]


@pytest.mark.parametrize("status", [0, 199, 600, 999])
async def test_a_status_that_does_not_exist_is_an_upstream_that_does_not_answer(scene, status):
    with pytest.raises(UpstreamUnavailable, match=str(status)):
        await scene(FakeUpstream("one", plain(status=status))).pipeline.answer(a_turn("hi"))


@pytest.mark.parametrize(
    "messages", [5, True, "x", [5], [{"role": [], "content": "x"}], [{"role": "user", "content": [{"type": [], "text": "x"}]}]]
)
async def test_messages_of_an_odd_shape_are_the_upstreams_business(scene, messages):
    here = scene(FakeUpstream("one"))
    assert (await here.pipeline.answer(a_turn(body={"messages": messages}))).status == 200
    assert here.upstreams["one"].bodies[0]["messages"] == messages


@pytest.mark.parametrize("content", [5, {"a": 1}, True])
async def test_a_system_message_that_is_no_text_stays_as_it_is(scene, content):
    here = scene(FakeUpstream("one"))
    await remember(here, "I like tea")
    messages = [{"role": "system", "content": content}, {"role": "user", "content": "tea?"}]
    await here.pipeline.answer(a_turn(body={"messages": [*messages, {"role": "user", "content": "tea please"}]}))
    sent = here.upstreams["one"].bodies[0]["messages"]
    assert "I like tea" in sent[0]["content"]
    assert sent[1] == messages[0]
