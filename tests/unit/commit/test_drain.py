import asyncio

import pytest
from prometheus_client import CollectorRegistry

from gateway.commit.drain import Drain
from gateway.commit.outbox import Outbox
from gateway.memories import Memories
from gateway.telemetry import Metrics
from providers.base import NewMemory, ProviderRefused, ProviderUnavailable, ProviderUnclear, Verdict
from tests.fakes.exchanges import an_exchange
from tests.fakes.provider import DictProvider


async def classify(texts):
    return [Verdict("none", text, "p1") for text in texts]


async def levels(texts):
    return [(None, None)] * len(texts)


async def forgotten(user):
    return 0


class Digesting:
    """Keeps each question as a fact; fails for those that it was told to fail for."""

    def __init__(self, *poison):
        self.poison = poison
        self.calls = []

    async def __call__(self, exchanges):
        self.calls.append(len(exchanges))
        if any(exchange.question in self.poison for exchange in exchanges):
            raise RuntimeError("poison")
        return [[NewMemory(exchange.question, session=exchange.session)] for exchange in exchanges]


@pytest.fixture
def outbox(state):
    return Outbox(state)


def drain_of(outbox, provider, digest=None, classifier=classify):
    drain = Drain(outbox, provider, Metrics(CollectorRegistry()))
    drain.use(Memories(provider, classifier, levels, forgotten), digest or Digesting())
    return drain


async def test_turns_become_memories_of_their_own_users(outbox):
    provider = DictProvider()
    await outbox.append(an_exchange(1))
    await outbox.append(an_exchange(2, user="bob", question="Bob likes rum."))
    await drain_of(outbox, provider).flush()
    assert [m.text for m in provider.kept["alice"]] == ["I like thing 1."]
    assert [m.text for m in provider.kept["bob"]] == ["Bob likes rum."]
    assert (await outbox.counts()).pending == 0


async def test_a_batch_is_digested_in_one_call(outbox):
    digest = Digesting()
    for n in range(10):
        await outbox.append(an_exchange(n))
    await drain_of(outbox, DictProvider(), digest).flush()
    assert digest.calls == [10]


async def test_one_bad_turn_does_not_hold_up_the_others(outbox):
    provider = DictProvider()
    for n in range(3):
        await outbox.append(an_exchange(n))
    await drain_of(outbox, provider, Digesting("I like thing 1.")).flush()
    assert sorted(m.text for m in provider.kept["alice"]) == ["I like thing 0.", "I like thing 2."]
    assert (await outbox.counts()).pending == 1


async def test_a_provider_that_is_down_keeps_the_turn_waiting(outbox):
    provider = DictProvider()
    provider.problems = [ProviderUnavailable("down")]
    await outbox.append(an_exchange(1))
    await drain_of(outbox, provider).flush()
    counts = await outbox.counts()
    assert (counts.pending, counts.dead, provider.kept.get("alice", [])) == (1, 0, [])


async def test_a_refusal_is_final(outbox):
    provider = DictProvider()
    provider.problems = [ProviderRefused("no")]
    await outbox.append(an_exchange(1))
    await drain_of(outbox, provider).flush()
    assert (await outbox.counts()).dead == 1


async def test_a_provider_that_digests_gets_each_turn_whole_and_once(outbox):
    provider = DictProvider(digests_turns=True)
    await outbox.append(an_exchange(1, answer="fine"))
    drain = drain_of(outbox, provider)
    await drain.flush()
    await drain.flush()
    ((user, turn),) = provider.turns
    assert (user, turn.question, turn.answer, turn.key) == ("alice", "I like thing 1.", "fine", an_exchange(1).key)


async def test_a_turn_whose_outcome_is_unknown_is_not_sent_again(outbox):
    provider = DictProvider(digests_turns=True)
    provider.problems = [ProviderUnclear("no answer")]
    await outbox.append(an_exchange(1))
    await drain_of(outbox, provider).flush()
    assert (await outbox.counts()).dead == 1
    await outbox.append(an_exchange(2))
    await outbox.begin((await outbox.due(1))[0])  # and here the process ended
    await drain_of(outbox, provider).flush()
    assert provider.turns == []
    assert (await outbox.counts()).dead == 2


