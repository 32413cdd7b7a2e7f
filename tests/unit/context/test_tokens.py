import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.context.tokens import TokenCounter

counter = TokenCounter()
encode = counter.load()


@pytest.mark.parametrize(
    "text", ["", "hello", "Alice prefers tabs over spaces.", "仓库里有水泵和阀门的备件。", "🦜🦜 emoji", "a  b\n\nc", "x" * 200]
)
def test_ordinary_text_is_counted_exactly(text):
    assert counter.count(text) == len(encode(text))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), max_size=80), max_size=8))
def test_lines_that_start_with_a_dash_add_up_exactly(items):
    lines = [f"- {' '.join(item.split())}".rstrip() for item in items]
    assert sum(counter.line(line) for line in lines) == len(encode("".join(line + "\n" for line in lines)))


@pytest.mark.parametrize("letter", ["a", "é", "仓", "!", " ", ".*", "a\u0301", "-_", "'", "a'", "🦜", "\n", "ก็"])
def test_an_unbroken_piece_is_never_counted_too_low_and_never_slow(letter):
    text = f"see {letter * (60_000 // len(letter))} there"
    started = time.process_time()
    assert counter.count(text) > 200
    assert time.process_time() - started < 5  # seconds; the encoder alone would take minutes


@settings(max_examples=50, deadline=None)
@given(
    st.text(st.characters(exclude_categories=("Cs",)), max_size=40),
    st.integers(200, 600),
    st.sampled_from(["a", "b", "1", "仓", "!", "🦜", ".*", "a.", "a'", "_a"]),
)
def test_the_count_is_never_below_the_true_one(around, times, letter):
    text = around + letter * times + around
    assert counter.count(text) >= len(encode(text))
