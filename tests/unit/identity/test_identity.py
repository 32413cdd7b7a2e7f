"""Who may act for whom."""

import itertools

import pytest

from gateway.errors import BadRequest, EluvixError, Forbidden, Unauthorized
from gateway.identity import Identity, NamedKey, key_digest

BOBS, ALICES, FREE = "key-of-" + "bob", "key-of-" + "alice", "key-for-" + "all"
KEYS = [
    NamedKey("bobs", key_digest(BOBS), "bob", top_k=3, max_tokens=100),
    NamedKey("alices", key_digest(ALICES), "alice"),
    NamedKey("app", key_digest(FREE), None, max_tokens=0),
]
closed = Identity(KEYS, open_access=False)
opened = Identity([], open_access=True)

USERS = [None, "bob", "alice", "Bob", "BOB", "bob2", "bo", "bob.", ".bob", "carol", "a.b@c.example", "a" * 128]
HOSTILE = [
    *("", "*", "**", "bob*", ".", "..", "...", "." * 128, "../bob", "..\\bob", "a/b", "a\\b", "/bob", "~bob", "bob/", "bob/.", "./bob"),
    *("a b", " ", "a\tb", "bob\n", "\nbob", "bob\r", "bob\x00", "\x00", "\x7f", "bob\x1b[0m", "%2e%2e", "bob%00", "bob%0a"),
    *("é", "b\xf6b", "bob\xa0", "\xa0bob", "bob\x85", "\xff\xfe", "bob\xad", "a" * 129, "a" * 10_000),
    *(
        "bob,alice",
        "bob, alice",
        "bob;alice",
        "bob'--",
        'bob"',
        "bob&user=alice",
        "bob?x",
        "bob#x",
        "{bob}",
        "$bob",
        "${USER}",
        "b|ob",
        "<bob>",
    ),
]


def shown(name):
    """A short name of a case."""
    return ascii(name[:20])


