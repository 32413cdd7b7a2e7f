from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
import textwrap
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from providers.base import MemoryPatch, NewMemory, ProviderRefused, ProviderUnavailable, Verdict
from providers.sqlite import SqliteProvider
from providers.sqlite import provider as module

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from providers.base import Memory

DAY = datetime(2025, 6, 1, 12, tzinfo=UTC)


@pytest.fixture
async def provider(tmp_path: Path) -> AsyncIterator[SqliteProvider]:
    provider = SqliteProvider(tmp_path / "memory.db")
    await provider.open()
    yield provider
    await provider.close()


def at(text: str, days: float = 0, session: str | None = None, category: str = "fact") -> NewMemory:
    return NewMemory(text, category, created_at=DAY + timedelta(days=days), session=session)


def texts(memories: list[Memory]) -> list[str]:
    return [memory.text for memory in memories]


def statements_of(provider: SqliteProvider) -> list[str]:
    """Every statement that SQLite runs from now on."""
    seen: list[str] = []
    for connection in (provider.database._reader, provider.database._writer):
        connection._thread.raw.set_trace_callback(seen.append)
    return seen


# Ranking


async def test_what_holds_more_of_the_question_comes_first(provider: SqliteProvider) -> None:
    await provider.add("a", [at("I like blue."), at("My sister paints.", 1), at("My sister likes blue paintings.", 2), at("I ski.", 3)])
    found = await provider.search("a", "Does my sister paint in blue?", 5)
    assert texts(found)[0] == "My sister likes blue paintings."
    assert "I ski." not in texts(found)


async def test_rare_words_count_more_than_frequent_ones(provider: SqliteProvider) -> None:
    await provider.add("a", [at(f"The server was restarted in room {n}.", n) for n in range(30)] + [at("A tulip grows.", 40)])
    found = await provider.search("a", "restarted server tulip", 3)
    assert found[0].text == "A tulip grows."


async def test_words_in_the_order_of_the_question_count_more(provider: SqliteProvider) -> None:
    await provider.add("a", [at("A light for buses; traffic broke, red."), at("The red traffic light broke buses.")])
    assert texts(await provider.search("a", "red traffic light", 2))[0] == "The red traffic light broke buses."


@pytest.mark.parametrize("limit", [1, 2, 5])
async def test_a_later_fact_stands_before_the_one_that_it_replaces(provider: SqliteProvider, limit: int) -> None:
    await provider.add("a", [at("I live in Berlin.", 0), at("Now I live in the beautiful city of Munich.", 400), at("I have a cat.", 200)])
    assert texts(await provider.search("a", "Where do I live?", limit))[0] == "Now I live in the beautiful city of Munich."
    await provider.add("a", [at("I live in Berlin!", 800)])
    assert texts(await provider.search("a", "Where do I live?", limit))[0] == "I live in Berlin!"


async def test_a_fact_that_is_said_again_is_recent_again(provider: SqliteProvider) -> None:
    await provider.add("a", [at("I live in Berlin.", 0), at("I live in Munich.", 400)])
    (again,) = await provider.add("a", [at("i live in berlin.", 800)])
    assert again.created_at == DAY
    assert again.updated_at == DAY + timedelta(days=800)
    assert texts(await provider.search("a", "Where do I live?", 1)) == ["I live in Berlin."]


async def test_related_forms_of_a_word_find_each_other(provider: SqliteProvider) -> None:
    await provider.add("a", [at("I have an allergy to nuts."), at("Die Einstellungen sind im Menü."), at("Мою собаку зовут Рекс.")])
    assert texts(await provider.search("a", "What am I allergic to?", 1)) == ["I have an allergy to nuts."]
    assert texts(await provider.search("a", "Wo ist die Einstellung?", 1)) == ["Die Einstellungen sind im Menü."]
    assert texts(await provider.search("a", "собака", 1)) == ["Мою собаку зовут Рекс."]


async def test_chinese_questions_find_chinese_memories(provider: SqliteProvider) -> None:
    await provider.add("a", [at("我喜欢用Tailwind写React样式"), at("我的狗叫小黑")])
    assert texts(await provider.search("a", "狗叫什么名字", 1)) == ["我的狗叫小黑"]


