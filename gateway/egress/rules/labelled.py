"""Values that follow a label: assignments in any notation, and sentences ("the password for the VPN is ...")."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from gateway.egress.rules.base import Finder
from gateway.egress.rules.labels import Labels
from gateway.egress.rules.prose import NOTHING_SAID, WEAK_PLURAL, is_code, is_name_of_secret, passphrase_end
from gateway.egress.rules.randomness import is_placeholder
from gateway.egress.rules.secret_labels import LINKS, PASSWORD_LABELS, SECRET_LABELS
from gateway.egress.rules.secret_values import find_hint, is_secretlike, is_telling, names_something_else, trimmed
from gateway.egress.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gateway.egress.views import View

_STRONG = frozenset(word.replace("_", "") for word in PASSWORD_LABELS)
_FILLER = (
    r"(?:[\s_\-]{0,2}(?:field|value|wert|valor|waarde|string|text|hash|code|word|no|nr|num|number|de|du|del|"
    r"der|des|für|zum|zur|für_das|of|for|to|on|at|in|von|"
    r"vom|van|vor|para|per|pour|voor|do|da|dla|для|от|к|till|til|the|my|our|your|das|die|den|dem|mein|mon|ma|"
    r"mi|la|le|el|il|lo|los|les|a|o|het|de|w|z)"
    r"(?=[\s:=])(?:[ \t]+[\w.@/'\-]{1,30}){0,5}?)?"
)
_SUFFIX = r"(?P<suffix>(?>(?:s|e|en|i|ı|em|y|u)?(?:(?!-{1,2}>)[_\-.\]]{1,2}[\w\-.\]]{0,24})?))"
_SIDE = r"(?:[ \t]{0,3}\([^()\n]{1,40}\))?"


@lru_cache(maxsize=1)
def _labels() -> Labels:
    compounds = r"(?:store|key|user|db|ssh|root|admin|bind|ldap|sql|smtp|ftp)_?(?:pass|pw)(?:word|wd|phrase)?"
    return Labels(
        [*PASSWORD_LABELS, *SECRET_LABELS],
        compounds,
        ("pass", "secret", "token", "pwd", "apikey", "kennwort", "lösenord", "wachtwoord", "schlüssel"),
    )


@lru_cache(maxsize=1)
def _link() -> re.Pattern[str]:
    operator = r"(?:=>|:=|={1,3}|[:：]|->|→|\||>|~>)"
    return re.compile(
        rf"{_SUFFIX}{_SIDE}{_FILLER}[\"'`*_\]\\)]{{0,6}}[ \t]{{0,12}}"
        rf"(?:(?P<op>{operator})|(?P<xml>\s{{0,4}}(?:value|default|content)\s?=\s?)|(?P<verb>{LINKS}))"
        r"(?:[ \t]{0,6}[*_|]{0,3}[ \t]{0,12}\n?[ \t]{0,12})(?:(?:still|now|currently|always|just|und zwar|"
        r"(?:been )?(?:changed|set|reset|updated|rotated|switched) to|actually|also|default|:)[ \t]{1,3})?",
        re.IGNORECASE,
    )


_APPOSED = re.compile(rf"{_SUFFIX}[\"'`]?(?:(?P<call>\s?\(\s{{0,4}}(?=[\"'`@$]))|(?P<space>[ \t]{{1,4}}))", re.IGNORECASE)
_QUOTED = re.compile(r"\\{0,3}(?:@|\$|b|r)?(?P<q>[\"'`«「『])(?P<v>[^\n\"'`»」』\\]{2,200}(?:\\.[^\n\"'`\\]{0,100}){0,3})\\{0,3}(?P=q)?")
_BARE = re.compile(r"[^\s\"'`<>|，。、；「」\\]{2,256}")


def find_labelled(view: View) -> Iterator[Span]:
    """PASSWORD for what follows a password label, SECRET after other labels, PASSWORD_HINT where it can only be guessed at."""
    done = 0
    for label in _labels().finditer(view):
        if label.start() < done or not _whole(view, label):
            continue
        span = _value_after(view, label) or _value_before(view, label)
        if span:
            done = max(done, span.end)
            yield span


_AHEAD = re.compile(
    r"(?:^|[\s\"'`(])(?P<t>[^\s\"'`()]{4,80})[\"'`]?,? (?:is|was|as|ist|als|est|comme|es|como|è|come|é|is het|"
    r"to|jest|это)(?: still| now| also)? "
    r"(?:my|the|our|his|her|their|mein|das|unser|mon|le|notre|mi|la|nuestra|il|mio|minha|a|mijn|het|moje|"
    r"nasze|мой|наш)(?: [\w\-]{1,20}){0,2}? $",
    re.IGNORECASE,
)


def _value_before(view: View, label: re.Match[str]) -> Span | None:
    """The value stands before the label: "hunter2 is my password"."""
    start = max(0, label.start() - 120)
    found = _AHEAD.search(view.text[start : label.start()])
    if not found or not _is_strong(label):
        return None
    value = found["t"].rstrip(".,;:")
    if not is_telling(value) or not re.search(r"\d|[!@#$%^&*+]", value) or is_placeholder(value) or is_code(found[0], 0, value):
        return None
    return Span(start + found.start("t"), start + found.start("t") + len(value), "PASSWORD", 0.65)


def _whole(view: View, label: re.Match[str]) -> bool:
    """Short labels must be words; longer ones may be part of an identifier (`dbPassword`, `DB_PASSWORD`)."""
    text, lower, (start, end) = view.text, view.lower, label.span()
    if not label[0].isascii() and not label[0][0].isalpha():
        return True
    left, right = lower[start - 1 : start], lower[end : end + 1]
    if not label[0].isascii() and ord(label[0][0]) > 0x2E80:
        return True
    glued_left = left.isalnum() and not (text[start].isupper() and text[start - 1].islower())
    if len(label[0]) < 6 and glued_left:
        return False
    if glued_left and not left.isalpha():
        return False
    plural = lower[end : end + 2]
    return (
        not right.isalpha()
        or (text[end].isupper() and not text[end - 1].isupper())
        or plural.rstrip() in WEAK_PLURAL
        or ord(right) > 0x2E80
    )


def _value_after(view: View, label: re.Match[str]) -> Span | None:
    link = _link().match(view.text, label.end())
    if link and link.end() < len(view.text):
        return _linked(view, label, link)
    apposed = _APPOSED.match(view.text, label.end())
    return _beside(view, label, apposed) if apposed else None


def _is_strong(label: re.Match[str]) -> bool:
    return "pass" in label[0] or label[0].endswith("pw") or re.sub(r"[\s_\-]", "", label[0]) in _STRONG or label[0] in _STRONG


def _beside(view: View, label: re.Match[str], link: re.Match[str]) -> Span | None:
    """The value stands right behind the label, as in `storePassword "..."`, `setPassword("...")` or `pw Tr0ub4dor`."""
    entity = "PASSWORD" if _is_strong(label) else "SECRET"
    if names_something_else(link["suffix"]):
        return None
    quoted = _QUOTED.match(view.text, link.end())
    if quoted and not (label[0] == "pass" and not any(map(str.isdigit, quoted["v"]))):  # "pass" is a verb as well
        return _quoted(quoted, entity)
    bare = _BARE.match(view.text, link.end())
    if not bare or link["call"] or entity == "SECRET":
        return None
    value = trimmed(bare[0])
    drawn = (
        len(value) >= 6
        and is_telling(value)
        and re.search(r"\d" if label[0] == "pass" else r"[\d!@#$%^&*+?]", value)
        and not re.fullmatch(r"\w+-\w+|(?:[^\W\d]+-)+[^\W\d]+|\d+|.*[/(\[{<=].*", value)
    )
    return _span(bare, value, entity, 0.6) if drawn and not is_placeholder(value) else None


def _span(found: re.Match[str], value: str, entity: str, score: float) -> Span:
    return Span(found.start(), found.start() + len(value), entity, score)


def _linked(view: View, label: re.Match[str], link: re.Match[str]) -> Span | None:
    strong = _is_strong(label)
    if names_something_else(link["suffix"]):
        return None
    entity = "PASSWORD" if strong else "SECRET"
    quoted = _QUOTED.match(view.text, link.end())
    if quoted:
        return _quoted(quoted, entity)
    bare = _BARE.match(view.text, link.end())
    if not bare:
        return None
    if link["op"] or link["xml"]:
        return _assigned(view, bare, entity)
    return _said(view, label, link, bare) if strong else _told(bare, link)


def _quoted(found: re.Match[str], entity: str) -> Span | None:
    value = found["v"]
    if is_placeholder(value) or value.lower() in NOTHING_SAID or (entity == "SECRET" and not is_secretlike(value)):
        return None
    if len(value) < 3 or len(value.split()) > 12 or is_name_of_secret(value):
        return None
    return Span(found.start("v"), found.end("v"), entity, 0.85)


def _assigned(view: View, bare: re.Match[str], entity: str) -> Span | None:
    """After `=` or `:`."""
    value = trimmed(bare[0])
    if len(value) < 3 or is_placeholder(value) or value.lower() in NOTHING_SAID or is_code(view.text, bare.start(), value):
        return None
    if entity == "SECRET":
        return _span(bare, value, entity, 0.8) if is_secretlike(value) else None
    if is_telling(value):
        return _span(bare, value, entity, 0.85)
    end = passphrase_end(view, bare.start())
    return Span(bare.start(), end, entity, 0.7) if end else None


def _said(view: View, label: re.Match[str], link: re.Match[str], bare: re.Match[str]) -> Span | None:
    """In a sentence."""
    value = trimmed(bare[0])
    if len(value) >= 4 and is_telling(value) and not is_placeholder(value) and not is_code(view.text, bare.start(), value):
        return _span(bare, value, "PASSWORD", 0.75)
    if not link["verb"]:
        return None
    end = passphrase_end(view, bare.start())
    if end:
        return Span(bare.start(), end, "PASSWORD", 0.65)
    return find_hint(view, label.start(), link.end())


def _told(bare: re.Match[str], link: re.Match[str]) -> Span | None:
    """After "the token is": only what looks drawn, since tokens are talked about a lot."""
    value = trimmed(bare[0])
    if link["verb"] and is_secretlike(value) and not is_placeholder(value) and not is_code(bare.string, bare.start(), value):
        return _span(bare, value, "SECRET", 0.7)
    return None


LABELLED_SECRETS = Finder(("PASSWORD", "SECRET", "PASSWORD_HINT"), find_labelled)
