from __future__ import annotations

import pytest

from gateway.facts.extract import MAX_CHARS, MAX_FACTS, facts
from tests.unit.facts import tables

SPOKEN = [*tables.ENGLISH, *tables.GERMAN, *tables.FRENCH, *tables.SPANISH, *tables.ELSEWHERE]


def kept(message: str) -> list[tuple[str, str]]:
    return [(fact.text, fact.category) for fact in facts(message)]


@pytest.mark.parametrize(("message", "expected"), SPOKEN)
def test_what_the_user_states_is_kept_verbatim_with_its_category(message: str, expected: list[tuple[str, str]]) -> None:
    assert kept(message) == expected


@pytest.mark.parametrize("message", tables.SILENT)
def test_questions_requests_greetings_and_pasted_text_leave_nothing(message: str) -> None:
    assert kept(message) == []


def test_what_surrounds_code_and_logs_is_kept() -> None:
    message = (
        "I run Debian 12.\n```sh\nI live in a shell\n```\n"
        "Traceback (most recent call last):\nKeyError: 'my dog'\nOur server is called Juno."
    )
    assert kept(message) == [("I run Debian 12.", "facts"), ("Our server is called Juno.", "facts")]


def test_what_no_rule_knows_is_one_memory_after_the_others() -> None:
    message = "The heron came back to the pond. I prefer dawn to dusk. A fox crossed the frozen meadow."
    assert kept(message) == [
        ("I prefer dawn to dusk.", "preferences"),
        ("The heron came back to the pond. A fox crossed the frozen meadow.", "turn"),
    ]


def test_a_wrapped_line_is_one_sentence() -> None:
    message = "My daughter studies marine biology at the university of Bergen,\nwhere the winters are long and wet."
    assert kept(message) == [(message.replace("\n", " "), "facts")]


def test_what_is_said_twice_is_kept_once() -> None:
    assert kept("I like tea. I LIKE TEA.") == [("I like tea.", "preferences")]


def test_more_facts_than_fit_go_on_together() -> None:
    found = facts(" ".join(f"I own {number} blue bicycles." for number in range(100, 140)))
    assert [fact.category for fact in found] == ["facts"] * (MAX_FACTS - 1) + ["turn"]
    assert "I own 139 blue bicycles." in found[-1].text


def test_a_long_story_is_kept_in_pieces_that_each_fit() -> None:
    story = " ".join(f"The heron number {number} came back to the frozen pond." for number in range(100, 200))
    found = facts(story)
    assert len(found) > 1
    assert all(len(fact.text) <= MAX_CHARS for fact in found)
    assert " ".join(fact.text for fact in found) == story


def test_an_endless_sentence_is_cut() -> None:
    (fact,) = facts("I live in " + "a very " * 2000 + "old house")
    assert len(fact.text) <= MAX_CHARS


def test_a_third_persons_fact_stays_as_the_user_said_it() -> None:
    assert kept("Tell me about Rome. My uncle Piet was born there in 1950.") == [("My uncle Piet was born there in 1950.", "facts")]


def test_a_message_may_mix_languages() -> None:
    assert kept("I live in Lyon. J'adore les chats.") == [("I live in Lyon.", "facts"), ("J'adore les chats.", "preferences")]
