"""Other ways to read a text, and the way back to its own characters."""

from __future__ import annotations

import base64
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.egress.normalise import decoded, joined, unescaped, view_of
from gateway.egress.views import View

TEXTS = st.one_of(
    st.text(max_size=80),
    st.text(alphabet="аеорсху@.gmx \u200b\u00ad\ufe0f\u202e４Ａﬁİßｅ́%41\\u0041&#65;\n-", max_size=80),
)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("gh\u00adp_\u200bx", "ghp_x"),
        ("４１２ ＡＢ＠", "412 AB@"),
        ("а\u0443se@gm\u0445.d\u0435", "ayse@gmx.de"),
        ("пароль API-ключ", "пароль API-ключ"),
        ("\u202e123\u202c \U000e0041", "123 "),
        ("٣٤ ५६", "34 56"),
        ("a\u2013b \u201cq\u201d", 'a-b "q"'),
        ("e\u0301", "e"),
    ],
)
def test_characters_are_read_in_their_plain_form(written: str, read: str) -> None:
    assert view_of(written).text == read


def test_plain_ascii_is_read_as_it_stands() -> None:
    view = view_of("just text")
    assert (view.text, view.starts, view.source(2, 5)) == ("just text", None, (2, 5))


def test_a_span_of_the_view_covers_what_it_was_made_from() -> None:
    text = "key gh\u200bp\u200b_x end"
    view = view_of(text)
    start, end = view.source(view.text.index("ghp_x"), view.text.index("ghp_x") + 5)
    assert text[start:end] == "gh\u200bp\u200b_x"


@given(TEXTS)
def test_offsets_lie_in_the_source_and_never_go_back(text: str) -> None:
    view = view_of(text)
    for reading in [view, unescaped(view), decoded(view), *joined(view)]:
        if reading is None:
            continue
        places = [reading.source(at, at + 1) for at in range(len(reading.text))]
        assert all(0 <= start < end <= len(text) for start, end in places)
        assert all(first[0] <= second[0] for first, second in pairwise(places))
        assert len(reading.lower) == len(reading.text)


@given(st.text(max_size=60))
def test_reading_a_view_again_changes_nothing(text: str) -> None:
    once = view_of(text).text
    assert view_of(once).text == view_of(view_of(once).text).text


@pytest.mark.parametrize(
    ("escaped", "plain"), [("a%67b", "agb"), (r"\u0067", "g"), (r"\x67h", "gh"), ("&#103;&#x68;", "gh"), ("a%00b", "ab")]
)
def test_escapes_are_undone(escaped: str, plain: str) -> None:
    view = unescaped(view_of(escaped))
    assert view is not None
    assert view.text == plain


def test_a_text_without_escapes_is_not_read_twice() -> None:
    assert unescaped(view_of("100 % sure & done")) is None


def test_base64_and_hex_are_decoded_and_stand_for_their_whole_run() -> None:
    run = base64.b64encode(b"password=hunter2").decode()
    text = f"blob {run} and {b'token value'.hex()}"
    view = decoded(view_of(text))
    assert view is not None
    assert view.text.splitlines() == ["password=hunter2", "token value"]
    assert text[slice(*view.source(3, 5))] == run


def test_what_is_not_readable_after_decoding_is_left_alone() -> None:
    assert decoded(view_of("commit 3f786850e387550fdab836ed7e6dc881de23001b")) is None


def test_a_token_over_a_line_break_is_joined() -> None:
    views = [view.text for view in joined(view_of("abcdefgh1234\n  ijklmnop5678"))]
    assert views == ["abcdefgh1234ijklmnop5678"]


def test_with_several_breaks_every_other_one_is_joined_too() -> None:
    assert len(list(joined(view_of("abcdefgh1234\nijklmnop5678\nqrstuvwx9012")))) == 3


def test_prose_is_not_joined() -> None:
    assert list(joined(view_of("one line of prose\nand another"))) == []


def test_a_string_split_in_a_program_is_joined() -> None:
    assert [view.text for view in joined(view_of('"abc" + "def"'))] == ['"abcdef"']


def test_a_letter_that_grows_in_lower_case_keeps_the_places() -> None:
    view = View("İx")
    assert len(view.lower) == 2