async def test_a_provider_that_is_down_is_asked_once_and_its_turns_keep_their_tries(outbox):
    provider = DictProvider()
    provider.problems = [ProviderUnavailable("down")] * 3
    for n in range(3):
        await outbox.append(an_exchange(n))
    assert not await drain_of(outbox, provider).flush()
    assert [row.attempts for row in await outbox.due(10)] == [0, 0]
    assert len(provider.problems) == 1  # one try for all, one for the first alone


async def test_a_turn_that_the_provider_fails_for_does_not_hold_up_the_others(outbox):
    provider = DictProvider()
    provider.problems = [ProviderUnavailable("odd")] * 2
    for n in range(3):
        await outbox.append(an_exchange(n))
    drain = drain_of(outbox, provider)
    assert not await drain.flush()
    assert await drain.flush()
    assert [m.text for m in provider.kept["alice"]] == ["I like thing 1.", "I like thing 2."]
    assert (await outbox.counts()).pending == 1


async def test_turns_wait_for_a_provider_that_digests_and_is_down(outbox):
    provider = DictProvider(digests_turns=True)
    provider.problems = [ProviderUnavailable("refused")]
    for n in range(3):
        await outbox.append(an_exchange(n))
    drain = drain_of(outbox, provider)
    assert not await drain.flush()
    assert await drain.flush()
    assert [turn.key for _, turn in provider.turns] == [an_exchange(1).key, an_exchange(2).key]
    counts = await outbox.counts()
    assert (counts.pending, counts.dead) == (1, 0)


@pytest.mark.parametrize("error", [ProviderRefused("no"), ProviderUnclear("no answer"), RuntimeError("a mistake of the provider's")])
async def test_what_did_not_surely_fail_is_not_sent_twice(outbox, error):
    provider = DictProvider(digests_turns=True)
    provider.problems = [error]
    await outbox.append(an_exchange(1))
    await drain_of(outbox, provider).flush()
    assert (await outbox.counts()).dead == 1


async def test_a_provider_elsewhere_gets_a_turn_masked(outbox):
    async def masking(texts):
        return [Verdict("medium", text.replace("thing", "[redacted:x]"), "p1") for text in texts]

    provider = DictProvider(digests_turns=True, local=False)
    await outbox.append(an_exchange(1, answer="a thing"))
    await drain_of(outbox, provider, classifier=masking).flush()
    ((_, turn),) = provider.turns
    assert (turn.question, turn.answer) == ("I like [redacted:x] 1.", "a [redacted:x]")


async def test_a_provider_elsewhere_gets_no_turn_that_is_highly_sensitive(outbox):
    async def secret(texts):
        return [Verdict("high", "", "p1") for _ in texts]

    provider = DictProvider(digests_turns=True, local=False)
    await outbox.append(an_exchange(1))
    await drain_of(outbox, provider, classifier=secret).flush()
    assert provider.turns == []
    assert await outbox.status(an_exchange(1).key) == ("alice", "done")


async def test_a_turn_that_nobody_can_judge_waits(outbox):
    async def broken(texts):
        raise RuntimeError("worker gone")

    provider = DictProvider(digests_turns=True, local=False)
    await outbox.append(an_exchange(1))
    await drain_of(outbox, provider, classifier=broken).flush()
    assert provider.turns == []
    counts = await outbox.counts()
    assert (counts.pending, counts.dead) == (1, 0)


async def test_a_user_who_is_erased_while_turns_are_digested_is_not_remembered_again(outbox):
    async def erasing(exchanges):
        await outbox.erase("alice")
        return await Digesting()(exchanges)

    provider = DictProvider()
    await outbox.append(an_exchange(1))
    await outbox.append(an_exchange(2, user="bob"))
    await drain_of(outbox, provider, erasing).flush()
    assert provider.kept["alice"] == []
    assert len(provider.kept["bob"]) == 1


