"""Second thoughts about what presidio found: products taken for people, reserved addresses, cards of test systems."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gateway.egress.normalise import view_of
from gateway.egress.rules.emails import find_emails
from gateway.egress.rules.first_names import FIRST_NAMES
from gateway.egress.rules.payment import TEST_CARDS
from gateway.egress.rules.persons import trimmed_name

if TYPE_CHECKING:
    from gateway.egress.spans import Span

_CODE = re.compile(r"[\d_/\\@#$%^*+=<>{}\[\]()|~`:;&]|\w\.\w|\w-\w+-\w")
_SHAPE = re.compile(
    r"[^\W\d_a-z][\w'’.\-]*(?: (?:[^\W\d_a-z][\w'’.\-]*|(?:de|del|della|di|da|dos|das|van|von|der|den|bin|ibn|al|el|la|le|du|y))){0,4}"
)
_CAMEL = re.compile(r"[a-z][A-Z]")


def person_in(text: str, start: int, end: int) -> Span | None:
    """The name in what a language model calls a person, None for what has not the shape of a name.

    Model scores do not tell names from products; shape and a list of technical words do.
    """
    line = re.split(r"[\n,;(<:]", text[start:end], maxsplit=1)[0].rstrip()
    span = trimmed_name(line, start)
    if not span:
        return None
    name = text[span.start : span.end]
    if _CODE.search(name) or not _SHAPE.fullmatch(name) or (name.isupper() and " " not in name):
        return None
    if _CAMEL.search(name) and not re.match(r"(?:Mc|Mac|De|Di|La|Le|O['’])[A-Z]", name):
        return None
    if text[span.end : span.end + 1] in {"(", "_", "/", "="} or text[span.start - 1 : span.start] in {"@", "/", "_", "`", "."}:
        return None
    lone = " " not in name
    return span if not lone or name.lower() in FIRST_NAMES else None


def is_vetoed(entity: str, text: str, start: int, end: int) -> bool:
    """Whether a result of presidio's own recognizers is one of the values that are known to be harmless."""
    value = text[start:end]
    if entity == "EMAIL_ADDRESS":
        return not any(True for _ in find_emails(view_of(value)))
    if entity == "CREDIT_CARD":
        return re.sub(r"\D", "", value) in TEST_CARDS and "test" in text.lower()
    return False
