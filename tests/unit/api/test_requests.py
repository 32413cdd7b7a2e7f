import gzip
import zlib

import pytest

from gateway.api.requests import Incoming, decompressed, make_turn, parse_body
from gateway.errors import BadRequest, BodyTooLarge
from gateway.turn import MemoryMode, Principal

BODY = b'{"model": "m", "messages": [], "z": 1}'


ALLOWED = MemoryMode(recall=True, commit=True)


def turn(*headers, endpoint="/chat/completions", user="alice", allowed=ALLOWED):
    return make_turn(Incoming(endpoint, BODY, list(headers), Principal(user), "req_1", 0.0), allowed)


def test_a_turn_keeps_the_body_its_bytes_and_its_unknown_fields():
    made = turn()
    assert (made.raw, made.body["z"], made.model, made.user, made.stream) == (BODY, 1, "m", "alice", False)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "empty"),
        (b"{broken", "line 1"),
        (b'{"model": "m", "x": "\xff"}', "JSON"),
        (b'{"model": "m", "x": "\\ud83d"}', "JSON"),
        (b"[]", "array"),
        (b'"text"', "string"),
        (b"3", "number"),
        (b"null", "null"),
        (b"true", "boolean"),
        (b"{}", "model"),
        (b'{"model": 3}', "model"),
        (b'{"model": " "}', "model"),
    ],
)
def test_a_body_that_makes_no_sense_says_what_is_wrong(body, words):
    with pytest.raises(BadRequest, match=words):
        parse_body(body)


@pytest.mark.parametrize(
    ("value", "recall", "commit", "reason"),
    [
        (None, True, True, None),
        (b"on", True, True, None),
        (b" OFF ", False, False, "asked"),
        (b"read", True, False, None),
        (b"write", False, True, "asked"),
    ],
)
def test_a_request_may_opt_out_of_recall_and_commit(value, recall, commit, reason):
    headers = [] if value is None else [(b"x-eluvix-memory", value)]
    memory = turn(*headers).memory
    assert (memory.recall, memory.commit, memory.reason) == (recall, commit, reason)


def test_the_configuration_may_switch_recall_and_commit_off_for_everybody():
    memory = turn((b"x-eluvix-memory", b"on"), allowed=MemoryMode(recall=False, commit=False)).memory
    assert (memory.recall, memory.commit, memory.reason) == (False, False, "disabled")


def test_without_a_user_and_on_other_endpoints_memory_is_off():
    assert turn(user=None).memory.reason == "no-user"
    assert turn(endpoint="/embeddings").memory.reason == "endpoint"
    assert not turn(endpoint="/completions").memory.commit


def test_a_header_of_ours_that_makes_no_sense_is_refused():
    with pytest.raises(BadRequest, match="off, read"):
        turn((b"x-eluvix-memory", b"maybe"))
    for session in (b"", b"a b", b"x" * 129, b"../x"):
        with pytest.raises(BadRequest, match="x-eluvix-session"):
            turn((b"x-eluvix-session", session))
    assert turn((b"x-eluvix-session", b"chat-1")).session == "chat-1"


def test_the_cache_can_be_asked_for_and_refused():
    assert turn((b"x-eluvix-cache", b"on")).cache_asked
    for header in ((b"x-eluvix-cache", b"off"), (b"cache-control", b"no-store"), (b"cache-control", b"max-age=0, no-cache")):
        assert turn(header).no_cache


def test_the_clients_credentials_never_go_on():
    made = turn((b"authorization", b"Bearer x"), (b"cookie", b"a=b"), (b"x-api-key", b"k"), (b"openai-beta", b"v2"))
    assert made.headers == {"openai-beta": "v2"}


def test_a_header_that_is_sent_twice_counts_whole():
    made = turn((b"openai-beta", b"v2"), (b"openai-beta", b"v3"), (b"cache-control", b"no-store"), (b"cache-control", b"max-age=0"))
    assert made.headers == {"openai-beta": "v2, v3"}
    assert made.no_cache


@pytest.mark.parametrize("encoding", [b"gzip", b"deflate"])
def test_a_compressed_body_is_unpacked(encoding):
    packed = gzip.compress(BODY) if encoding == b"gzip" else zlib.compress(BODY)
    assert decompressed(packed, encoding, 1000) == BODY


def test_a_body_that_grows_beyond_the_limit_when_unpacked_is_refused():
    with pytest.raises(BodyTooLarge):
        decompressed(gzip.compress(b"x" * 10_000_000), b"gzip", 1000)


@pytest.mark.parametrize(("raw", "encoding"), [(b"no gzip", b"gzip"), (BODY, b"br")])
def test_a_body_that_is_not_what_its_encoding_says_is_refused(raw, encoding):
    with pytest.raises(BadRequest):
        decompressed(raw, encoding, 1000)


def test_integers_of_over_64_bits_are_kept():
    assert parse_body(b'{"model": "m", "seed": 18446744073709551617}')["seed"] == 18446744073709551617
    with pytest.raises(BadRequest):
        parse_body(b'{"model": "m", "seed": 18446744073709551617, "x": NaN}')
