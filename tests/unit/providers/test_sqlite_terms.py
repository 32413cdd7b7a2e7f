from __future__ import annotations

from datetime import UTC, datetime

import pytest

from providers.sqlite.dates import date_terms, named_dates
from providers.sqlite.query import analyse
from providers.sqlite.records import fingerprint, microseconds
from providers.sqlite.terms import MAX_CHARACTERS, Analyzer


def terms(text: str) -> list[str]:
    return Analyzer().terms(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("styling", "styles"),
        ("allergies", "allergy"),
        ("Café", "CAFE"),
        ("Straße", "strasse"),
        ("ﬁne", "fine"),
        ("Ko\u0308ln", "Köln"),
        ("ＡＢＣ", "abc"),
    ],
)
def test_forms_of_a_word_are_one_term(one: str, other: str) -> None:
    assert terms(one) == terms(other)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("What is the name of my dog?", ["name", "dog"]),
        ("Wie heißt der Hund von meiner Schwester?", ["heisst", "hund", "schwester"]),
        ("Quelle est la capitale de mon pays ?", ["capital", "pay"]),
        ("¿Dónde está la casa de mis padres?", ["casa", "padr"]),
        ("Dove sono le chiavi della macchina?", ["chiavi", "macchina"]),
        ("Onde está o carro do meu pai?", ["carro", "pai"]),
        ("Waar staat de fiets van mijn zus?", ["staat", "fiet", "zus"]),
    ],
)
def test_words_without_content_are_left_out_in_the_language_of_the_text(text: str, kept: list[str]) -> None:
    assert terms(text) == kept


@pytest.mark.parametrize("text", ["My car broke.", "The war is over, son.", "Die hard is her pick."])
def test_english_content_is_not_taken_for_another_languages_stop_words(text: str) -> None:
    assert {"car", "war", "son", "die"} & set(terms(text))


def test_text_without_spaces_becomes_pairs_of_characters() -> None:
    assert terms("我喜欢用Tailwind写") == ["我喜", "喜欢", "欢用", "tailwind", "写"]
    assert set(terms("강아지")) & set(terms("강아지의"))
    assert terms("แมว") == ["แม", "มว"]


def test_identifiers_are_found_whole_and_by_their_parts() -> None:
    assert set(terms("maxPoolSize max_pool_size build-7")) >= {"max", "pool", "size", "build", "7"}
    assert "xmlhttprequest" in terms("XMLHttpRequest")


def test_terms_hold_nothing_that_could_be_search_syntax() -> None:
    for term in terms('"a" OR b* NEAR(c) 1_x ^y -z :q {w} \0 \ud800 \u202e'):
        assert term.isalnum()


def test_long_texts_and_long_words_are_cut() -> None:
    assert max(map(len, terms("x" * 500))) <= 64
    assert len(terms("word " * MAX_CHARACTERS)) <= MAX_CHARACTERS // 5


def test_of_a_long_question_the_beginning_and_the_end_are_read() -> None:
    query = analyse("tulip " + "filler " * 5000 + " daisy", Analyzer())
    assert {"tulip", "daisi"} <= set(query.terms)
    assert len(query.terms) <= 48


@pytest.mark.parametrize(
    "question",
    [
        "What do you know about me?",
        "what should we do next?",
        "Who am I?",
        "Do you remember me?",
        "Was weißt du über mich?",
        "Que sais-tu de moi ?",
        "¿Qué sabes de mí?",
        "Cosa sai di me?",
        "O que sabes sobre mim?",
        "Wat weet je over mij?",
        "你知道我什么",
    ],
)
def test_questions_about_the_asker_are_recognised(question: str) -> None:
    assert analyse(question, Analyzer()).about_me


@pytest.mark.parametrize(
    "question",
    ["hello", "How are you?", "What is next?", "What do you know about Paris?", "Where is my dog?", "Can you help me?", "", "?", "谢谢"],
)
def test_other_questions_are_not_about_the_asker(question: str) -> None:
    assert not analyse(question, Analyzer()).about_me


@pytest.mark.parametrize(
    "question",
    ["on 7 May 2025?", "May 7th, 2025", "2025-05-07", "am 7. Mai 2025", "le 7 mai 2025", "el 7 de mayo de 2025", "il 7 maggio 2025"],
)
def test_a_day_is_understood_in_several_languages(question: str) -> None:
    moment = microseconds(datetime(2025, 5, 7, 23, tzinfo=UTC))
    assert date_terms(moment)[2] in named_dates(question)


def test_months_and_years_alone_are_dates_too() -> None:
    year, month, _ = date_terms(microseconds(datetime(1969, 3, 1, tzinfo=UTC)))
    assert set(named_dates("in March 1969")) == {year, month}
    assert named_dates("nothing of that kind, 12 marches") == ()


def test_fingerprints_ignore_case_space_and_unicode_form() -> None:
    assert fingerprint("  I live\n in KÖLN ") == fingerprint("i live in ko\u0308ln")
    assert fingerprint("I live in Köln") != fingerprint("I live in Koln")
