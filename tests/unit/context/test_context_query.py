from gateway.context.query import MAX_QUERY_CHARS, last_user_text, recall_query, text_of, without_blocks


def user(content):
    return {"role": "user", "content": content}


def test_the_last_user_message_is_the_query():
    messages = [user("old: cats"), {"role": "assistant", "content": "meow"}, user("new: databases")]
    assert recall_query(messages) == "new: databases"


def test_text_parts_count_and_images_do_not():
    content = [
        {"type": "text", "text": "who is this?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
        {"type": "text", "text": "and where?"},
    ]
    assert recall_query([user(content)]) == "who is this?\nand where?"


def test_an_image_alone_asks_nothing():
    assert recall_query([user([{"type": "image_url", "image_url": {"url": "https://example.invalid/p.png"}}])]) == ""


def test_a_tool_result_keeps_the_question_of_the_user():
    messages = [
        user("weather in Oslo?"),
        {"role": "assistant", "content": None, "tool_calls": []},
        {"role": "tool", "tool_call_id": "c", "content": "-3 C " * 1000},
    ]
    assert recall_query(messages) == "weather in Oslo?"


def test_messages_of_odd_shapes_are_passed_over():
    assert recall_query([None, 3, "x", {"role": "user"}, {"role": "user", "content": {"a": 1}}]) == ""
    assert text_of([None, {"type": "text"}, {"type": "text", "text": 7}]) == ""


def test_a_block_that_was_left_in_a_message_is_no_part_of_the_question():
    assert last_user_text([user("<recalled_context>\nold\n</recalled_context>\nreal question")]) == "real question"
    assert without_blocks("a <RECALLED_CONTEXT x='1'>b</recalled_context > c") == "a c"


def test_a_very_long_question_keeps_both_its_ends():
    query = recall_query([user("start " + "x" * 50_000 + " end")])
    assert len(query) <= MAX_QUERY_CHARS + 1
    assert query.startswith("start")
    assert query.endswith("end")


def test_taking_blocks_out_takes_time_in_proportion_to_the_text():
    hostile = "<recalled_context>" * 60_000  # squared: minutes
    assert without_blocks(hostile) == hostile
    assert without_blocks("</recalled_context" + " " * 100_000) == "</recalled_context" + " " * 100_000


def test_what_is_no_list_of_messages_asks_nothing():
    for messages in (5, True, None, "text", {"role": "user"}):
        assert recall_query(messages) == ""
    assert text_of([{"type": [], "text": "x"}, {"type": {"a": 1}}]) == ""
