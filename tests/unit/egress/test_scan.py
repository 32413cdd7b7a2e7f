"""Scanning, masking and judging: what leaves, what is masked, and that nothing leaves unseen."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.egress.policy import Policy
from gateway.egress.rules.base import Finder, GaveUp, word_list
from gateway.egress.scan import MAX_BYTES, Rules, judge, mask
from gateway.egress.spans import Span
from tests.unit.egress.templates import filled

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gateway.egress.views import View

POLICY = Policy()
RULES = Rules(POLICY)
WORDS = st.sampled_from(
    word_list(
        "password is my token: key = Anna Meyer born 3 May 1984 call +49 30 1234567 mail a.b@acme.org at dot de lives 12 Main Street "
        ", . ssh db-3.prod.internal 10.1.2.3 [redacted:person] [redacted:email] SSN 536-22-8714 PIN 4821 card code \u200b аcme"
    )
)
TEXTS = st.one_of(st.lists(WORDS, max_size=25).map(" ".join) | st.lists(WORDS, max_size=9).map("\n".join), st.text(max_size=60))


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_masking_a_masked_text_changes_nothing(text: str) -> None:
    masked = mask(text, RULES.scan(text), POLICY)
    assert RULES.scan(masked) == ()


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_spans_lie_inside_the_text_and_apart(text: str) -> None:
    spans = RULES.scan(text)
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert all(first.end <= second.start for first, second in pairwise(spans))


def test_a_harmless_text_may_leave_as_it_is() -> None:
    result = judge("Prefers tabs.", RULES.scan("Prefers tabs."), POLICY)
    assert (result.sensitivity, result.masked, result.entities, result.policy) == ("none", "Prefers tabs.", (), POLICY.version)


def test_personal_data_is_masked_one_way() -> None:
    text = "Reach Anna Meyer at anna.meyer@acme.org."
    result = judge(text, RULES.scan(text), POLICY)
    assert result.masked == "Reach [redacted:person] at [redacted:email]."
    assert (result.sensitivity, result.entities) == ("medium", ("EMAIL_ADDRESS", "PERSON"))


def test_a_credential_takes_the_whole_text_with_it() -> None:
    text, _ = filled("anna.meyer@acme.org uses ⟦ghp_{A36}⟧")
    result = judge(text, RULES.scan(text), POLICY)
    assert (result.sensitivity, result.masked, result.entities) == ("high", "", ("API_TOKEN", "EMAIL_ADDRESS"))


def test_a_password_that_is_only_hinted_at_takes_the_text_with_it() -> None:
    text = "The password is my dog's name and the year."
    assert judge(text, RULES.scan(text), POLICY).sensitivity == "high"


def test_what_is_allowed_is_not_touched() -> None:
    policy = Policy(classes={"email": "allow"})
    text = "mail anna.meyer@acme.org"
    assert judge(text, Rules(policy).scan(text), policy).sensitivity == "none"


def test_a_dropped_entity_can_be_masked_instead() -> None:
    policy = Policy(classes={"credential": "mask"})
    text, _ = filled("token ⟦ghp_{A36}⟧ here")
    assert judge(text, Rules(policy).scan(text), policy).masked == "token [redacted:credential] here"


def test_an_allowed_term_is_left_where_it_stands_as_whole_words() -> None:
    policy = Policy(allow_terms=("anna.meyer@acme.org",))
    assert Rules(policy).scan("mail ANNA.MEYER@acme.org") == ()
    assert Rules(policy).scan("mail anna.meyer@acme.organic.de") != ()


def test_a_denied_term_is_found_in_any_case_and_disguise() -> None:
    policy = Policy(deny_terms=("Project Titan",))
    for text in ("about project titan today", "about Proj\u200bect Titan today"):
        assert mask(text, Rules(policy).scan(text), policy) == "about [redacted:denied] today"
    assert Rules(policy).scan("project titanium") == ()


def test_a_mask_is_never_masked_again() -> None:
    def everything(view: View) -> Iterable[Span]:
        return [Span(0, len(view.text), "PERSON", 1.0)]

    rules = Rules(POLICY, [Finder(("PERSON",), everything)])
    assert rules.scan("[redacted:email] [redacted:person].") == ()
    assert [(span.start, span.end) for span in rules.scan("a [redacted:email] b")] == [(0, 2), (18, 20)]


def test_a_span_over_a_mask_covers_only_what_is_left() -> None:
    spans = RULES.scan("my boss is [redacted:person] and her password is [redacted:credential]")
    assert spans == ()


@pytest.mark.parametrize("text", ["x" * (MAX_BYTES + 1), "ж" * (MAX_BYTES // 2 + 1)])
def test_a_text_over_the_limit_does_not_leave(text: str) -> None:
    assert [span.entity for span in RULES.scan(text)] == ["UNSCANNED"]
    assert judge(text, (), POLICY).sensitivity == "high"
    assert mask(text, RULES.scan(text), POLICY) == "[redacted:unscanned]"


def test_a_text_at_the_limit_is_looked_through() -> None:
    assert RULES.scan("word " * (MAX_BYTES // 5)) == ()


@pytest.mark.parametrize("error", [ValueError, GaveUp, RecursionError])
def test_a_rule_that_fails_keeps_the_text_here(error: type[Exception]) -> None:
    def broken(view: View) -> Iterable[Span]:
        raise error

    text = "harmless"
    spans = Rules(POLICY, [Finder(("EMAIL_ADDRESS",), broken)]).scan(text)
    assert [span.entity for span in spans] == ["UNSCANNED"]
    assert judge(text, spans, POLICY).sensitivity == "high"


def test_a_rule_that_never_has_enough_keeps_the_text_here() -> None:
    def greedy(view: View) -> Iterable[Span]:
        at = next((at for at, char in enumerate(view.text) if char == "x"), None)
        return [] if at is None else [Span(at, at + 1, "EMAIL_ADDRESS", 1.0)]

    spans = Rules(POLICY, [Finder(("EMAIL_ADDRESS",), greedy)]).scan("x " * 50)
    assert [span.entity for span in spans] == ["UNSCANNED"]


def test_what_a_mask_uncovers_is_found_in_the_same_scan() -> None:
    def second_only_alone(view: View) -> Iterable[Span]:
        yield from (Span(at, at + 3, "PERSON", 1.0) for at in range(len(view.text)) if view.text.startswith("one", at))
        if "one" not in view.text and "two" in view.text:
            at = view.text.index("two")
            yield Span(at, at + 3, "PERSON", 1.0)

    spans = Rules(POLICY, [Finder(("PERSON",), second_only_alone)]).scan("one two six")
    assert [(span.start, span.end) for span in spans] == [(0, 3), (4, 7)]


def test_nothing_is_said_about_an_empty_text() -> None:
    assert RULES.scan("") == ()
    assert judge("", (), POLICY).sensitivity == "none"


def test_spans_found_elsewhere_are_settled_with_those_of_the_rules() -> None:
    spans = RULES.settled("Zaphod wrote to anna.meyer@acme.org", [Span(0, 6, "PERSON", 0.85)])
    assert [span.entity for span in spans] == ["PERSON", "EMAIL_ADDRESS"]


def test_rules_that_could_only_find_what_is_allowed_are_not_run() -> None:
    def never(view: View) -> Iterable[Span]:
        raise AssertionError

    assert Rules(Policy(classes={"email": "allow"}), [Finder(("EMAIL_ADDRESS",), never)]).scan("a@b.org") == ()
