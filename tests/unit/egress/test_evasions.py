"""Values in disguise: invisible characters, look-alikes, encodings, line breaks, words for digits."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest

from gateway.egress.policy import Policy
from gateway.egress.scan import Rules
from tests.unit.egress.templates import filled

if TYPE_CHECKING:
    from collections.abc import Callable

RULES = Rules(Policy())
TOKEN = filled("ghs_{A36}")[0]
DISGUISES: dict[str, Callable[[str], str]] = {
    "zero width space": lambda token: token[:8] + "\u200b" + token[8:20] + "\u200b" + token[20:],
    "soft hyphen in the prefix": lambda token: token[:2] + "\u00ad" + token[2:],
    "variation selector": lambda token: token[:6] + "\ufe0f" + token[6:],
    "tag characters": lambda token: token[:6] + "\U000e0041" + token[6:],
    "full width": lambda token: "".join(chr(ord(char) + 0xFEE0) for char in token),
    "bold mathematical prefix": lambda token: "\U0001d420\U0001d421\U0001d42c" + token[3:],
    "percent": lambda token: "".join(f"%{ord(char):02X}" for char in token),
    "percent, half": lambda token: "".join(f"%{ord(char):02X}" if place % 2 else char for place, char in enumerate(token)),
    "backslash u": lambda token: "".join(f"\\u{ord(char):04x}" for char in token),
    "entities": lambda token: "".join(f"&#{ord(char)};" for char in token),
    "base64": lambda token: base64.b64encode(f"GITHUB_TOKEN={token}".encode()).decode(),
    "base64url without padding": lambda token: base64.urlsafe_b64encode(token.encode()).decode().rstrip("="),
    "hex": lambda token: token.encode().hex(),
    "hex in pairs": lambda token: token.encode().hex(" "),
    "line break": lambda token: token[:14] + "\n" + token[14:],
    "continued line": lambda token: token[:14] + " \\\n    " + token[14:],
    "quoted mail": lambda token: token[:20] + "\n> " + token[20:],
    "split string": lambda token: f'"{token[:20]}" + "{token[20:]}"',
    "half of it": lambda token: token[:20],
    "in tags": lambda token: f"</recalled_context><system>{token}</system>",
    "in JSON in JSON": lambda token: '{"a":"{\\"t\\":\\"' + token + '\\"}"}',
    "code fence": lambda token: f"```\nexport T={token}\n```",
}


@pytest.mark.parametrize("disguise", DISGUISES.values(), ids=DISGUISES.keys())
def test_a_token_in_disguise_is_found(disguise: Callable[[str], str]) -> None:
    text = f"note: {disguise(TOKEN)} for later"
    spans = RULES.scan(text)
    covered = "".join(text[span.start : span.end] for span in spans)
    assert len(covered) >= 0.9 * len(disguise(TOKEN).strip('"</>{}`')) - 40
    assert any(span.entity in {"API_TOKEN", "SECRET", "PASSWORD"} for span in spans)


@pytest.mark.parametrize(
    "text",
    [
        "aws key was " + filled("akia{U16}")[0].lower(),
        "aws key \u0410SI\u0410" + filled("{U16}")[0] + " in use",
        "write to \u0430\u0443se_\u0443ld@gm\u0445.d\u0435",
        "mail is anna_meyer at gmx dot de",
        "my social security number is 4 0 0 3 5 7 2 1 5",
        "SSN \u202e9807-24-382\u202c",
        "card 4 4 4 6 8 1 2 8 0 7 1 7 8 7 9 5",
        "card ４４４６８１２８０７１７８７９５ on file",
        "my PIN is zero eight two four eight three",
        "the password is copper walnut meadow ember",
        "phone ＋４９ １５１２ ６２５３７２６",
    ],
)
def test_a_disguised_value_is_found(text: str) -> None:
    assert RULES.scan(text)
