"""The rules over sentences of many notations and languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gateway.egress.normalise import view_of
from gateway.egress.policy import Policy
from gateway.egress.rules import RECOGNIZERS
from gateway.egress.scan import Rules
from tests.unit.egress.cases import HARMLESS, PERSONAL, SECRETS
from tests.unit.egress.templates import filled, hidden

if TYPE_CHECKING:
    from gateway.egress.rules.base import Rule

RULES = Rules(Policy())


@pytest.mark.parametrize("template", SECRETS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_secret_is_found(template: str, seed: int) -> None:
    text, places = filled(template, seed)
    spans = RULES.scan(text)
    assert all(hidden(text, place, spans) for place in places), text


@pytest.mark.parametrize("template", PERSONAL)
def test_personal_data_is_found(template: str) -> None:
    text, places = filled(template)
    spans = RULES.scan(text)
    assert all(hidden(text, place, spans) for place in places), text


@pytest.mark.parametrize("text", HARMLESS)
def test_a_harmless_sentence_is_left_alone(text: str) -> None:
    assert RULES.scan(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "CONFIDENTIAL: the merger closes in May",
        "This is our proprietary algorithm for pricing",
        "Streng vertraulich: Umbau im Mai",
        "社外秘の資料",
        "under NDA until launch",
    ],
)
def test_what_is_marked_as_confidential_does_not_leave(text: str) -> None:
    assert "PROPRIETARY" in {span.entity for span in RULES.scan(text)}


def test_program_text_of_some_length_is_found_as_a_whole() -> None:
    code = "def price(item):\n    base = item.cost * 1.2\n\n    if item.rare:\n        base += 7\n    return base"
    spans = RULES.scan(f"The pricing code:\n```python\n{code}\n```\nKeep it fast.")
    assert [span.entity for span in spans] == ["SOURCE_CODE"]


@pytest.mark.parametrize(
    "text", ["def resolve(request): ...", "import os\nx = 1\ny = 2\nz = 3\nprint(x)", "# Title\n# Second\nprose\nmore prose\nand more"]
)
def test_a_line_of_code_or_lines_without_a_definition_may_leave(text: str) -> None:
    assert RULES.scan(text) == ()


def test_a_bitcoin_address_is_no_secret() -> None:
    assert [span.entity for span in RULES.scan("donate to 16Yeky6GMjeNkAiNcBY7ZhrLoMSgg1BoyZ")] == ["CRYPTO"]


@pytest.mark.parametrize("rule", RECOGNIZERS.values(), ids=RECOGNIZERS.keys())
def test_every_rule_names_what_it_finds_and_stays_inside_the_text(rule: Rule) -> None:
    for template in (*SECRETS, *PERSONAL, *HARMLESS):
        view = view_of(filled(template)[0])
        for span in rule.find(view):
            assert span.entity in rule.entities
            assert 0 <= span.start < span.end <= len(view.text)


def test_the_rules_need_neither_presidio_nor_a_language_model() -> None:
    import subprocess
    import sys

    code = "import sys, gateway.egress.scan, gateway.egress.report; sys.exit(any(n in sys.modules for n in ('presidio_analyzer', 'spacy')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