async def test_a_date_in_the_question_lifts_that_days_memories(provider: SqliteProvider) -> None:
    await provider.add("a", [at("We met Ana for lunch.", 0), at("We met Ben for lunch.", 40), at("We met Cem for lunch.", 80)])
    assert texts(await provider.search("a", "Whom did we meet for lunch on 1 June 2025?", 3))[0] == "We met Ana for lunch."
    assert texts(await provider.search("a", "Whom did we meet for lunch in July 2025?", 3))[0] == "We met Ben for lunch."
    assert texts(await provider.search("a", "2025-06-01", 1)) == ["We met Ana for lunch."]


async def test_the_turn_beside_a_match_follows_it_within_a_conversation(provider: SqliteProvider) -> None:
    turns = ["Which instrument do you play?", "The cello, since I was six.", "Good night!"]
    await provider.add("a", [at(text, n / 1440, "s1") for n, text in enumerate(turns)])
    await provider.add("a", [at("Bread is baked at five.", 3 / 1440, "s2")])
    found = await provider.search("a", "instrument", 4)
    assert texts(found)[:2] == turns[:2]
    assert found[1].score < 0.6 * found[0].score
    assert "Bread is baked at five." not in texts(found)


async def test_a_turn_that_is_stored_late_still_stands_beside_its_neighbours(provider: SqliteProvider) -> None:
    await provider.add("a", [at("Which instrument do you play?", 0, "s1"), at("Good night!", 3 / 1440, "s1")])
    await provider.search("a", "instrument", 5)
    await provider.add("a", [at("Other talk.", 5, "s2")])
    await provider.add("a", [at("The cello, since I was six.", 1 / 1440, "s1")])
    found = await provider.search("a", "instrument", 2)
    assert texts(found) == ["Which instrument do you play?", "The cello, since I was six."]


async def test_long_texts_are_lifted_less_by_their_neighbours(provider: SqliteProvider) -> None:
    await provider.add("a", [at("instrument", 0, "s"), at("short", 1 / 1440, "s")])
    await provider.add("b", [at("instrument", 0, "s"), at(" ".join(f"word{n}" for n in range(400)), 1 / 1440, "s")])
    short, long = [await provider.search(user, "instrument", 2) for user in ("a", "b")]
    assert long[1].score < short[1].score / 4


async def test_nothing_in_common_means_nothing_found(provider: SqliteProvider) -> None:
    await provider.add("a", [at("I live in Berlin.", category="preference")])
    for question in ("hello", "Who won the match?", "What is the next step?", "こんにちは"):
        assert await provider.search("a", question, 5) == []


async def test_a_question_about_oneself_gets_the_newest_facts_at_low_scores(provider: SqliteProvider) -> None:
    chat = [at(f"Chat line {n}.", n, category="conversation") for n in range(5)]
    await provider.add(
        "a", [*chat, at("I like tea.", 1, category="preference"), at("I live in Berlin.", 2), at("Old goal.", 0, category="goal")]
    )
    found = await provider.search("a", "What do you know about me?", 2)
    assert texts(found) == ["I live in Berlin.", "I like tea."]
    assert all(0 < memory.score < 0.1 for memory in found)
    assert texts(await provider.search("a", "What do you know about me?", 9)) == ["I live in Berlin.", "I like tea.", "Old goal."]


async def test_scores_say_how_much_of_the_question_is_answered(provider: SqliteProvider) -> None:
    await provider.add("a", [at("My dog is called Rex."), at("I ski.", 9)])
    (whole,) = await provider.search("a", "dog called Rex", 1)
    (part,) = await provider.search("a", "dog with striped zebra pyjamas", 1)
    assert whole.score > 0.9
    assert part.score < 0.5


# The index in memory


async def test_a_warm_search_makes_no_database_call(provider: SqliteProvider, monkeypatch: pytest.MonkeyPatch) -> None:
    await provider.add("a", [at(f"Note {n} about tulips.", n) for n in range(50)])
    await provider.search("a", "tulips", 5)
    monkeypatch.setattr(module, "_CHECK_OTHERS", 3600)
    seen = statements_of(provider)
    assert len(await provider.search("a", "tulips note 7", 5)) == 5
    assert seen == []


