from gateway.commit.exchange import MAX_TEXT, exchange_key, finished
from gateway.turn import MemoryMode
from tests.fakes.turns import a_turn


def test_an_exchange_holds_the_last_question_and_the_answer():
    exchange = finished(a_turn("first", "second", session="s"), "the answer")
    assert (exchange.user, exchange.question, exchange.answer, exchange.session) == ("alice", "second", "the answer", "s")
    assert exchange.created_at.tzinfo is not None


def test_nothing_is_committed_without_a_user_or_when_asked_not_to():
    assert finished(a_turn("q", user=None), "a") is None
    assert finished(a_turn("q", memory=MemoryMode(recall=True, commit=False)), "a") is None


def test_nothing_is_committed_when_the_user_said_nothing():
    assert finished(a_turn(body={"messages": [{"role": "system", "content": "x"}]}), "a") is None
    assert finished(a_turn(body={"messages": "hi"}), "a") is None
    assert finished(a_turn("   "), "a") is None


def test_our_blocks_are_not_part_of_what_was_said():
    exchange = finished(a_turn("<recalled_context>old</recalled_context> I like teal"), "ok <recalled_context>x</recalled_context>")
    assert (exchange.question, exchange.answer) == ("I like teal", "ok ")


def test_the_same_turn_has_the_same_key_whatever_the_system_message():
    one = a_turn("hi", body={"messages": [{"role": "system", "content": "now 12:00"}, {"role": "user", "content": "hi"}]})
    two = a_turn("hi", body={"messages": [{"role": "system", "content": "now 12:01"}, {"role": "user", "content": "hi"}]})
    assert finished(one, "a").key == finished(two, "a").key


def test_how_a_client_writes_a_message_down_does_not_change_the_key():
    plain = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}, {"role": "user", "content": "c"}]
    parts = [
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {"url": "data:..."}}], "name": "x"},
        {"role": "assistant", "content": "<recalled_context>old</recalled_context>b\n", "refusal": None},
        {"role": "user", "content": [{"type": "input_text", "text": "c"}]},
    ]
    keys = {finished(a_turn(body={"messages": messages}), "d").key for messages in (plain, parts)}
    assert len(keys) == 1


def test_who_said_it_and_where_one_message_ends_are_part_of_the_key():
    conversations = [
        [("user", "a b"), ("user", "c")],
        [("user", "a"), ("user", "b c")],
        [("assistant", "a b"), ("user", "c")],
        [("user", "a"), ("user", "b"), ("user", "c")],
        [("user", "auserb"), ("user", "c")],
    ]
    bodies = [{"messages": [{"role": role, "content": text} for role, text in said]} for said in conversations]
    assert len({finished(a_turn(body=body), "d").key for body in bodies}) == len(bodies)


def test_a_message_that_cannot_be_encoded_gets_a_key_all_the_same():
    odd = [{"role": "user", "content": "cut \ud83d"}, {"n": 2**80}, "odd", None]
    assert exchange_key("alice", odd, "a") != exchange_key("alice", odd[1:], "a")


def test_another_user_question_answer_or_history_has_another_key():
    turns = [(a_turn("hi"), "a"), (a_turn("hi", user="bob"), "a"), (a_turn("ho"), "a"), (a_turn("hi"), "b"), (a_turn("x", "hi"), "a")]
    assert len({finished(turn, answer).key for turn, answer in turns}) == len(turns)


def test_a_tool_loop_keeps_the_question_that_began_it():
    messages = [
        {"role": "user", "content": "weather in Oslo?"},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c1"}]},
        {"role": "tool", "tool_call_id": "c1", "content": "-3 C"},
    ]
    exchange = finished(a_turn(body={"messages": messages}), "It is cold.")
    assert exchange.question == "weather in Oslo?"
    assert "-3 C" not in exchange.question + exchange.answer


def test_very_long_texts_are_cut_and_lone_surrogates_replaced():
    exchange = finished(a_turn("ab"), "x" * (MAX_TEXT + 5) + "\ud83d")
    assert len(exchange.answer) == MAX_TEXT
    assert finished(a_turn("ab"), "cut \ud83d").answer == "cut ?"
