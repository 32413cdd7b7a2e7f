import copy

from gateway.context.placement import with_block

BLOCK = "<recalled_context>\n- a\n</recalled_context>"
USER = {"role": "user", "content": "hi"}


def place(messages, block=BLOCK, placement="system_head"):
    body = {"model": "m", "messages": messages, "temperature": 0}
    before = copy.deepcopy(body)
    result = with_block(body, block, placement)
    assert body == before, "the body was changed in place"
    return result


def test_a_system_message_is_made_when_there_is_none():
    assert place([USER])["messages"] == [{"role": "system", "content": BLOCK}, USER]


def test_the_block_stands_before_the_clients_system_text():
    messages = place([{"role": "system", "content": "Rules.", "name": "x"}, USER])["messages"]
    assert messages == [{"role": "system", "content": f"{BLOCK}\n\nRules.", "name": "x"}, USER]


def test_a_developer_message_is_a_system_message():
    assert place([{"role": "developer", "content": "Rules."}, USER])["messages"][0]["role"] == "developer"


def test_parts_stay_parts():
    parts = [{"type": "text", "text": "One."}, {"type": "text", "text": "Two."}]
    content = place([{"role": "system", "content": parts}, USER])["messages"][0]["content"]
    assert content == [{"type": "text", "text": f"{BLOCK}\n\n"}, *parts]


def test_the_block_stands_behind_the_last_part_that_the_client_marked_for_caching():
    parts = [{"type": "text", "text": "One.", "cache_control": {"type": "ephemeral"}}, {"type": "text", "text": "Two."}]
    content = place([{"role": "system", "content": parts}, USER])["messages"][0]["content"]
    assert [part["text"] for part in content] == ["One.", f"{BLOCK}\n\n", "Two."]


def test_a_system_message_in_the_middle_stays_where_it_is():
    later = {"role": "system", "content": "summarise now"}
    assert place([USER, later])["messages"] == [{"role": "system", "content": BLOCK}, USER, later]


def test_the_last_user_message_takes_the_block_when_so_configured():
    messages = place([USER, {"role": "assistant", "content": "ok"}, USER], placement="last_user")["messages"]
    assert messages[0] == USER
    assert messages[2]["content"] == f"{BLOCK}\n\nhi"


def test_a_block_of_an_earlier_turn_goes():
    stale = {"role": "system", "content": "<recalled_context>\nstale\n</recalled_context>\nBase rules."}
    assert place([stale, USER])["messages"][0]["content"] == f"{BLOCK}\n\nBase rules."
    assert place([stale, USER], block="")["messages"][0]["content"] == "Base rules."


def test_a_stale_block_in_a_part_goes_and_leaves_no_empty_part():
    stale = {
        "role": "system",
        "content": [{"type": "text", "text": "<recalled_context>old</recalled_context>"}, {"type": "text", "text": "R"}],
    }
    assert place([stale, USER], block="")["messages"][0]["content"] == [{"type": "text", "text": "R"}]


def test_nothing_to_do_says_so():
    assert place([USER], block="") is None
    assert with_block({"model": "m"}, BLOCK, "system_head") is None
    assert with_block({"model": "m", "messages": "text"}, BLOCK, "system_head") is None


def test_odd_messages_are_left_alone():
    odd = [None, 3, {"role": "user", "content": ["text", None, {"type": "text", "text": None}]}]
    assert place(odd)["messages"][1:] == odd