async def test_the_index_follows_every_write_without_being_read_again(provider: SqliteProvider, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CHECK_OTHERS", 3600)
    (one,) = await provider.add("a", [at("A tulip.")])
    await provider.search("a", "tulip", 5)
    loaded = provider._indexes._indexes["a"]
    await provider.add("a", [at("Another tulip.", -5), at("A daisy.", 5)])
    assert sorted(texts(await provider.search("a", "tulip", 5))) == ["A tulip.", "Another tulip."]
    await provider.update("a", one.id, MemoryPatch(text="A rose."))
    assert texts(await provider.search("a", "tulip", 5)) == ["Another tulip."]
    assert texts(await provider.search("a", "rose", 5)) == ["A rose."]
    await provider.delete("a", one.id)
    assert await provider.search("a", "rose", 5) == []
    await provider.stamp([((await provider.search("a", "daisy", 1))[0], Verdict("high", "", "p1"))])
    (daisy,) = await provider.search("a", "daisy", 1)
    assert daisy.verdict == Verdict("high", "", "p1")
    assert provider._indexes._indexes["a"] is loaded


async def test_many_changes_do_not_wear_the_index_out(provider: SqliteProvider) -> None:
    (memory,) = await provider.add("a", [at("Version 0 of the tulip plan.")])
    await provider.search("a", "tulip", 5)
    for n in range(1, 200):
        await provider.update("a", memory.id, MemoryPatch(text=f"Version {n} of the tulip plan."))
        if n % 50 == 0:
            assert texts(await provider.search("a", "tulip plan", 5)) == [f"Version {n} of the tulip plan."]
    index = provider._indexes._indexes["a"]
    assert index is not None
    assert len(index) == 1
    assert len(index._records) < 150


async def test_memories_added_while_the_index_is_being_loaded_are_in_it(provider: SqliteProvider) -> None:
    await provider.add("a", [at(f"Tulip {n}.", n) for n in range(450)])
    searches = [asyncio.create_task(provider.search("a", "tulip", 1000)) for _ in range(3)]
    adding = [asyncio.create_task(provider.add("a", [at(f"Late tulip {n}.", 500 + n)])) for n in range(5)]
    await asyncio.gather(*searches, *adding)
    assert len(await provider.search("a", "tulip", 1000)) == 455


async def test_a_load_that_was_overtaken_by_a_write_starts_again(provider: SqliteProvider, monkeypatch: pytest.MonkeyPatch) -> None:
    await provider.add("a", [at("Early tulip.")])
    built, go_on = asyncio.Event(), asyncio.Event()
    build = provider._indexes._build

    async def slow_build(user: str) -> object:
        index = await build(user)
        built.set()
        await go_on.wait()
        return index

    monkeypatch.setattr(provider._indexes, "_build", slow_build)
    search = asyncio.create_task(provider.search("a", "tulip", 5))
    await built.wait()
    await provider.add("a", [at("Late tulip.", 1)])
    go_on.set()
    assert len(await search) == 2


async def test_a_search_that_is_given_up_leaves_the_index_for_the_next(provider: SqliteProvider) -> None:
    await provider.add("a", [at(f"Tulip {n}.", n) for n in range(300)])
    provider._looked = module.time.monotonic()
    task = asyncio.create_task(provider.search("a", "tulip", 5))
    await asyncio.sleep(0)
    loading = provider._indexes._loading["a"]
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await loading
    assert "a" in provider._indexes._indexes


async def test_the_least_recently_used_index_goes_when_there_are_too_many_rows(tmp_path: Path) -> None:
    provider = SqliteProvider(tmp_path / "memory.db", most_rows=25)
    await provider.open()
    for user in ("a", "b", "c"):
        await provider.add(user, [at(f"Tulip {n} of {user}.", n) for n in range(10)])
    await provider.search("a", "tulip", 1)
    await provider.search("b", "tulip", 1)
    await provider.search("a", "tulip", 1)
    await provider.search("c", "tulip", 1)
    assert list(provider._indexes._indexes) == ["a", "c"]
    await provider.add("c", [at(f"More {n}.", n) for n in range(10)])
    assert list(provider._indexes._indexes) == ["c"]
    assert texts(await provider.search("b", "tulip 3", 1)) == ["Tulip 3 of b."]
    await provider.close()


async def test_a_user_with_very_many_memories_is_searched_through_the_database(tmp_path: Path) -> None:
    provider = SqliteProvider(tmp_path / "memory.db", most_rows_of_user=20)
    await provider.open()
    await provider.add("a", [at(f"Tulip number {n}.", n) for n in range(20)])
    await provider.add("b", [at("Tulip number 7 of b.")])
    await provider.search("a", "tulip", 1)
    await provider.add("a", [at("The red tulip.", 30)])
    assert provider._indexes._indexes["a"] is None
    assert texts(await provider.search("a", "tulip number 7", 1)) == ["Tulip number 7."]
    assert len(await provider.search("a", "tulip", 100)) == 21
    found = await provider.search("a", "red tulip", 2)
    assert found[0].text == "The red tulip."
    assert 1 >= found[0].score > found[1].score > 0
    await provider.close()


async def test_what_another_process_writes_is_noticed(provider: SqliteProvider, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    await provider.add("a", [at("A tulip.")])
    await provider.search("a", "tulip", 5)
    other = SqliteProvider(tmp_path / "memory.db")
    await other.open()
    await other.add("a", [at("Their tulip.", 1)])
    await other.close()
    monkeypatch.setattr(module, "_CHECK_OTHERS", 0)
    assert sorted(texts(await provider.search("a", "tulip", 5))) == ["A tulip.", "Their tulip."]


async def test_the_file_is_looked_at_four_times_a_second_at_most(provider: SqliteProvider) -> None:
    await provider.add("a", [at("A tulip.")])
    await provider.search("a", "tulip", 5)
    provider._looked = module.time.monotonic()
    seen = statements_of(provider)
    for _ in range(20):
        await provider.search("a", "tulip", 5)
    assert len([statement for statement in seen if "data_version" in statement]) <= 1


# Verdicts


async def test_memories_without_a_current_verdict_are_stale_until_stamped(provider: SqliteProvider) -> None:
    verdict = Verdict("medium", "I am [name].", "p2", ("PERSON",))
    new = [NewMemory("I am Ann.", verdict=verdict), NewMemory("Old one.", verdict=Verdict("none", "Old one.", "p1"))]
    await provider.add("a", [*new, NewMemory("No verdict.")])
    await provider.add("b", [NewMemory("Later policy.", verdict=Verdict("none", "Later policy.", "p3"))])
    stale = await provider.stale("p2", 10)
    assert sorted((memory.user, memory.text) for memory in stale) == [("a", "No verdict."), ("a", "Old one."), ("b", "Later policy.")]
    assert len(await provider.stale("p2", 2)) == 2
    before = await provider.get("a", next(memory.id for memory in stale if memory.text == "Old one."))
    gone = stale[0]._replace(id="unknown")
    await provider.stamp([*((memory, Verdict("none", memory.text, "p2")) for memory in stale), (gone, verdict)])
    assert await provider.stale("p2", 10) == []
    assert before is not None
    after = await provider.get("a", before.id)
    assert after is not None
    assert after.verdict == Verdict("none", "Old one.", "p2")
    assert after.updated_at == before.updated_at


async def test_a_verdict_comes_back_as_it_was_given(provider: SqliteProvider) -> None:
    verdict = Verdict("medium", "mail [email]", "p1", ("EMAIL_ADDRESS", "PERSON"))
    (memory,) = await provider.add("a", [NewMemory("mail a@b.c", verdict=verdict)])
    assert (await provider.get("a", memory.id)).verdict == verdict  # type: ignore[union-attr]


async def test_a_verdict_about_an_older_text_is_not_believed(provider: SqliteProvider) -> None:
    (memory,) = await provider.add("a", [NewMemory("Harmless.")])
    await provider.update("a", memory.id, MemoryPatch(text="A secret."))
    await provider.stamp([(memory, Verdict("none", "Harmless.", "p1"))])
    found = await provider.get("a", memory.id)
    assert found is not None
    assert found.verdict is None
    assert texts(await provider.stale("p1", 5)) == ["A secret."]


async def test_a_new_text_drops_the_old_levels_and_verdict(provider: SqliteProvider) -> None:
    new = NewMemory("Long text.", l0="Short.", l1="Middle.", verdict=Verdict("none", "Long text.", "p1"))
    (memory,) = await provider.add("a", [new])
    changed = await provider.update("a", memory.id, MemoryPatch(text="Other text.", l0="Other."))
    assert changed is not None
    assert (changed.l0, changed.l1, changed.verdict) == ("Other.", None, None)
    same = await provider.update("a", memory.id, MemoryPatch(l1="More."))
    assert same is not None
    assert (same.text, same.l0, same.l1) == ("Other text.", "Other.", "More.")


# The file


async def test_a_text_that_the_user_has_already_is_refused_in_an_update(provider: SqliteProvider) -> None:
    one, _ = await provider.add("a", [NewMemory("One."), NewMemory("Two.")])
    with pytest.raises(ProviderRefused, match="same text"):
        await provider.update("a", one.id, MemoryPatch(text=" two. "))
    assert await provider.update("a", one.id, MemoryPatch(text="ONE.")) is not None


async def test_a_time_without_a_zone_and_a_huge_text_are_refused(provider: SqliteProvider) -> None:
    with pytest.raises(ProviderRefused, match="time zone"):
        await provider.add("a", [NewMemory("x", created_at=datetime(2025, 1, 1))])
    with pytest.raises(ProviderRefused, match="longer"):
        await provider.add("a", [NewMemory("x" * (4 * 1024 * 1024 + 1))])


async def test_clearing_leaves_no_word_of_a_user_in_the_tables(provider: SqliteProvider, tmp_path: Path) -> None:
    await provider.add("ghost", [NewMemory("Xylophone lessons.")])
    await provider.add("b", [NewMemory("Other.")])
    await provider.clear("ghost")
    with sqlite3.connect(tmp_path / "memory.db") as raw:
        assert raw.execute("SELECT name FROM users").fetchall() == [("b",)]
        assert raw.execute("SELECT count(*) FROM memories_terms WHERE memories_terms MATCH '1_xylophon'").fetchone() == (0,)
        raw.execute("INSERT INTO memories_terms(memories_terms, rank) VALUES ('integrity-check', 1)")
    raw.close()


async def test_no_search_through_the_database_reads_another_users_terms(tmp_path: Path) -> None:
    provider = SqliteProvider(tmp_path / "memory.db", most_rows_of_user=0)
    await provider.open()
    await provider.add("a", [NewMemory("Tulip a.")])
    await provider.add("b", [NewMemory("Tulip b.")])
    seen = statements_of(provider)
    await provider.search("b", "tulip", 5)
    matches = [statement for statement in seen if "MATCH" in statement]
    assert matches
    assert all('"2_tulip"' in statement and '"1_' not in statement for statement in matches)
    await provider.close()


async def test_a_process_killed_while_adding_leaves_all_or_nothing(provider: SqliteProvider) -> None:
    await provider.add("a", [NewMemory("Before tulip.")])
    script = textwrap.dedent("""
        import asyncio, os, sys
        from pathlib import Path
        from providers.base import NewMemory
        from providers.sqlite import SqliteProvider, store

        insert = store.insert
        def die(connection, user, drafts):
            insert(connection, user, drafts)
            os._exit(9)
        store.insert = die

        async def main():
            provider = SqliteProvider(Path(sys.argv[1]))
            await provider.open()
            await provider.add("a", [NewMemory(f"During {n} tulip.") for n in range(500)])

        asyncio.run(main())
    """)
    killed = await asyncio.to_thread(subprocess.run, [sys.executable, "-c", script, str(provider.database.path)], check=False, timeout=30)
    assert killed.returncode == 9
    assert await provider.database.integrity() == []
    assert texts(await provider.search("a", "tulip", 10)) == ["Before tulip."]
    await provider.add("a", [NewMemory("After tulip.")])


async def test_a_lock_of_another_process_does_not_stop_reading(provider: SqliteProvider, tmp_path: Path) -> None:
    await provider.add("a", [NewMemory("A tulip.")])
    raw = sqlite3.connect(tmp_path / "memory.db", isolation_level=None)
    raw.execute("BEGIN IMMEDIATE")
    assert texts(await provider.search("a", "tulip", 5)) == ["A tulip."]
    raw.execute("ROLLBACK")
    raw.close()


async def test_a_closed_provider_reports_itself_unwell(tmp_path: Path) -> None:
    provider = SqliteProvider(tmp_path / "memory.db")
    await provider.open()
    await provider.close()
    health = await provider.health()
    assert not health.ok
    assert "memory.db" in health.detail
    with pytest.raises(ProviderUnavailable):
        await provider.search("a", "tulip", 5)
