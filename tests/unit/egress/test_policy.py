"""Policies: what is done with which entity, and when a stored verdict is stale."""

from __future__ import annotations

import pytest

from gateway.egress import policy as policies
from gateway.egress.policy import CLASS_OF, Policy, label
from gateway.egress.rules import RECOGNIZERS
from gateway.errors import ConfigError


def test_credentials_are_dropped_and_addresses_masked_by_default() -> None:
    policy = Policy()
    assert [policy.action(entity) for entity in ("API_TOKEN", "CREDIT_CARD", "DATE_OF_BIRTH", "PASSWORD_HINT")] == ["drop"] * 4
    assert [policy.action(entity) for entity in ("PERSON", "EMAIL_ADDRESS", "INTERNAL_HOST", "SOURCE_CODE")] == ["mask"] * 4


def test_an_entity_that_nobody_knows_is_dropped() -> None:
    assert Policy().action("SOMETHING_NEW") == "drop"


def test_an_override_for_an_entity_counts_more_than_one_for_its_class() -> None:
    policy = Policy(classes={"credential": "mask"}, entities={"JWT": "allow"})
    assert (policy.action("JWT"), policy.action("PASSWORD"), policy.action("IBAN_CODE")) == ("allow", "mask", "drop")


def test_the_version_changes_with_everything_that_can_change_a_verdict() -> None:
    versions = [
        Policy(),
        Policy(classes={"email": "allow"}),
        Policy(entities={"PIN": "mask"}),
        Policy(allow_terms=("acme",)),
        Policy(deny_terms=("acme",)),
        Policy(ner="off"),
    ]
    assert len({policy.version for policy in versions}) == len(versions)


def test_the_version_does_not_depend_on_the_mode_or_on_the_order_of_terms() -> None:
    assert Policy(cloud_mode="strip").version == Policy().version
    assert Policy(allow_terms=("a1", "b2")).version == Policy(allow_terms=("b2", "a1")).version


def test_the_version_changes_with_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    before = Policy().version
    monkeypatch.setattr(policies, "RULES_VERSION", "another")
    assert Policy().version != before


def test_the_version_changes_when_a_language_model_comes_or_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    versions = set()
    for installed in (True, False):
        monkeypatch.setattr(policies, "ner_installed", lambda installed=installed: installed)
        versions.add(Policy().version)
    assert len(versions) == 2


def test_names_are_not_looked_for_when_they_may_leave() -> None:
    assert not Policy(classes={"person": "allow"}, ner="on").uses_ner()
    assert not Policy(ner="off").uses_ner()


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"classes": {"mails": "drop"}}, "egress.classes names 'mails'"),
        ({"entities": {"MAIL": "drop"}}, "egress.entities names 'MAIL'"),
        ({"classes": {"email": "hide"}}, "egress.classes.email is 'hide'"),
    ],
)
def test_an_unknown_name_or_action_is_refused_with_the_known_ones(given: dict[str, dict[str, str]], named: str) -> None:
    with pytest.raises(ConfigError, match=named):
        Policy(**given)  # type: ignore[arg-type]


def test_a_policy_survives_the_way_to_another_process() -> None:
    policy = Policy("strip", {"email": "drop"}, {"PIN": "mask"}, ("acme",), ("titan",), "off")
    copy = Policy.from_json(policy.to_json())
    assert copy == policy
    assert copy.version == policy.version


def test_every_entity_of_every_rule_has_a_class() -> None:
    assert {entity for rule in RECOGNIZERS.values() for entity in rule.entities} <= CLASS_OF.keys()


def test_a_mask_is_named_after_the_class() -> None:
    assert (label("EMAIL_ADDRESS"), label("JWT"), label("UNSCANNED")) == ("email", "credential", "unscanned")
