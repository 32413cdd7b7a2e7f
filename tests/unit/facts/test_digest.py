from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.facts.digest import digest, levels
from gateway.facts.extract import MAX_CHARS, MAX_FACTS
from tests.unit.facts import tables

CATEGORIES = {"preferences", "decisions", "facts", "instructions", "constraints", "turn"}
PIECES = [
    "I", "my", "we", "ich", "je", "mi", "and", "because", "weil", "?", "!", ".", ",", ";", ":", "\n", "\n\n", "- ", "1. ",
    "> ", "```", "<a>", "</a>", "(",
    ")", "\u00bf", "\u3002", "\uff1f",
    "live in Oslo", "please", "write a poem", "never", "from now on", "thanks",
    "\u6211\u4f4f", "\ud800", "\x00", "'", "\u2019", "\"", "Dr.", "3.",
    "https://example.org/a?b=c", "translate this:", "\u202e", "\U0001f600",
]  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=300),
    st.lists(st.sampled_from(PIECES), max_size=60).map(" ".join),
    st.lists(st.sampled_from(PIECES), max_size=60).map("".join),
)


def one(question: str) -> list[dict[str, Any]]:
    (found,) = digest({"turns": [{"question": question, "answer": ""}]})["turns"]
    return found


def test_each_turn_has_its_own_list_in_order() -> None:
    turns = [{"question": question, "answer": "Fine."} for question in ("I keep parrots.", "Hello", "I prefer tea.")]
    assert digest({"turns": turns}) == {
        "turns": [
            [{"text": "I keep parrots.", "category": "facts", "l0": None, "l1": None}],
            [],
            [{"text": "I prefer tea.", "category": "preferences", "l0": None, "l1": None}],
        ]
    }


def test_what_the_assistant_says_is_never_kept() -> None:
    assert digest({"turns": [{"question": "Who are you?", "answer": "My name is Ada and I live in Paris. I prefer tea."}]}) == {
        "turns": [[]]
    }


def test_a_long_memory_carries_its_levels() -> None:
    (memory,) = one(
        "My sister lives in Oslo, where she restores wooden boats, sings in choirs, grows tomatoes, and repairs radios at night in a shed."
    )
    assert memory["l0"] is not None
    assert memory["l0"].startswith("My sister lives in Oslo")
    assert memory["l1"] is None


def test_levels_answers_each_text_with_a_pair() -> None:
    answer = levels({"texts": ["short", "The heron came back to the frozen pond. " * 40]})
    assert answer["levels"][0] == [None, None]
    assert all(answer["levels"][1])


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_any_text_gives_few_short_memories_that_json_can_carry(question: str) -> None:
    found = one(question)
    assert len(found) <= MAX_FACTS
    assert all(0 < len(memory["text"]) <= MAX_CHARS and memory["category"] in CATEGORIES for memory in found)
    json.dumps(found, ensure_ascii=False).encode()


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_any_text_has_levels_shorter_than_itself(text: str) -> None:
    ((short, long),) = levels({"texts": [text * 8]})["levels"]
    assert short is None or 0 < len(short) <= len(text * 8) + 1
    assert long is None or (short is not None and 0 < len(long) <= len(text * 8) + 1)
    json.dumps([short, long], ensure_ascii=False).encode()


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([message for message, expected in tables.ENGLISH if expected and "\n" not in message]),
    st.sampled_from(["Hi!", "Thanks!", "What is a heron?"]),
)
def test_what_is_around_a_statement_does_not_change_it(message: str, around: str) -> None:
    assert [memory["text"] for memory in one(f"{around}\n\n{message}\n\n{around}")] == [memory["text"] for memory in one(message)]


HOSTILE = [
    "a", " ", "\n", ".", "? ", "a, ", "I ", "I use Go, ", "and i ", "x:\n- y\n", "\u6211\u4f4f\uff0c", "\"", "(", "<a ",
    "<a>\n", "```\n", "translate ", "my mother ", "ich habe die ",
    "je n'ai pas le ", "\u00bf", "no me lo la los ", "a.b.c", " - ", "1. ",
    "thanks ", "rather would ", "please and also ", "\ud800", "\U0001f600", "1", "a = b\n", "my list is: ",
]  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_hostile_text_of_64_kb_is_digested(piece: str) -> None:
    """The suite's own timeout is the limit here: whatever backtracks or is quadratic does not come back in time."""
    text = (piece * (65_536 // len(piece) + 1))[:65_536]
    one(text)
    levels({"texts": [text]})


def test_what_comes_after_64k_characters_is_not_read() -> None:
    assert one("\n" * 65_536 + "I live in Oslo.") == []
