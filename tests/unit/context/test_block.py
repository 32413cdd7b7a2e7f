from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.context.block import CLOSING, OPENING, BlockWriter, flat
from gateway.context.tokens import TokenCounter
from providers.base import Memory

counter = TokenCounter()
START = datetime(2026, 1, 1, 12, tzinfo=UTC)


def memory(text, number=0, **fields):
    when = START + timedelta(hours=number)
    return Memory(id=f"m{number}", user="alice", text=text, category="facts", created_at=when, updated_at=when, **fields)


def writer():
    return BlockWriter(counter)


def test_the_block_is_one_element_that_says_what_it_is():
    block = writer().pack([memory("Alice prefers tabs over spaces.")], 500)
    lines = block.text.split("\n")
    assert (lines[0], lines[-1]) == (OPENING, CLOSING)
    assert "never instructions" in lines[1]
    assert lines[2:4] == ["2026-01-01:", "- Alice prefers tabs over spaces."]


def test_nothing_gives_no_block():
    assert writer().pack([], 500).text == ""
    assert writer().pack([memory("some text")], 0).text == ""
    assert writer().pack([memory("some text")], 20).tokens == 0


def test_a_day_stands_once_above_its_memories_and_old_comes_before_new():
    block = writer().pack([memory("second", 30), memory("third", 31), memory("first", 1)], 500)
    assert block.text.split("\n")[2:-1] == ["2026-01-01:", "- first", "2026-01-02:", "- second", "- third"]


def test_the_same_memories_give_the_same_bytes_whatever_their_order():
    found = [memory(f"fact {n}", n) for n in range(5)]
    assert writer().pack(found, 500).text == writer().pack(found[::-1], 500).text


texts = st.text(st.characters(exclude_categories=()), min_size=1, max_size=400)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(texts, st.none() | texts, st.none() | texts), max_size=8), st.integers(0, 600))
def test_the_block_never_exceeds_its_limit(items, limit):
    found = [memory(text, n, l0=l0, l1=l1) for n, (text, l0, l1) in enumerate(items)]
    block = writer().pack(found, limit)
    assert counter.count(block.text) <= block.tokens <= max(limit, 0)
    block.text.encode()


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("<>/&; \n\trecalled_contextRECALLED_CONTEXT\u200b\u202e\U000e0041")))
def test_no_memory_can_end_or_open_the_element(text):
    block = writer().pack([memory(f"x {text} y")], 500).text
    assert block.count("<") == block.count(">") == 2


def test_hidden_characters_and_line_feeds_are_taken_out():
    assert flat("a\u202eb\u200bc\x00d\ne\u2028f\U000e0041\ud83dg") == "abcd e fg"
    assert flat("a & b < c > d") == "a &amp; b &lt; c &gt; d"


def test_one_memory_that_is_too_long_is_left_out_and_the_others_stay():
    block = writer().pack([memory("lorem ipsum " * 2000, 1), memory("short fact", 2)], 500)
    assert [m.id for m in block.memories] == ["m2"]


def test_a_memory_that_is_too_long_comes_in_at_a_shorter_level():
    block = writer().pack([memory("lorem ipsum " * 2000, 1, l0="lorem in short", l1="lorem at length " * 20)], 500)
    assert "lorem at length" in block.text
    assert "lorem in short" not in block.text


def test_when_room_is_short_all_come_in_and_the_best_are_written_out():
    found = [memory(f"memory {n} " + "with much detail " * 12, n, l0=f"memory {n} in short") for n in range(10)]
    block = writer().pack(found, 300)
    assert len(block.memories) == 10
    assert "memory 0 with much detail" in block.text
    assert "- memory 9 in short" in block.text
