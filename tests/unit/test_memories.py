import json
from datetime import UTC, datetime

import pytest

from gateway.errors import BadRequest
from gateway.memories import MAX_TEXT, Memories, parsed
from providers.base import NewMemory, ProviderUnavailable, TurnRecord, Verdict
from tests.fakes.provider import DictProvider


async def levels(texts):
    return [(f"l0 {text[:5]}", None) for text in texts]


async def classify(texts):
    return [_verdict(text) for text in texts]


def _verdict(text):
    if "password" in text:
        return Verdict("high", "", "p")
    masked = text.replace("Ann", "[redacted:person]")
    return Verdict("none" if masked == text else "medium", masked, "p")


async def broken(texts):
    raise RuntimeError("worker gone")


class Purged(list):
    async def __call__(self, user):
        self.append(user)


def memories_of(provider, classifier=classify, leveller=levels, purged=None):
    return Memories(provider, classifier, leveller, Purged() if purged is None else purged)


async def test_a_memory_is_stored_with_its_verdict_and_levels():
    provider = DictProvider()
    (memory,) = await memories_of(provider).add("alice", [NewMemory("Ann is here")])
    assert (memory.text, memory.verdict.masked, memory.l0) == ("Ann is here", "[redacted:person] is here", "l0 Ann i")


async def test_without_a_worker_a_memory_is_stored_and_has_no_verdict():
    (memory,) = await memories_of(DictProvider(), broken, broken).add("alice", [NewMemory("x")])
    assert (memory.verdict, memory.l0) == (None, None)


async def test_a_provider_elsewhere_gets_masked_text_and_nothing_highly_sensitive():
    provider = DictProvider(local=False)
    await memories_of(provider).add("alice", [NewMemory("Ann is here", l0="Ann"), NewMemory("my password is x")])
    (memory,) = provider.kept["alice"]
    assert (memory.text, memory.l0) == ("[redacted:person] is here", None)


async def test_a_provider_elsewhere_gets_nothing_when_nobody_can_judge_it():
    provider = DictProvider(local=False)
    assert await memories_of(provider, broken).add("alice", [NewMemory("x")]) == []
    assert provider.kept == {}


async def test_the_same_text_is_judged_once_and_all_of_them_in_one_call():
    calls = []

    async def counted(texts):
        calls.append(list(texts))
        return await classify(texts)

    await memories_of(DictProvider(), counted).add("alice", [NewMemory("a"), NewMemory("b"), NewMemory("a")])
    assert calls == [["a", "b"]]


async def test_levels_that_came_along_are_kept():
    (memory,) = await memories_of(DictProvider()).add("alice", [NewMemory("tea", l0="by a model")])
    assert memory.l0 == "by a model"


async def test_a_provider_elsewhere_gets_metadata_only_when_nothing_is_found_in_it():
    provider = DictProvider(local=False)
    told = [NewMemory("x", "Ann", {"n": 1}), NewMemory("y", "drinks", {"who": "Ann"}), NewMemory("z", "drinks", {"n": 1})]
    await memories_of(provider).add("alice", told)
    assert [(m.category, m.metadata) for m in provider.kept["alice"]] == [("general", {}), ("general", {}), ("drinks", {"n": 1})]


async def test_an_edit_at_a_provider_elsewhere_is_judged_too():
    provider = DictProvider(local=False)
    memories = memories_of(provider)
    (memory,) = await memories.add("alice", [NewMemory("x", "drinks")])
    changed = await memories.edit("alice", memory.id, metadata={"who": "Ann"})
    assert (changed.text, changed.category, changed.metadata) == ("x", "drinks", {})
    changed = await memories.edit("alice", memory.id, text="Ann again")
    assert (changed.text, changed.category) == ("[redacted:person] again", "drinks")
    assert await memories.edit("alice", memory.id, text="my password is x") is None
    assert (await memories.get("alice", memory.id)).text == "[redacted:person] again"


def a_turn_record(question, answer="Hello Ann"):
    return TurnRecord("k", question, answer, datetime(2026, 1, 1, tzinfo=UTC))


async def test_a_turn_leaves_whole_masked_or_not_at_all():
    here, elsewhere = memories_of(DictProvider()), memories_of(DictProvider(local=False))
    turn = a_turn_record("I am Ann")
    assert await here.leaving(turn) is turn
    assert await elsewhere.leaving(turn) == a_turn_record("I am [redacted:person]", "Hello [redacted:person]")
    assert await elsewhere.leaving(a_turn_record("hi", "your password is x")) is None


async def test_a_turn_that_nobody_can_judge_does_not_leave():
    with pytest.raises(RuntimeError):
        await memories_of(DictProvider(local=False), broken).leaving(a_turn_record("hi"))


async def test_cached_answers_are_purged_also_when_forgetting_failed_on_the_way():
    class Down(DictProvider):
        async def clear(self, user):
            raise ProviderUnavailable("no answer")

        async def update(self, user, memory_id, patch):
            raise ProviderUnavailable("no answer")

        async def delete(self, user, memory_id):
            raise ProviderUnavailable("no answer")

    purged = Purged()
    memories = memories_of(Down(), purged=purged)
    for failing in (memories.clear("alice"), memories.delete("alice", "m"), memories.edit("alice", "m", category="c")):
        with pytest.raises(ProviderUnavailable):
            await failing
    assert purged == ["alice"] * 3


