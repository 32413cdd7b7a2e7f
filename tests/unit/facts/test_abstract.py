from __future__ import annotations

import pytest

from gateway.facts.abstract import L0_TOKENS, L1_TOKENS, levels_of
from gateway.facts.tokens import estimate, within

SENTENCES = {
    "en": [
        "Last spring the ferry to Bergen was late again because of the fog.",
        "I moved to Bergen in 2021 and work as a marine biologist at Hordaland Lab.",
        "The laboratory counts herring in the fjord every second week of the month.",
        "My daughter Ida plays the cello in the school orchestra on Thursdays.",
        "We prefer the early train since it is quiet and there is room for the cello.",
        "The weather was grey for most of the winter and nobody minded very much.",
        "In March the orchestra travels to Gdansk for a week of concerts.",
        "The old piano in the hall has not been tuned since the flood.",
        "Somebody left a red umbrella in the tram and never came back for it.",
        "The bakery at the corner closes at noon on Saturdays.",
    ],
    "zh": [
        "我三年前搬到北京，在一家医院当医生，每天坐地铁上班。",
        "我的女儿今年八岁，喜欢画画和游泳。",
        "春天的时候我们常常去公园散步，看看湖边的鸟。",
    ]
    * 4,
}


def test_a_short_text_needs_no_levels() -> None:
    assert levels_of("I live in Berlin.") == (None, None)
    assert levels_of("") == (None, None)


def test_a_text_of_middle_length_has_a_short_level_only() -> None:
    short, long = levels_of(" ".join(SENTENCES["en"][:4]))
    assert short is not None
    assert L0_TOKENS[0] <= estimate(short) <= L0_TOKENS[1]
    assert long is None


@pytest.mark.parametrize("language", SENTENCES)
def test_a_long_text_has_both_levels_within_their_limits(language: str) -> None:
    short, long = levels_of("".join(SENTENCES[language]) if language == "zh" else " ".join(SENTENCES[language] * 2))
    assert short is not None
    assert long is not None
    assert L0_TOKENS[0] <= estimate(short) <= L0_TOKENS[1]
    assert L1_TOKENS[0] <= estimate(long) <= L1_TOKENS[1]


def test_the_short_level_says_what_the_user_told_and_names_what_else_there_is() -> None:
    short, _ = levels_of(" ".join(SENTENCES["en"]))
    assert short is not None
    assert "I moved to Bergen in 2021 and work as a marine biologist" in short


def test_entities_of_other_sentences_fill_the_short_level() -> None:
    short, _ = levels_of(
        "I live in Berlin. " + "The walk home was long and it rained a lot, as so often. " * 2 + "Then the Northern Star sailed."
    )
    assert short is not None
    assert short.startswith("I live in Berlin")
    assert "Northern Star" in short


def test_a_dash_within_a_sentence_is_no_list() -> None:
    text = "We saw the ferry - the red one - and waved. " * 4
    short, _ = levels_of(text)
    assert short is not None
    assert "the ferry - the red one - and waved" in short


def test_a_short_key_sentence_is_filled_with_the_next_one() -> None:
    short, _ = levels_of("I cook. " + "the walk home was long and it rained a lot as so often. " * 4)
    assert short is not None
    assert short.startswith("I cook. the walk home")
    assert L0_TOKENS[0] <= estimate(short) <= L0_TOKENS[1]


def test_the_long_level_keeps_whole_sentences_in_their_order() -> None:
    _, long = levels_of(" ".join(SENTENCES["en"]))
    assert long is not None
    places = [long.find(sentence) for sentence in SENTENCES["en"] if sentence in long]
    assert places == sorted(places)
    assert " ".join(sentence for sentence in SENTENCES["en"] if sentence in long) == long
    assert SENTENCES["en"][1] in long


def test_a_single_endless_sentence_is_cut_at_a_word() -> None:
    short, long = levels_of("The heron wandered " + "slowly over frozen meadows " * 200)
    assert short is not None
    assert long is not None
    assert short.endswith("\u2026")
    assert long.endswith("\u2026")
    assert L1_TOKENS[0] <= estimate(long) <= L1_TOKENS[1]
    assert set(long.rstrip("\u2026").split()) <= {"The", "heron", "wandered", "slowly", "over", "frozen", "meadows"}


def test_text_without_any_space_is_cut_too() -> None:
    short, long = levels_of("a" * 5000)
    assert short is not None
    assert long is not None
    assert estimate(short) <= L0_TOKENS[1] < estimate(long) <= L1_TOKENS[1]


def test_tokens_count_words_digits_signs_and_ideographs() -> None:
    assert estimate("") == 0
    assert estimate("cat") == 1
    assert estimate("extraordinary") == 3
    assert estimate("1234567") == 3
    assert estimate("a, b") == 3
    assert estimate("我住在北京") == 5


def test_a_text_within_the_limit_is_not_cut() -> None:
    assert within("one two three", 5) == "one two three"
    assert within("one two three four five", 4) == "one two three\u2026"
