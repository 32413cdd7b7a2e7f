"""E-mail addresses, written plainly or spelled out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gateway.egress.rules.base import Finder, GaveUp
from gateway.egress.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gateway.egress.views import View

_LOCAL = re.compile(r"(?:\"[^\"\n]{1,60}\"|[\w!#$%&'*+/=?^`{|}~.\-]{1,64})$")
_DOMAIN = re.compile(r"(?:[\w](?:[\w\-]{0,61}\w)?\.){1,8}(?:[^\W\d_]{2,24}|xn--[\w\-]{2,50})(?![\w\-])|\[\d{1,3}(?:\.\d{1,3}){3}\]")
_RESERVED = re.compile(
    r"(?:^|\.)(?:example|test|invalid|localhost|local\.invalid)$|(?:^|\.)(?:example|sample|yourdomain|"
    r"yourcompany|your-domain|domain|mydomain|company)\.(?:com|org|net|edu|io|co|de|fr|es)$"
    r"|^(?:users\.)?noreply\.github\.com$|\.(?:png|jpe?g|gif|svg|webp|js|css|git|py|ts|json|ya?ml|md)$",
    re.IGNORECASE,
)
_DOCUMENTATION = re.compile(r"(?:^|\.)example(?:\.(?:com|org|net|edu))?$", re.IGNORECASE)
"""Reserved for documentation: there a person's name still is a person's name, and only names for anybody are left alone."""
_ANYBODY = re.compile(
    r"(?:your|my|some|any|first|last|user|test|demo|sample|example|fake|dummy)?[._\-+]?(?:users?|names?|username|you|me|mail|email|e-mail"
    r"|address|account|someone|somebody|anyone|nobody|person|customer|client|member|admin|root|info|contact|support|sales|hello|help"
    r"|office|team|pass|password|secret|token|key|login|dev|test|tester|demo|sample|example|foo|bar|baz|qux|abc|xyz|last|first|[a-z])\d{0,3}",
    re.IGNORECASE,
)
_ROLE = re.compile(r"^(?:git|svn|hg|noreply|no-reply|donotreply|do-not-reply|mailer-daemon|postmaster)$", re.IGNORECASE)
_TLD = (
    "com|org|net|edu|gov|mil|int|info|biz|io|dev|app|ai|co|me|tv|cc|xyz|tech|cloud|online|site|eu|de|at|ch|"
    "fr|be|nl|lu|es|pt|it|uk|ie|dk|se|no|fi|is|pl|cz|sk|hu|ro|bg|gr|tr|ru|"
    "ua|by|il|ae|sa|in|pk|bd|lk|cn|hk|tw|jp|kr|th|vn|id|my|sg|ph|au|nz|za|ng|ke|eg|ma|br|ar|cl|mx|pe|ve|ca|"
    "us|email|mail|ee|lv|lt|hr|si|rs|fm|fyi|page|systems|studio|digital"
)
_AT = (
    r"(?:\s?[(\[{<]\s?(?:at|ät|arroba|chiocciola|arobase|@|a|klammeraffe)\s?[)\]}>]\s?|\s(?:at|ät|arroba|"
    r"chiocciola|arobase|собака|klammeraffe|małpa|apestaart|kukac)\s|\s@\s)"
)
_DOT = (
    r"(?:\s?[(\[{<]\s?(?:dot|punkt|punto|ponto|point|\.)\s?[)\]}>]\s?|\s(?:dot|punkt|punto|ponto|point|точка|kropka|punt|piste|nokta)\s|\.)"
)
_WORD = r"[\w+\-]{1,40}"
_SPELLED = re.compile(
    rf"(?<![\w@]){_WORD}(?:{_DOT}{_WORD}){{0,3}}?{_AT}{_WORD}(?:{_DOT}{_WORD}){{0,2}}?{_DOT}(?:{_TLD}|де|ру|ком)(?![\w])", re.IGNORECASE
)
_MOST_SIGNS = 3_000
_SIGNS = (
    " at ",
    "(at)",
    "[at]",
    "{at}",
    "<at>",
    "( at",
    "[ at",
    "(ät)",
    " ät ",
    " arroba ",
    "(arroba)",
    " chiocciola ",
    " arobase ",
    "(arobase)",
    " собака ",
    " klammeraffe ",
    " małpa ",
    " apestaart ",
    " kukac ",
    " @ ",
    "(@)",
    "[@]",
    "(a)",
)
_MAIL_HOST = re.compile(
    r"\b(?:gmail|googlemail|outlook|hotmail|live|yahoo|icloud|proton|protonmail|gmx|web|fastmail|posteo|"
    r"mailbox|tutanota|yandex|mail|qq|163|aol|zoho)\b",
    re.IGNORECASE,
)


def find_emails(view: View) -> Iterator[Span]:
    """EMAIL_ADDRESS spans; reserved names (`user@example.com`) are none."""
    text = view.text
    at = text.find("@")
    while at >= 0:
        span = _address(text, at)
        if span:
            yield span
        at = text.find("@", span.end if span else at + 1)
    yield from _spelled(view)


def _address(text: str, at: int) -> Span | None:
    if at == 0 or not (text[at - 1].isalnum() or text[at - 1] in "_-+.\"}'~"):
        return None
    local = _LOCAL.search(text[max(0, at - 64) : at])
    domain = _DOMAIN.match(text, at + 1)
    if not local or not domain:
        return None
    name = re.split(r"[=/'`{|}&?]|mailto:", local[0])[-1].lstrip(".-+*#!%^$")
    if not name or not any(map(str.isalnum, name)) or _nobodys(name, domain[0]) or _ROLE.match(name):
        return None
    if text[domain.end() : domain.end() + 1] in {"/", ":", "("} and _ROLE.match(name):
        return None
    return Span(at - len(name), domain.end(), "EMAIL_ADDRESS", 0.95)


def _nobodys(name: str, domain: str) -> bool:
    """Whether the address is nobody's: a reserved domain, unless it is one for documentation and the name is somebody's."""
    if _DOCUMENTATION.search(domain):
        return _ANYBODY.fullmatch(name) is not None
    return _RESERVED.search(domain) is not None


def _spelled(view: View) -> Iterator[Span]:
    """Anchored at the word for `@`, so that long texts without one cost nothing."""
    if view.lower.count(" at ") > _MOST_SIGNS:
        message = "Too many addresses."
        raise GaveUp(message)
    for sign in _SIGNS:
        at = view.lower.find(sign)
        while at >= 0:
            end = at + len(sign)
            for found in _SPELLED.finditer(view.text, max(0, at - 60), min(len(view.text), end + 60)):
                if found.start() < end and at < found.end():
                    yield from _meant(found)
            at = view.lower.find(sign, end)


def _meant(found: re.Match[str]) -> Iterator[Span]:
    text = found[0]
    spelled = re.search(r"\s(?:dot|punkt|punto|ponto|point|точка|kropka|punt|piste|nokta)\s|[(\[{<]", text, re.IGNORECASE)
    if not spelled and not (
        _MAIL_HOST.search(text) and not re.match(r"(?:look|hosted|available|see|sign|login|log)\b", text, re.IGNORECASE)
    ):
        return
    if _RESERVED.search(re.sub(r"\s?[(\[{<]?\s?(?:dot|punkt)\s?[)\]}>]?\s?", ".", re.split(_AT, text, maxsplit=1)[-1])):
        return
    yield Span(*found.span(), "EMAIL_ADDRESS", 0.75)


EMAILS = Finder(("EMAIL_ADDRESS",), find_emails)
