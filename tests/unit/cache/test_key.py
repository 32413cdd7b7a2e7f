from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gateway.cache.key import cache_key, owner_of, owner_of_user
from gateway.turn import MemoryMode, Principal, Turn
from tests.fakes.sealed_request import SealedRequest

if TYPE_CHECKING:
    from gateway.turn import Endpoint


@dataclass(frozen=True)
class Case:
    """All that a key depends on."""

    user: str | None = "alice"
    key_name: str | None = None
    upstream: str = "ollama"
    url: str = "http://127.0.0.1:11434/v1"
    endpoint: Endpoint = "/chat/completions"
    policy: str = "1"
    body: dict[str, Any] = field(default_factory=lambda: {"model": "m", "messages": [{"role": "user", "content": "hi"}]})
    headers: dict[str, str] = field(default_factory=dict)

    def key(self) -> str | None:
        outbound = SealedRequest(self.upstream, self.url, self.endpoint, orjson.dumps(self.body), headers=self.headers)
        return cache_key(_turn(Principal(self.user, self.key_name)), outbound, self.policy)

    @property
    def meaning(self) -> object:
        """What must differ for keys to differ; the key's name counts only where there is no user."""
        owner = ("user", self.user) if self.user is not None else ("key", self.key_name)
        return owner, self.upstream, self.url, self.endpoint, self.policy, orjson.dumps(self.body), sorted(self.headers.items())


def _turn(principal: Principal, **changes: Any) -> Turn:
    body = {"model": "m", "messages": []}
    turn = Turn("r1", "/chat/completions", principal, MemoryMode(recall=True, commit=True), body, b"", 0.0)
    return replace(turn, **changes)


NAME = st.text(max_size=8)
VALUE = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(0, 2) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)
MESSAGES = st.lists(st.fixed_dictionaries({"role": st.sampled_from(["system", "user"]), "content": VALUE}), max_size=3)
BODY = st.fixed_dictionaries(
    {"model": NAME, "messages": MESSAGES},
    optional={"tools": VALUE, "temperature": VALUE, "n": VALUE, "stream": st.booleans(), "seed": VALUE, "x": VALUE},
)
CASE = st.builds(
    Case,
    user=st.none() | NAME,
    key_name=NAME,
    upstream=NAME,
    url=NAME,
    endpoint=st.sampled_from(["/chat/completions", "/completions", "/embeddings"]),
    policy=NAME,
    body=BODY,
    headers=st.dictionaries(st.sampled_from(["openai-beta", "accept-encoding", "anthropic-beta"]), NAME),
)
CHANGE = st.one_of(
    st.fixed_dictionaries({"user": NAME}),
    st.fixed_dictionaries({"user": st.none(), "key_name": NAME}),
    st.fixed_dictionaries({"upstream": NAME}),
    st.fixed_dictionaries({"url": NAME}),
    st.fixed_dictionaries({"endpoint": st.sampled_from(["/chat/completions", "/completions", "/embeddings"])}),
    st.fixed_dictionaries({"policy": NAME}),
    st.fixed_dictionaries({"body": BODY}),
    st.fixed_dictionaries({"headers": st.dictionaries(st.sampled_from(["openai-beta", "accept"]), NAME)}),
)


@settings(deadline=None)
@given(case=CASE, change=CHANGE)
def test_two_requests_that_differ_in_anything_never_share_a_key(case: Case, change: dict[str, Any]) -> None:
    other = replace(case, **change)
    assume(case.meaning != other.meaning)
    assert case.key() != other.key()


@settings(deadline=None)
@given(one=CASE, other=CASE)
def test_two_requests_share_a_key_exactly_when_all_that_matters_is_the_same(one: Case, other: Case) -> None:
    assert (one.key() == other.key()) == (one.meaning == other.meaning)


@settings(deadline=None)
@given(case=CASE, other=st.text(max_size=8))
def test_nobody_ever_hits_what_was_kept_for_another_user(case: Case, other: str) -> None:
    assume(case.user != other)
    assert case.key() != replace(case, user=other).key()


