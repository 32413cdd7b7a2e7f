import json
from dataclasses import replace

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.egress.guard import Guard
from gateway.egress.policy import Policy
from gateway.egress.scan import Rules
from gateway.egress.verdicts import Verdicts
from gateway.errors import BadRequest
from gateway.routing.plan import Target
from gateway.turn import Outbound, Prepared, Recalled
from providers.base import Verdict
from tests.fakes.turns import a_memory, a_turn
from tests.fakes.upstreams import FakeUpstream
from tests.unit.pipeline.conftest import COUNTER, BlockWriter

POLICY = Policy(ner="off")
LOCAL = Target(FakeUpstream("local"), "m", local=True)
CLOUD = Target(FakeUpstream("cloud", local=False), "m", local=False)
STRIP = Target(FakeUpstream("strip", local=False, cloud_mode="strip"), "m", local=False)
TOKEN = "gh" + "p_" + "Zk3vQ9xT7bLw2Rn8Yc5Hd" + "1Js6Mf4Pg0aUeK"


async def nobody(texts):
    raise RuntimeError("no worker")


def guard_with(policy=POLICY, rules=None, classify=nobody):
    rules = rules or Rules(policy)
    return Guard(policy, rules, Verdicts(policy, rules, classify), BlockWriter(COUNTER))


def prepared(*memories, turn=None, limit=500):
    block = BlockWriter(COUNTER).pack(memories, limit)
    return Prepared(turn or a_turn("q"), Recalled("hit", None, block, limit))


async def system_text(guard, prepared, target):
    return orjson.loads((await guard.seal(prepared, target)).body)["messages"][0]["content"]


async def test_a_local_upstream_gets_the_block_whole():
    text = await system_text(guard_with(), prepared(a_memory(f"my token is {TOKEN}")), LOCAL)
    assert TOKEN in text


async def test_a_cloud_upstream_gets_credentials_removed_and_addresses_masked():
    memories = (a_memory(f"my token is {TOKEN}", 1), a_memory("mail ann.lee@mail-host.io for tea", 2), a_memory("I prefer tabs", 3))
    sealed = await guard_with().seal(prepared(*memories), CLOUD)
    text = orjson.loads(sealed.body)["messages"][0]["content"]
    assert TOKEN not in text
    assert "ann.lee" not in text
    assert "[redacted:email]" in text
    assert "I prefer tabs" in text
    assert (sealed.injected.filtered, len(sealed.injected.block.memories)) == (2, 2)


async def test_strip_leaves_no_trace():
    sealed = await guard_with().seal(prepared(a_memory("I prefer tabs")), STRIP)
    assert orjson.loads(sealed.body)["messages"] == [{"role": "user", "content": "q"}]
    assert sealed.injected.stripped
    assert sealed.injected.block.tokens == 0
    by_default = guard_with(replace(POLICY, cloud_mode="strip"))
    assert b"tabs" not in (await by_default.seal(prepared(a_memory("I prefer tabs")), CLOUD)).body


async def test_strip_also_removes_a_block_that_an_earlier_turn_left_in_the_request():
    stale = [{"role": "system", "content": "<recalled_context>\n- old fact\n</recalled_context>\nRules."}, {"role": "user", "content": "q"}]
    sealed = await guard_with().seal(prepared(turn=a_turn(body={"messages": stale})), STRIP)
    assert b"old fact" not in sealed.body
    assert b"Rules." in sealed.body


async def test_a_stored_verdict_is_looked_up_and_one_of_another_policy_or_text_is_not_believed():
    current = Verdict("medium", "masked at write", POLICY.version)
    assert "masked at write" in await system_text(guard_with(), prepared(a_memory("as it was", verdict=current)), CLOUD)
    stale = Verdict("none", f"my token is {TOKEN}", "another version")
    sealed = await guard_with().seal(prepared(a_memory(f"my token is {TOKEN}", verdict=stale)), CLOUD)
    assert TOKEN.encode() not in sealed.body


async def test_the_shorter_levels_of_a_masked_memory_do_not_leave():
    text = "mail ann.lee@mail-host.io about the harbour " + "and other things that take room " * 30
    memory = a_memory(text, l0="ann.lee at mail-host", l1="ann.lee and her harbour mail")
    sealed = await guard_with().seal(prepared(memory, limit=60), CLOUD)
    assert b"ann.lee" not in sealed.body