async def test_an_edit_judges_the_new_text_and_purges_cached_answers():
    purged = Purged()
    memories = memories_of(DictProvider(), purged=purged)
    (memory,) = await memories.add("alice", [NewMemory("old")])
    changed = await memories.edit("alice", memory.id, text="Ann again")
    assert (changed.text, changed.verdict.masked) == ("Ann again", "[redacted:person] again")
    assert purged == ["alice"]


async def test_forgetting_and_clearing_purge_the_users_cached_answers():
    purged = Purged()
    memories = memories_of(DictProvider(), purged=purged)
    (memory,) = await memories.add("alice", [NewMemory("x")])
    assert await memories.delete("alice", memory.id)
    assert not await memories.delete("alice", memory.id)
    await memories.add("bob", [NewMemory("y")])
    assert await memories.clear("bob") == 1
    assert purged == ["alice", "alice", "bob"]


async def test_an_export_can_be_imported_by_another_user():
    memories = memories_of(DictProvider())
    await memories.add("alice", [NewMemory(f"fact {n}", "facts", {"n": n}) for n in range(450)])
    lines = [json.dumps(line) async for line in memories.export("alice")]
    result = await memories.import_("bob", [*lines, ""])
    assert (result.added, result.problems) == (450, ())
    assert [m.text for m in (await memories.list("bob", 3)).memories] == ["fact 0", "fact 1", "fact 2"]


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("{broken", "JSON"),
        ("[]", "text"),
        ('{"text": " "}', "text"),
        ('{"text": 3}', "text"),
        (json.dumps({"text": "x" * (MAX_TEXT + 1)}), "longer"),
        ('{"text": "x", "metadata": []}', "metadata"),
        ('{"text": "x", "sessionId": 5}', "sessionId"),
        ('{"text": "x", "createdAt": "yesterday"}', "ISO"),
        ('{"text": "x", "createdAt": "2026-01-01T00:00:00"}', "time zone"),
    ],
)
def test_a_line_that_makes_no_sense_says_why(line, word):
    with pytest.raises(ValueError, match=word):
        parsed(line)


async def test_bad_lines_are_reported_by_number_and_the_others_stored():
    memories = memories_of(DictProvider())
    result = await memories.import_("alice", ['{"text": "good"}', "bad", '{"text": "too"}'])
    assert (result.added, [number for number, _ in result.problems]) == (2, [2])


async def test_a_level_that_a_model_wrote_is_judged_too():
    async def no_levels(texts):
        return [(None, None)] * len(texts)

    given = NewMemory("a harmless text", l0="short", l1="met Ann at the harbour")
    (memory,) = await memories_of(DictProvider(), leveller=no_levels).add("alice", [given])
    assert (memory.verdict.sensitivity, memory.l0, memory.l1) == ("none", "short", None)


@pytest.mark.parametrize("year", ["0001", "9999"])
async def test_a_time_that_no_store_can_give_back_is_refused(year):
    when = datetime.fromisoformat(f"{year}-06-01T00:00:00+00:00")
    with pytest.raises(BadRequest, match="createdAt"):
        await memories_of(DictProvider()).add("alice", [NewMemory("x", created_at=when)])
    with pytest.raises(ValueError, match="createdAt"):
        parsed(json.dumps({"text": "x", "createdAt": when.isoformat()}))


async def test_metadata_that_is_nested_too_deep_is_refused():
    deep = {}
    for _ in range(40):
        deep = {"a": deep}
    with pytest.raises(BadRequest, match="metadata"):
        await memories_of(DictProvider()).add("alice", [NewMemory("x", metadata=deep)])
    with pytest.raises(BadRequest, match="metadata"):
        await memories_of(DictProvider()).edit("alice", "id", metadata=deep)


@pytest.mark.parametrize("field", ["category", "sessionId"])
@pytest.mark.parametrize("value", [{"a": 1}, 3, "x" * 300])
def test_an_imported_label_must_be_a_short_string(field, value):
    with pytest.raises(ValueError, match=field):
        parsed(json.dumps({"text": "x", field: value}))


async def test_verdicts_that_are_missing_or_of_another_policy_are_made_again():
    provider = DictProvider()
    await memories_of(provider, broken).add("alice", [NewMemory(f"Ann {n}") for n in range(70)])
    await memories_of(provider).add("bob", [NewMemory("judged already")])
    assert await memories_of(provider).reclassify("p") == 70
    assert provider.kept["alice"][69].verdict.masked == "[redacted:person] 69"
    assert await memories_of(provider).reclassify("p") == 0


async def test_a_verdict_that_cannot_be_stored_does_not_keep_the_worker_busy_for_ever():
    provider = DictProvider()
    await memories_of(provider, broken).add("alice", [NewMemory("Ann")])

    async def forgets(judged):
        return None

    provider.stamp = forgets
    assert await memories_of(provider).reclassify("p") == 1


async def test_what_was_judged_before_the_worker_failed_is_kept():
    provider = DictProvider()
    await memories_of(provider, broken).add("alice", [NewMemory(f"Ann {n}") for n in range(70)])
    calls = []

    async def fails_later(texts):
        calls.append(texts)
        return await classify(texts) if len(calls) == 1 else await broken(texts)

    with pytest.raises(RuntimeError):
        await memories_of(provider, fails_later).reclassify("p")
    assert sum(memory.verdict is not None for memory in provider.kept["alice"]) == len(calls[0]) > 0