@settings(deadline=None)
@given(case=CASE, parameter=st.sampled_from(["tools", "temperature", "n", "stream", "seed", "x"]), value=VALUE)
def test_a_parameter_more_makes_another_key(case: Case, parameter: str, value: object) -> None:
    body = {name: kept for name, kept in case.body.items() if name != parameter}
    assert replace(case, body=body).key() != replace(case, body={**body, parameter: value}).key()


@settings(deadline=None)
@given(case=CASE, text=st.text(min_size=1, max_size=30))
def test_a_recalled_block_makes_another_key(case: Case, text: str) -> None:
    block = {"role": "system", "content": f"<recalled_context>{text}</recalled_context>"}
    body = {**case.body, "messages": [block, *case.body["messages"]]}
    assert case.key() != replace(case, body=body).key()


@settings(deadline=None)
@given(text=st.text(alphabet="ab", min_size=1, max_size=6), cut=st.integers(0, 6), other=st.integers(0, 6))
def test_fields_that_stand_side_by_side_never_run_into_each_other(text: str, cut: int, other: int) -> None:
    assume(text[:cut] != text[:other])
    assert Case(user=text[:cut], upstream=text[cut:]).key() != Case(user=text[:other], upstream=text[other:]).key()
    assert _raw_key(text[:cut], text[cut:]) != _raw_key(text[:other], text[other:])
    one, two = {f"openai-{text[:cut]}": text[cut:]}, {f"openai-{text[:other]}": text[other:]}
    assert Case(headers=one).key() != Case(headers=two).key()


def _raw_key(policy: str, body: str) -> str | None:
    return cache_key(_turn(Principal("alice")), SealedRequest(body=body.encode()), policy)


def test_the_same_request_of_the_same_user_has_the_same_key_whatever_its_id_and_time() -> None:
    outbound = SealedRequest()
    again = _turn(Principal("alice", "laptop"), request_id="r2", received=9.0, session="s")
    assert cache_key(_turn(Principal("alice")), outbound, "1") == cache_key(again, outbound, "1")


def test_a_user_and_a_key_of_the_same_name_share_nothing() -> None:
    assert Case(user="laptop").key() != Case(user=None, key_name="laptop").key()
    assert Case(user="key:laptop").key() != Case(user=None, key_name="laptop").key()


def test_without_user_and_key_the_cache_is_bypassed() -> None:
    assert Case(user=None).key() is None
    assert owner_of(Principal(None)) is None


def test_without_a_user_the_keys_name_takes_the_place() -> None:
    assert Case(user=None, key_name="laptop").key() is not None
    assert owner_of(Principal(None, "laptop")) == "key:laptop"


def test_a_client_that_wants_no_cache_bypasses_it() -> None:
    assert cache_key(_turn(Principal("alice"), no_cache=True), SealedRequest(), "1") is None


def test_several_choices_are_kept_like_one() -> None:
    assert Case(body={"model": "m", "messages": [], "n": 3}).key() is not None


@pytest.mark.parametrize("name", ["traceparent", "idempotency-key", "x-title"])
def test_headers_that_change_no_answer_change_no_key(name: str) -> None:
    assert Case(headers={name: "1"}).key() == Case(headers={name: "2"}).key()


def test_the_order_of_headers_does_not_matter() -> None:
    one = {"openai-beta": "a", "accept": "b"}
    assert Case(headers=one).key() == Case(headers=dict(reversed(one.items()))).key()


def test_the_owner_of_a_users_entries_can_be_named_without_a_request() -> None:
    assert owner_of(Principal("alice", "laptop")) == owner_of_user("alice")


def test_odd_names_have_keys_too() -> None:
    assert Case(user="\ud800").key() != Case(user="\ud801").key()


def test_a_key_is_64_hex_digits_and_tells_nothing() -> None:
    key = Case().key()
    assert key is not None
    assert len(bytes.fromhex(key)) == 32
