"""What the value behind a label looks like: a password, a token, a word of a sentence, or a hint at what it is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gateway.egress.rules.randomness import unpronounceable
from gateway.egress.spans import Span

if TYPE_CHECKING:
    from gateway.egress.views import View

_END = re.compile(r"(?:&(?:amp;)?\w{1,30}=.*|[,;].*|[.)\]}\\:]+)$")


def names_something_else(suffix: str) -> bool:
    """`password_hash_rounds`, `token_type`: the label is only part of another name."""
    return (
        re.search(
            r"[_\-.](?:type|id|ids|name|url|uri|file|path|length|len|size|min|max|count|policy|rounds|field|expiry|"
            r"expires\w*|ttl|reset|manager|"
            r"limit|prefix|format|algorithm|alg|enabled|required|version|ref|arn|env|var|store|dir|rotation|age)\b",
            suffix.lower(),
        )
        is not None
    )


def trimmed(value: str) -> str:
    """The value without what of the sentence or the URL hangs on its end."""
    return _END.sub("", value)


def is_telling(value: str) -> bool:
    """Whether this is no plain word: digits with letters, symbols, capitals inside, or several words joined."""
    if re.fullmatch(r"[\d.,:%/\-]+(?:[a-z]{1,3})?", value):
        return len(value) >= 4 and value.isdigit()
    if re.fullmatch(r"[^\W\d_]+(?:['-][^\W\d_]+)?", value):
        return any(char.isupper() for char in value[2:]) and not value.isupper() and re.search(r"[a-z][A-Z]", value) is not None
    if re.fullmatch(r"\w+(?:[./]\w+)+", value) and not any(char.isdigit() for char in value):
        return False
    return any(char.isdigit() for char in value) or value.count("-") >= 2 or re.search(r"[!@#$%^&*+=~?§€£]", value) is not None


def is_secretlike(value: str) -> bool:
    """Whether this could be a token or key: drawn, or of letters with digits or symbols, and no path, date or name of a file."""
    letters, digits = any(map(str.isalpha, value)), any(map(str.isdigit, value))
    if unpronounceable(value) or (value.isdigit() and len(value) >= 12):
        return True
    symbols = re.search(r"[!@#$%^&*+=~?]", value) is not None
    if len(value) < 8 or " " in value or re.fullmatch(r"[A-Za-z]+(?:[-_][a-z]+){0,2}[-_]?v?\d{0,4}", value):
        return value.count("-") >= 2 and any(map(str.isdigit, value)) and " " not in value and len(value) >= 12
    if re.fullmatch(r"[\w.\-]+/[\w.\-/]+|\w+(?:\.\w+)+|\d{4}-\d\d-\d\d.*|[\w\-]+\.(?:pem|key|json|ya?ml|txt|py|env|crt)", value):
        return len(value) >= 32 and sum(map(str.isdigit, value)) >= 4
    return letters and (digits or symbols)


_HINT = re.compile(
    r"(?:(?:simply|just|still|always|basically|probably|literally|also|now)\s+)?"
    r"(?:(?:my|our|his|her|their|your|the)\s+(?:\w+['’]?s?\s+){0,3}?(?:name|names|birthday|birthdate|date|"
    r"year|street|pet|dog|cat|mother|maiden|son|daughter|wife|"
    r"husband|favou?rite|first|last|initials|number|plate|word|same|usual|old|employee|company|city|hometown|"
    r"team|song|anniversary|phone|serial|room|model|"
    r"address|username|user|login|email|title|lyrics?|line)\b|(?:the )?(?:same|identical) (?:as|to|for|one)|"
    r"based on|derived from|made (?:of|from|up)|composed of|"
    r"my\b|our (?:usual|standard|old|default)|a combination|his |her |their )[^.\n!?]{0,160}",
    re.IGNORECASE,
)
_HINT_ABROAD = re.compile(
    r"(?:der name|mein|meine|unser|unsere|das geburts|le nom|mon|ma|notre|la date|el nombre|mi|nuestr|"
    r"la fecha|il nome|mio|mia|o nome|meu|minha|de naam|mijn|imię|moje|имя|моя|мой|день)\b[^.\n!?]{0,160}",
    re.IGNORECASE,
)


def find_hint(view: View, start: int, value: int) -> Span | None:
    """From the label at `start`, where the sentence says at `value` what the password is, but not as a value."""
    found = _HINT.match(view.text, value) or _HINT_ABROAD.match(view.text, value)
    return Span(start, found.end(), "PASSWORD_HINT", 0.6) if found else None
