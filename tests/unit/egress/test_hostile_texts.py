"""Texts made to keep the guard busy: the work grows with the length, not with its square."""

from __future__ import annotations

import time

import pytest

from gateway.egress.policy import Policy
from gateway.egress.rules import credential_forms, keys, shapes
from gateway.egress.rules.secret_labels import PASSWORD_LABELS, PIN_LABELS, SECRET_LABELS
from gateway.egress.scan import MAX_BYTES, Rules
from tests.unit.egress.cases import PERSONAL, SECRETS
from tests.unit.egress.templates import filled

BOUND_S = 4.0
"""CPU seconds for 64 KB; four times what the slowest takes. Quadratic work on such a text takes minutes."""

UNITS = [
    "1", "1 ", "1-", "12 34 ", "4 ", "4111 ", "+1 ", "00", "(", "a", "A", "Aa ", "John Smith ", "Mr. ", "my boss is ", "born ",
    "01/01/", "12 Main St, ", "12 rue de ", "Straße 1, ", "Calle de ", "lives at 1 ", "ул. Ленина, ", "пароль ", "密码", "\n", "a\n",
    "a1b2c3d4\n", "%41", "\\u0041", "&#65;", "68 65 ", "abandon ability ", "@", "a@", "a.b@c.", " at ", "at dot ", "http://a:",
    "http://a:b@", "x.local.", ":", "::", "fe80:", "aa:bb:", "\\\\a", "```\n", "def f():\n", "\u200b", "аa", "[redacted:email] ", "= '",
    "'a' 'a", "Ü", "私は", "가나 ", "password is ", "the password for the ", "pin one two ", "recovery code ", "<D>",
    "<RSAKeyValue><D>", "curl a -", "-----BEGIN CERTIFICATE-----", "data:image/png;base64,", "card 4111 1111 1111 ",
]  # fmt: skip


def repeated(unit: str) -> str:
    return (unit * (MAX_BYTES // len(unit.encode()) + 1)).encode()[:MAX_BYTES].decode("utf-8", "ignore")


def triggers() -> list[str]:
    """What sets off each table's rules, alone and with a blank."""
    literals = [literal for marks, _, _ in shapes.SHAPES for literal in marks.split("|")]
    literals += [literal for marks, _, _ in credential_forms.FORMS for literal in marks.strip("=").split("|")]
    literals += [literal for literal, *_ in keys.BLOCKS]
    labels = [label.replace("_", " ") for label in (*PASSWORD_LABELS[::9], *SECRET_LABELS[::9], *PIN_LABELS[::9])]
    sentences = [filled(template)[0] + " " for template in (*SECRETS[::6], *PERSONAL[::6])]
    return [text for literal in (*literals, *labels) if literal for text in (literal, literal + " ")] + sentences


def seconds(text: str, rules: Rules) -> float:
    begin = time.process_time()
    rules.scan(text)
    return time.process_time() - begin


def test_the_usual_suspects_at_a_tenth_of_the_length_do_not_stall() -> None:
    rules = Rules(Policy())
    for unit in UNITS:
        rules.scan(repeated(unit)[: MAX_BYTES // 10])


@pytest.mark.long
@pytest.mark.timeout(900)
def test_every_trigger_repeated_to_the_limit_is_done_in_time() -> None:
    rules = Rules(Policy())
    slow = {unit: taken for unit in (*UNITS, *triggers()) if (taken := seconds(repeated(unit), rules)) > BOUND_S}
    assert slow == {}
