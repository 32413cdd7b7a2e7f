import gzip
import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.streaming import NOTHING_SAID, StreamTee, said_plainly


def chunk(text=None, finish=None, index=0, **extra):
    delta = {} if text is None else {"content": text}
    return {"id": "c", "choices": [{"index": index, "delta": delta, "finish_reason": finish}], **extra}


def stream(*events, eol="\n", done=True):
    lines = [f"data: {e if isinstance(e, str) else json.dumps(e, ensure_ascii=False)}{eol}{eol}" for e in events]
    return "".join([*lines, f"data: [DONE]{eol}{eol}" if done else ""]).encode()


def split(data, cuts):
    points = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [data[a:b] for a, b in pairwise(points)]


def run(pieces, encoding=""):
    tee = StreamTee(encoding)
    released = [tee.feed(piece) for piece in pieces]
    return b"".join(released), tee.held(), tee.said()


PARROT = stream(chunk("Papageien "), chunk("sind schön 🦜"), chunk(None, "stop"), {"choices": [], "usage": {"prompt_tokens": 5}})


@settings(max_examples=300, deadline=None)
@given(st.lists(st.integers(0, 10_000), max_size=30), st.sampled_from(["\n", "\r\n", "\r"]))
def test_the_bytes_and_the_text_are_the_same_for_any_split(cuts, eol):
    data = PARROT.replace(b"\n", eol.encode())
    released, held, said = run(split(data, cuts))
    assert released + held == data
    assert held.startswith(b"data: [DONE]")
    assert (said.text, said.complete, said.finish, said.prompt_tokens) == ("Papageien sind schön 🦜", True, "stop", 5)
    assert said.final


def test_every_event_but_the_last_is_released_at_once():
    tee = StreamTee()
    for event in (chunk("a"), chunk("b")):
        assert tee.feed(stream(event, done=False)) == stream(event, done=False)
    assert tee.feed(b": keep-alive\n\n") == b": keep-alive\n\n"
    assert tee.feed(b"data: [DONE]\n\n") == b""


def test_the_end_mark_inside_a_text_ends_nothing():
    data = stream(chunk("say data: [DONE]\n now"), chunk(" [DONE]", "stop"))
    released, held, said = run([data])
    assert held == b"data: [DONE]\n\n"
    assert released + held == data
    assert said.text == "say data: [DONE]\n now [DONE]"


@pytest.mark.parametrize("cut", range(1, len(b"data: [DONE]\n\n")))
def test_an_end_mark_in_two_pieces_is_held_whole(cut):
    data = stream(chunk("x", "stop"))
    place = len(data) - len(b"data: [DONE]\n\n") + cut
    released, held, _ = run([data[:place], data[place:]])
    assert held == b"data: [DONE]\n\n"
    assert released + held == data


def test_a_stream_without_an_end_mark_is_complete_when_it_has_a_finish_reason():
    assert run([stream(chunk("x", "stop"), done=False)])[2].complete
    assert not run([stream(chunk("x"), done=False)])[2].complete


def test_an_error_in_the_stream_makes_it_incomplete():
    said = run([stream(chunk("par"), {"error": {"message": "boom"}})])[2]
    assert not said.complete
    assert not said.final


def test_an_event_that_is_no_json_makes_it_incomplete():
    assert not run([stream(chunk("a"), "{broken", chunk("b", "stop"))])[2].complete


def test_tool_calls_do_not_end_a_turn():
    call = {"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, "id": "c"}]}, "finish_reason": None}]}
    said = run([stream(chunk("wait"), call, chunk(None, "stop"))])[2]
    assert said.complete
    assert not said.final


def test_other_choices_are_not_mixed_into_the_first():
    assert run([stream(chunk("one", index=0), chunk("two", index=1), chunk(None, "stop"))])[2].text == "one"


@given(st.lists(st.integers(0, 500), max_size=10))
def test_a_compressed_stream_is_read_and_passed_on_as_it_is(cuts):
    data = gzip.compress(PARROT)
    released, held, said = run(split(data, cuts), "gzip")
    assert released + held == data
    assert said.text == "Papageien sind schön 🦜"


def test_an_encoding_that_cannot_be_read_says_nothing_and_passes():
    released, held, said = run([b"\x01\x02\x03"], "br")
    assert (released + held, said) == (b"\x01\x02\x03", NOTHING_SAID)
    assert run([b"no gzip"], "gzip")[2] == NOTHING_SAID


def test_a_copy_is_kept_up_to_its_bound():
    small, large = StreamTee("", keep_bytes=10_000), StreamTee("", keep_bytes=10)
    for tee in (small, large):
        tee.feed(PARROT[:50])
        tee.feed(PARROT[50:])
    assert small.copy() == PARROT
    assert large.copy() is None
    assert StreamTee().copy() is None


def test_a_line_of_a_mebibyte_passes():
    data = stream(chunk("x" * 2**20, "stop"))
    released, held, said = run(split(data, range(0, len(data), 4096)))
    assert released + held == data
    assert len(said.text) == 2**20


def test_a_plain_answer_is_read():
    body = json.dumps({"choices": [{"message": {"content": "hello"}, "finish_reason": "stop"}], "usage": {"completion_tokens": 3}}).encode()
    said = said_plainly(body)
    assert (said.text, said.final, said.completion_tokens) == ("hello", True, 3)
    assert said_plainly(gzip.compress(body), "gzip").text == "hello"


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{}", b"<html>", b'{"choices": [3]}', b'{"choices": [{"message": 3}]}', b'{"error": {"message": "x"}}']
)
def test_an_answer_of_another_shape_ends_no_turn(body):
    assert not said_plainly(body).final


@pytest.mark.parametrize("choices", [5, True, "x", {"a": 1}, None, [None]])
def test_choices_of_an_odd_shape_say_nothing_and_break_nothing(choices):
    assert not said_plainly(json.dumps({"choices": choices}).encode()).final
    assert run([stream({"choices": choices}, chunk("x", "stop"))])[2].text == "x"