def headers(key=None, user=None, name=b"authorization"):
    value = None if key is None else f"Bearer {key}" if name == b"authorization" else key
    sent = [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")]
    sent += [] if value is None else [(name, value.encode())]
    return sent if user is None else [*sent, (b"x-eluvix-user", user.encode("latin-1"))]


def outcome(identity, sent):
    try:
        return identity.principal(sent).user
    except EluvixError as error:
        return type(error)


@pytest.mark.parametrize(("own", "key"), [("bob", BOBS), ("alice", ALICES)])
@pytest.mark.parametrize("named", USERS)
def test_a_bound_key_acts_for_its_user_and_for_nobody_else(own, key, named):
    assert outcome(closed, headers(key, named)) == (own if named in {None, own} else Forbidden)


@pytest.mark.parametrize("named", USERS)
def test_a_free_key_acts_for_whom_the_request_names_and_else_for_nobody(named):
    assert outcome(closed, headers(FREE, named)) == named


@pytest.mark.parametrize("named", USERS)
@pytest.mark.parametrize("key", [None, "", "unknown", BOBS + "x", BOBS[:-1], BOBS.upper(), "*", "bob", "bobs", key_digest(BOBS).hex()])
def test_without_a_known_key_nobody_gets_in_whoever_they_say_they_are(key, named):
    assert outcome(closed, headers(key, named)) is Unauthorized


@pytest.mark.parametrize("named", USERS)
@pytest.mark.parametrize("key", [None, "", "sk-anything", BOBS])
def test_on_open_loopback_the_header_names_the_user_and_any_key_is_ignored(key, named):
    principal = opened.principal(headers(key, named))
    assert (principal.user, principal.key_name) == (named, None)


@pytest.mark.parametrize("named", HOSTILE, ids=shown)
@pytest.mark.parametrize(("identity", "key"), [(closed, FREE), (closed, BOBS), (opened, None), (opened, "anything")])
def test_a_hostile_name_is_refused_with_the_rule_whoever_sends_it(identity, key, named):
    with pytest.raises(BadRequest) as caught:
        identity.principal(headers(key, named))
    assert (caught.value.param, caught.value.code) == ("x-eluvix-user", "invalid_user")
    assert "x-eluvix-user" in str(caught.value)
    assert "1 to 128 of ASCII letters, digits" in str(caught.value)


@pytest.mark.parametrize("named", HOSTILE, ids=shown)
@pytest.mark.parametrize("key", [None, "unknown"])
def test_a_hostile_name_does_not_replace_a_key(key, named):
    assert outcome(closed, headers(key, named)) is Unauthorized


@pytest.mark.parametrize("bound", USERS[1:])
@pytest.mark.parametrize("named", USERS[1:])
def test_no_pair_of_different_users_passes_a_bound_key(bound, named):
    identity = Identity([NamedKey("k", key_digest("k"), bound)], open_access=False)
    assert outcome(identity, headers("k", named)) == (bound if bound == named else Forbidden)


@pytest.mark.parametrize("named", [None, "bob"])
def test_as_soon_as_there_is_a_key_open_access_ends(named):
    identity = Identity(KEYS, open_access=True)
    assert outcome(identity, headers(None, named)) is Unauthorized
    assert outcome(identity, headers(BOBS)) == "bob"


@pytest.mark.parametrize("key", [None, "", "anything"])
def test_without_any_key_and_without_open_access_nobody_gets_in(key):
    assert outcome(Identity([], open_access=False), headers(key, "bob")) is Unauthorized


def test_an_empty_key_opens_nothing_even_where_one_was_configured():
    identity = Identity([NamedKey("empty", key_digest(""), None)], open_access=False)
    assert outcome(identity, [(b"authorization", b"Bearer "), (b"x-api-key", b"")]) is Unauthorized


def test_a_key_that_was_given_twice_keeps_its_first_owner():
    identity = Identity([NamedKey("a", key_digest("k"), "bob"), NamedKey("b", key_digest("k"), None)], open_access=False)
    assert outcome(identity, headers("k", "alice")) is Forbidden


@pytest.mark.parametrize("name", [b"authorization", b"x-api-key", b"api-key"])
def test_a_key_may_come_in_any_of_the_usual_headers(name):
    assert closed.principal(headers(BOBS, name=name)).key_name == "bobs"


@pytest.mark.parametrize(
    "value", [b"bearer %b", b"BEARER %b", b"Bearer   %b", b" Bearer %b ", b"Bearer %b\t"], ids=["lower", "upper", "blanks", "around", "tab"]
)
def test_a_bearer_is_read_as_http_means_it(value):
    assert closed.principal([(b"authorization", value % BOBS.encode())]).user == "bob"


@pytest.mark.parametrize("value", [b"Basic %b", b"%b", b"Bearer%b", b"Bearer x %b", b"Token %b", b"Bearer \xa0%b"])
def test_other_forms_of_authorization_are_no_key(value):
    assert outcome(closed, [(b"authorization", value % BOBS.encode())]) is Unauthorized


@pytest.mark.parametrize("first", [0, 1])
def test_a_bearer_counts_more_than_another_header_whatever_their_order(first):
    sent = [(b"authorization", b"Bearer " + BOBS.encode()), (b"x-api-key", ALICES.encode())]
    assert closed.principal([sent[first], sent[1 - first]]).user == "bob"


def test_a_bearer_that_is_empty_leaves_room_for_another_header():
    assert closed.principal([(b"authorization", b"Bearer "), (b"api-key", ALICES.encode())]).user == "alice"


@pytest.mark.parametrize("value", [b"Bearer \xff\xfe", "Bearer schlüssel".encode(), b"Bearer \x00", b"\x80\x81"])
def test_bytes_that_are_no_text_are_an_unknown_key_and_nothing_worse(value):
    assert outcome(closed, [(b"authorization", value)]) is Unauthorized


@pytest.mark.parametrize(("first", "second"), list(itertools.permutations(["alice", "bob", ""], 2)))
@pytest.mark.parametrize(("identity", "key"), [(closed, FREE), (closed, BOBS), (opened, None)])
def test_two_different_names_in_one_request_are_refused(identity, key, first, second):
    sent = [*headers(key, first), (b"x-eluvix-user", second.encode())]
    assert outcome(identity, sent) is BadRequest


def test_the_same_name_twice_is_one_name():
    assert opened.principal([(b"x-eluvix-user", b"bob"), (b"x-eluvix-user", b" bob ")]).user == "bob"


def test_the_name_and_the_limits_of_a_key_travel_with_it():
    principal = closed.principal(headers(BOBS))
    assert (principal.key_name, principal.top_k, principal.max_tokens) == ("bobs", 3, 100)
    assert closed.principal(headers(FREE, "carol")).max_tokens == 0


@pytest.mark.parametrize("sent", [headers("SECRET-KEY"), headers(FREE, "SECRET/NAME"), headers(BOBS, "SECRET")])
def test_no_error_repeats_what_was_sent(sent):
    with pytest.raises(EluvixError) as caught:
        closed.principal(sent)
    assert "SECRET" not in str(caught.value)
    assert BOBS not in str(caught.value)


def test_a_key_is_kept_as_a_hash_alone():
    assert BOBS not in repr(vars(closed))
    assert len(key_digest(BOBS)) == 32
