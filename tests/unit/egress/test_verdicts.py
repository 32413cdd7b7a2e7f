import asyncio

from gateway.egress.policy import Policy
from gateway.egress.scan import Rules
from gateway.egress.verdicts import Verdicts
from providers.base import Verdict
from tests.fakes.turns import a_memory

NAMES = Policy(ner="on")


class Worker:
    """Answers when it is let; keeps what it was asked."""

    def __init__(self):
        self.asked = []
        self.may_answer = asyncio.Event()

    async def __call__(self, texts):
        self.asked.append(list(texts))
        await self.may_answer.wait()
        return [Verdict("medium", f"masked {text}", NAMES.version) for text in texts]


def verdicts_of(worker, wait_s=10.0):
    return Verdicts(NAMES, Rules(NAMES), worker, wait_s=wait_s)


async def test_a_slow_worker_does_not_hold_up_the_request_and_its_verdict_serves_the_next():
    worker = Worker()
    verdicts = verdicts_of(worker, wait_s=0.01)
    assert await verdicts.of([a_memory("Ann was here")]) == [None]
    worker.may_answer.set()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    (verdict,) = await verdicts.of([a_memory("Ann was here")])
    assert verdict.masked == "masked Ann was here"
    assert worker.asked == [["Ann was here"]]


async def test_the_same_text_is_asked_about_once_at_a_time():
    worker = Worker()
    verdicts = verdicts_of(worker)
    requests = [asyncio.ensure_future(verdicts.of([a_memory("same"), a_memory(f"other {n}")])) for n in range(3)]
    await asyncio.sleep(0)
    worker.may_answer.set()
    results = await asyncio.gather(*requests)
    assert all(verdict is not None for result in results for verdict in result)
    assert sum(texts.count("same") for texts in worker.asked) == 1


async def test_a_client_that_leaves_does_not_stop_the_worker_for_the_others():
    worker = Worker()
    verdicts = verdicts_of(worker)
    first, second = (asyncio.ensure_future(verdicts.of([a_memory("same")])) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    worker.may_answer.set()
    assert (await second)[0] is not None


async def test_a_worker_that_fails_is_asked_again_next_time():
    async def broken(texts):
        raise RuntimeError("gone")

    verdicts = verdicts_of(broken)
    assert await verdicts.of([a_memory("x")]) == [None]
    assert await verdicts.of([a_memory("x")]) == [None]


async def test_a_long_text_is_never_looked_through_on_the_event_loop_and_a_short_one_needs_no_worker():
    worker, rules_only = Worker(), Policy(ner="off")
    verdicts = Verdicts(rules_only, Rules(rules_only), worker)
    worker.may_answer.set()
    short, long = "I like tea.", "I like tea. " * 200
    assert [verdict.sensitivity for verdict in await verdicts.of([a_memory(short), a_memory(long)])] == ["none", "medium"]
    assert worker.asked == [[long]]


async def test_texts_that_differ_in_half_a_character_have_verdicts_of_their_own():
    worker = Worker()
    worker.may_answer.set()
    verdicts = verdicts_of(worker)
    found = await verdicts.of([a_memory("see \ud800"), a_memory("see ?")])
    assert [verdict.masked for verdict in found] == ["masked see \ud800", "masked see ?"]
