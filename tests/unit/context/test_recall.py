import asyncio

import pytest
from prometheus_client import CollectorRegistry

from gateway.context.block import BlockWriter
from gateway.context.recall import Recall, RecallLimits
from gateway.context.sticky import Sticky
from gateway.context.tokens import TokenCounter
from gateway.telemetry import Metrics
from gateway.turn import MemoryMode, Principal
from providers.base import ProviderUnavailable
from tests.fakes.turns import a_memory, a_turn

counter = TokenCounter()


class FakeProvider:
    name = "fake"

    def __init__(self, *memories, problem=None, hang=False):
        self.memories = list(memories)
        self.problem = problem
        self.hang = hang
        self.asked = []

    async def search(self, user, query, limit):
        self.asked.append((user, query, limit))
        if self.hang:
            await asyncio.Event().wait()
        if self.problem:
            raise self.problem
        return [memory for memory in self.memories if memory.user == user][:limit]


def recall_from(provider, sticky=None, **limits):
    return Recall(provider, BlockWriter(counter), RecallLimits(**limits), Metrics(CollectorRegistry()), sticky)


async def test_only_the_users_own_memories_are_recalled():
    provider = FakeProvider(a_memory("alice likes tea", 1), a_memory("bob likes coffee", 2, user="bob"))
    recalled = await recall_from(provider).recall(a_turn("drinks?", user="bob"))
    assert "bob likes coffee" in recalled.block.text
    assert "tea" not in recalled.block.text
    assert provider.asked[0][:2] == ("bob", "drinks?")


async def test_without_a_user_nobody_is_asked():
    provider = FakeProvider(a_memory("x"))
    recalled = await recall_from(provider).recall(a_turn("q", user=None))
    assert (recalled.status, recalled.detail, provider.asked) == ("off", "no-user", [])


async def test_opting_out_is_respected():
    provider = FakeProvider(a_memory("x"))
    turn = a_turn("q", memory=MemoryMode(recall=False, commit=True, reason="asked"))
    assert (await recall_from(provider).recall(turn)).detail == "asked"
    assert provider.asked == []


async def test_a_slow_provider_costs_the_deadline_and_no_more():
    recalled = await recall_from(FakeProvider(hang=True), timeout_s=0.01).recall(a_turn("q"))
    assert (recalled.status, recalled.detail, recalled.block.text) == ("error", "timeout", "")


@pytest.mark.parametrize("problem", [ProviderUnavailable("down"), RuntimeError("bug")])
async def test_a_failing_provider_means_no_memories(problem):
    recalled = await recall_from(FakeProvider(problem=problem)).recall(a_turn("q"))
    assert (recalled.status, recalled.detail) == ("error", "provider")


async def test_after_three_failures_the_provider_is_left_alone_for_a_while():
    provider = FakeProvider(problem=ProviderUnavailable("down"))
    recall = recall_from(provider)
    details = [(await recall.recall(a_turn("q"))).detail for _ in range(5)]
    assert details == ["provider"] * 3 + ["unavailable"] * 2
    assert len(provider.asked) == 3


async def test_a_key_may_set_its_own_limits():
    provider = FakeProvider(*(a_memory(f"fact number {n} about things", n) for n in range(10)))
    turn = a_turn("q", principal=Principal("alice", top_k=2, max_tokens=60))
    recalled = await recall_from(provider).recall(turn)
    assert len(recalled.block.memories) == 2
    assert recalled.block.tokens <= recalled.limit == 60


async def test_a_conversation_keeps_its_block_while_it_is_still_good():
    sticky = Sticky()
    provider = FakeProvider(*(a_memory(f"fact {n}", n) for n in range(4)))
    recall = recall_from(provider, sticky, top_k=3)
    first = await recall.recall(a_turn("start"))
    provider.memories = [provider.memories[n] for n in (1, 0, 3, 2)]  # another order, another third
    assert (await recall.recall(a_turn("start", "next"))).block.text == first.block.text


async def test_a_better_memory_changes_the_block_of_a_conversation():
    recall = recall_from(provider := FakeProvider(a_memory("old", 0)), Sticky(), top_k=2)
    await recall.recall(a_turn("start"))
    provider.memories.insert(0, a_memory("new and better", 1))
    assert "new and better" in (await recall.recall(a_turn("start", "next"))).block.text


async def test_what_was_forgotten_or_changed_does_not_stay_in_a_sticky_block():
    recall = recall_from(provider := FakeProvider(*(a_memory(f"fact {n}", n) for n in range(3))), Sticky(), top_k=3)
    await recall.recall(a_turn("start"))
    provider.memories = [provider.memories[0]._replace(text="fact 0 mended"), provider.memories[1]]
    text = (await recall.recall(a_turn("start", "next"))).block.text
    assert "fact 2" not in text
    assert "fact 0 mended" in text


async def test_another_user_with_the_same_words_has_a_block_of_their_own():
    sticky = Sticky()
    provider = FakeProvider(a_memory("of alice", 0), a_memory("of bob", 0, user="bob"))
    recall = recall_from(provider, sticky)
    await recall.recall(a_turn("hello"))
    assert "of alice" not in (await recall.recall(a_turn("hello", user="bob"))).block.text


async def test_an_image_without_text_asks_nothing():
    provider = FakeProvider(a_memory("x"))
    content = [{"type": "image_url", "image_url": {"url": "https://example.invalid/p.png"}}]
    turn = a_turn(body={"messages": [{"role": "user", "content": content}]})
    assert (await recall_from(provider).recall(turn)).status == "miss"
    assert provider.asked == []


async def test_a_failure_of_one_request_does_not_close_the_door_for_others():
    provider = FakeProvider(a_memory("x"), problem=ValueError("a row of this user is damaged"))
    recall = recall_from(provider)
    for _ in range(5):
        assert (await recall.recall(a_turn("q"))).detail == "provider"
    assert len(provider.asked) == 5