async def test_a_turn_that_was_erased_is_not_handed_over(outbox):
    class Erased(Outbox):
        async def due(self, limit):
            rows = await super().due(limit)
            await self.erase("alice")
            return rows

    provider = DictProvider(digests_turns=True)
    await outbox.append(an_exchange(1))
    outbox.__class__ = Erased
    await drain_of(outbox, provider).flush()
    assert provider.turns == []


async def test_a_digest_that_says_nothing_about_a_turn_is_a_failure_and_no_endless_loop(outbox):
    async def short(exchanges):
        return []

    await outbox.append(an_exchange(1))
    assert await drain_of(outbox, DictProvider(), short).flush()
    assert (await outbox.counts()).pending == 1


async def test_the_background_task_wakes_on_an_append(outbox):
    provider = DictProvider()
    drain = drain_of(outbox, provider)
    drain.start()
    await outbox.append(an_exchange(1))
    async with asyncio.timeout(10):
        assert await outbox.wait(an_exchange(1).key, 10) == "done"
    await drain.stop(1)
    assert len(provider.kept["alice"]) == 1


async def test_stopping_works_off_what_waits(outbox):
    provider = DictProvider()
    await outbox.append(an_exchange(1))
    await drain_of(outbox, provider).stop(10)
    assert len(provider.kept["alice"]) == 1


async def test_stopping_lets_a_turn_that_is_on_its_way_arrive(outbox):
    class Slow(DictProvider):
        def __init__(self):
            super().__init__(digests_turns=True)
            self.reached, self.gate = asyncio.Event(), asyncio.Event()

        async def commit(self, user, turn):
            self.reached.set()
            await self.gate.wait()
            return await super().commit(user, turn)

    provider = Slow()
    await outbox.append(an_exchange(1))
    drain = drain_of(outbox, provider)
    drain.start()
    await provider.reached.wait()
    stopping = asyncio.ensure_future(drain.stop(10))
    await asyncio.sleep(0)
    provider.gate.set()
    await stopping
    assert await outbox.status(an_exchange(1).key) == ("alice", "done")


async def test_stopping_takes_no_longer_than_it_may(outbox):
    class Hanging(DictProvider):
        async def add(self, user, memories):
            await asyncio.Event().wait()

    await outbox.append(an_exchange(1))
    drain = drain_of(outbox, Hanging())
    drain.start()
    async with asyncio.timeout(20):
        await drain.stop(0.05)
    assert (await outbox.counts()).pending == 1


async def test_stopping_while_the_provider_is_down_does_not_wait_for_it(outbox):
    class Down(DictProvider):
        asked = asyncio.Event()

        async def add(self, user, memories):
            self.asked.set()
            raise ProviderUnavailable("down")

    provider = Down()
    await outbox.append(an_exchange(1))
    drain = drain_of(outbox, provider)
    drain.start()
    await provider.asked.wait()
    async with asyncio.timeout(30):
        await drain.stop(3600)
    assert (await outbox.counts()).pending == 1


async def test_a_database_that_fails_does_not_end_the_background_task(outbox):
    due, failed = outbox.due, asyncio.Event()

    async def failing(limit):
        if failed.is_set():
            return await due(limit)
        failed.set()
        raise OSError("disk")

    outbox.due = failing
    provider = DictProvider()
    await outbox.append(an_exchange(1))
    drain = drain_of(outbox, provider)
    drain.start()
    await failed.wait()
    await drain.stop(10)
    assert len(provider.kept["alice"]) == 1


async def test_a_small_batch_is_taken_when_asked(outbox):
    digest = Digesting()
    for n in range(5):
        await outbox.append(an_exchange(n))
    drain = Drain(outbox, DictProvider(), Metrics(CollectorRegistry()))
    drain.use(Memories(DictProvider(), classify, levels, forgotten), digest, batch=2)
    await drain.flush()
    assert digest.calls == [2, 2, 1]