async def test_the_last_pass_finds_what_a_wrong_verdict_let_through():
    wrong = Verdict("none", f"my token is {TOKEN}", POLICY.version)
    sealed = await guard_with().seal(prepared(a_memory(f"my token is {TOKEN}", verdict=wrong)), CLOUD)
    assert TOKEN.encode() not in sealed.body


class Exploding:
    def scan(self, text):
        raise RuntimeError("a rule failed")


async def test_a_guard_that_fails_leaves_the_block_out_and_the_request_goes_on():
    sealed = await guard_with(rules=Exploding()).seal(prepared(a_memory("I prefer tabs", 1), a_memory("tea", 2)), CLOUD)
    assert orjson.loads(sealed.body)["messages"] == [{"role": "user", "content": "q"}]
    assert sealed.injected.filtered == 2


async def test_a_memory_without_a_verdict_stays_here_when_names_cannot_be_looked_for():
    with_names = guard_with(Policy(ner="on"), classify=nobody)
    assert b"tabs" not in (await with_names.seal(prepared(a_memory("I prefer tabs")), CLOUD)).body
    assert b"tabs" in (await with_names.seal(prepared(a_memory("I prefer tabs")), LOCAL)).body


async def test_the_clients_own_words_are_never_touched():
    turn = a_turn(f"here is {TOKEN}")
    assert TOKEN.encode() in (await guard_with().seal(prepared(turn=turn), CLOUD)).body


async def test_the_model_is_renamed_where_the_target_says_so_and_nothing_else():
    body = {"messages": [{"role": "user", "content": "q"}], "z": 1, "a": None}
    target = replace(LOCAL, model="other")
    sealed = await guard_with().seal(prepared(turn=a_turn(user=None, body=body)), target)
    assert orjson.loads(sealed.body) == {"model": "other"} | body
    assert list(orjson.loads(sealed.body)) == ["model", "messages", "z", "a"]


async def test_a_body_that_cannot_be_written_again_is_the_clients_mistake():
    turn = a_turn("q")
    turn.body["deep"] = object()
    with pytest.raises(BadRequest):
        await guard_with().seal(prepared(a_memory("x"), turn=turn), LOCAL)


def test_nobody_but_the_guard_can_make_an_outbound():
    with pytest.raises(TypeError, match="abstract"):
        Outbound()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.text(max_size=60), st.booleans(), st.text(max_size=60)), min_size=1, max_size=5), st.integers(40, 300))
async def test_no_secret_leaves_and_the_limit_holds_whatever_stands_around_it(parts, limit):
    memories = [a_memory(f"{before} {TOKEN if secret else 'x'} {after}", n) for n, (before, secret, after) in enumerate(parts)]
    sealed = await guard_with().seal(prepared(*memories, limit=limit), CLOUD)
    assert TOKEN.encode() not in sealed.body
    block = sealed.injected.block
    assert COUNTER.count(block.text) <= block.tokens <= limit


async def test_what_the_last_pass_takes_out_is_counted_and_the_limit_holds():
    """A wrong verdict on many memories: were they masked in place, the block would grow beyond its limit."""
    texts = [f"harbour {n} a{n}@mail-host.io b{n}@mail-host.io c{n}@mail-host.io" for n in range(12)]
    memories = [a_memory(text, n, verdict=Verdict("none", text, POLICY.version)) for n, text in enumerate(texts)]
    sealed = await guard_with().seal(prepared(*memories, a_memory("I prefer tabs", 99), limit=400), CLOUD)
    block = sealed.injected.block
    assert COUNTER.count(block.text) == block.tokens <= 400
    assert [memory.id for memory in block.memories] == ["m99"]
    assert sealed.injected.filtered == 12


async def test_hidden_characters_do_not_hide_anything_from_the_guard():
    sealed = await guard_with().seal(prepared(a_memory("mail ann\x02.lee@mail\x00-host.io", 1), a_memory("tea", 2)), CLOUD)
    assert b"ann" not in sealed.body


async def test_integers_of_over_64_bits_and_deep_nesting_arrive_as_they_came():
    deep = {}
    for _ in range(300):
        deep = {"a": deep}
    turn = a_turn("q")
    turn.body.update(seed=18446744073709551617, deep=deep)
    body = json.loads((await guard_with().seal(prepared(a_memory("x"), turn=turn), LOCAL)).body)
    assert body["seed"] == 18446744073709551617
