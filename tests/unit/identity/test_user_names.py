"""Which names a user may have, and the folder that belongs to each."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gateway.errors import BadRequest
from gateway.identity import folder_name, valid_user

ORDINARY = ["alice", "Alice", "a", "0", "a.b@c.example", "team:web+1", "a" * 128, "-", "_", "@", "a..b", ".a", "a.", "x-y_z", "A.B"]


@pytest.mark.parametrize("name", ORDINARY)
def test_ordinary_names_pass_unchanged(name):
    assert valid_user(name) == name


@pytest.mark.parametrize(
    "name", ["", "*", ".", "..", "." * 128, "a" * 129, "a b", "a\n", "a/b", "a\\b", "é", "ａ", "a\u200b", "\ud800", "١"]
)
def test_other_names_are_refused_with_the_rule_and_the_field(name):
    with pytest.raises(BadRequest) as caught:
        valid_user(name)
    assert caught.value.param == "userId"
    assert "`userId` is not a user name" in str(caught.value)
    assert "not made of dots alone" in str(caught.value)


def test_the_field_can_be_named_otherwise():
    with pytest.raises(BadRequest, match="`--user`"):
        valid_user("*", "--user")


@given(st.text(max_size=8))
@example("a" * 129)
def test_a_name_passes_exactly_when_the_rule_says_so(name):
    allowed = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._@:+-")
    fits = 1 <= len(name) <= 128 and set(name) <= allowed and set(name) != {"."}
    try:
        assert valid_user(name) == name
        assert fits
    except BadRequest:
        assert not fits


@pytest.mark.parametrize(
    ("user", "folder"),
    [
        ("alice", "alice"),
        ("Alice", "%41lice"),
        ("a.b", "a%2eb"),
        ("con", "%63on"),
        ("com1", "%63om1"),
        ("console", "console"),
        ("..x", "%2e%2ex"),
    ],
)
def test_folders_are_named_after_their_users(user, folder):
    assert folder_name(user) == folder


users = st.text(st.sampled_from("aAbBcCoOnNzZ019._@:+-%~"), min_size=1, max_size=6) | st.sampled_from(["con", "CON", "nul", "lpt1", "com"])


@given(users, users)
def test_no_two_users_share_a_folder_even_where_case_does_not_count(first, second):
    assert (folder_name(first).casefold() == folder_name(second).casefold()) == (first == second)


@pytest.mark.parametrize("end", ["", "x", "X"])
def test_long_names_stay_apart_and_within_what_file_systems_take(end):
    long = "A" * (128 - len(end)) + end
    others = ["A" * 127, "A" * 127 + "B", "a" + "A" * 127]
    assert len(folder_name(long)) <= 200
    assert folder_name(long) not in {folder_name(other) for other in others if other != long}


@given(users)
def test_a_folder_is_one_plain_part_of_a_path(user):
    folder = folder_name(user)
    assert not set(folder) & set('/\\:*?"<>|. \0')
    assert folder.upper() not in {"CON", "PRN", "AUX", "NUL", *(f"{port}{n}" for port in ("COM", "LPT") for n in range(10))}
