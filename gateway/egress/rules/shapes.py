"""Tokens known by their shape: several parts, or a mark in the middle. Each shape has a literal that must be there first."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from gateway.egress.rules.base import Finder, any_in
from gateway.egress.rules.randomness import drawn
from gateway.egress.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gateway.egress.views import View

SHAPES: tuple[tuple[str, str, str], ...] = (
    ("eyj", "JWT", r"(?<![A-Za-z0-9])ey[IJ][A-Za-z0-9_\-]{8,2000}(?:\.[A-Za-z0-9_\-]{4,4000}){1,4}"),
    ("hooks.slack", "API_TOKEN", r"(?:https?://)?hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_+\-]{8,120}"),
    ("/api/webhooks/", "API_TOKEN", r"(?:https?://)?[a-z.]{0,20}discord(?:app)?\.com/api/webhooks/\d{6,22}/[\w\-]{8,100}"),
    ("webhook.office", "API_TOKEN", r"(?:https?://)?[\w\-]{1,60}\.webhook\.office\.com/webhookb2/[\w@/\-]{20,250}"),
    ("hooks.zapier", "API_TOKEN", r"(?:https?://)?hooks\.zapier\.com/hooks/catch/\d{4,12}/\w{4,20}/?"),
    ("chat.googleapis", "API_TOKEN", r"(?:https?://)?chat\.googleapis\.com/v1/spaces/[\w\-]{4,30}/messages\?[\w=&\-%]{20,250}"),
    ("maker.ifttt", "API_TOKEN", r"maker\.ifttt\.com/(?:trigger/\w{1,60}/(?:json/)?with/key|use)/(?P<t>[\w\-]{16,60})"),
    ("feishu", "API_TOKEN", r"(?:https?://)?open\.feishu\.cn/open-apis/bot/v2/hook/[0-9a-f\-]{20,50}"),
    ("access_token=", "API_TOKEN", r"oapi\.dingtalk\.com/robot/send\?access_token=(?P<t>[0-9a-f]{30,80})"),
    ("logic.azure", "API_TOKEN", r"logic\.azure\.com[:\w/.\-]{0,200}\?[\w=&\-%.]{0,200}sig=(?P<t>[\w\-%]{20,90})"),
    ("sig=", "API_TOKEN", r"[?&]sig=(?P<t>[A-Za-z0-9%+/\-_]{20,120}={0,2})"),
    ("x-amz-", "API_TOKEN", r"X-Amz-(?:Signature|Security-Token)=(?P<t>[\w%+/\-]{20,2000})"),
    ("hooks/", "API_TOKEN", r"/(?:hooks|webhook|webhooks|incoming)/(?P<t>[A-Za-z0-9_\-]{20,64})(?![\w\-])"),
    (":aa", "API_TOKEN", r"(?<![\w:])(?:bot)?\d{8,10}:AA[A-Za-z0-9_\-]{30,36}(?![\w\-])"),
    ("q~", "API_TOKEN", r"(?<![\w~.\-])[\w~.\-]{3}\dQ~[\w~.\-]{30,36}(?![\w~\-])"),
    ("-us", "API_TOKEN", r"(?<![0-9a-f])[0-9a-f]{32}-us\d{1,2}(?!\w)"),
    ("access_token$", "API_TOKEN", r"access_token\$(?:production|sandbox)\$[0-9a-z]{10,20}\$[0-9a-f]{20,40}"),
    ("|", "API_TOKEN", r"(?<!\w)\d{13,17}(?:\||%7C)[A-Za-z0-9_\-]{27,40}(?!\w)"),
    ("oauth:", "API_TOKEN", r"(?<!\w)oauth:(?P<t>[a-z0-9]{28,34})(?!\w)"),
    ("otpauth://", "OTP_SECRET", r"otpauth://[^\s\"'<>]{1,200}?secret=(?P<t>[A-Za-z2-7=]{8,128})"),
    ("atlasv1", "API_TOKEN", r"(?<!\w)[A-Za-z0-9]{10,16}\.atlasv1\.[A-Za-z0-9_\-=]{20,90}"),
    ("nral", "API_TOKEN", r"(?<!\w)[0-9a-f]{20,40}(?:FFFF)?NRAL(?!\w)"),
    (":apa91b", "API_TOKEN", r"(?<!\w)[A-Za-z0-9_\-]{11,30}:APA91b[A-Za-z0-9_\-]{80,200}"),
    ("aaaa", "API_TOKEN", r"(?<!\w)AAAA[A-Za-z0-9_\-]{7}:[A-Za-z0-9_\-]{100,200}"),
    ("token-", "API_TOKEN", r"(?<!\w)token-[a-z0-9]{5}:[a-z0-9]{40,60}(?!\w)"),
    ("a3-", "API_TOKEN", r"(?<!\w)A3-[A-Z0-9]{6}-(?:[A-Z0-9]{5,12}-){3,5}[A-Z0-9]{5,6}(?!\w)"),
    ("_mmk", "API_TOKEN", r"(?<!\w)[A-Za-z0-9]{6}_[A-Za-z0-9]{20,29}_mmk(?!\w)"),
    ("pk_", "API_TOKEN", r"(?<!\w)pk_\d{6,10}_[A-Z0-9]{30,34}(?!\w)"),
    ("pk.", "API_TOKEN", r"(?<!\w)[ps]k\.(?:eyJ)?[\w\-]{16,200}\.[\w\-]{16,60}"),
    ("sk.ey", "API_TOKEN", r"(?<!\w)sk\.eyJ[\w\-]{16,200}\.[\w\-]{16,60}"),
    ("b3blbnnzac1rzxktdj", "PRIVATE_KEY", r"b3BlbnNzaC1rZXktdj[A-Za-z0-9+/=\s]{20,8000}"),
    ('"d"', "PRIVATE_KEY", r'"d"\s*:\s*"(?P<t>[A-Za-z0-9_\-]{40,1000})"'),
    ("$ansible_vault", "SECRET", r"\$ANSIBLE_VAULT;[\d.]{3,5};AES256(?:;\w{1,30})?\s+(?P<t>(?:[0-9a-f]{20,80}\s*){1,200})"),
    ("enc[", "SECRET", r"ENC\[(?P<t>(?:PKCS7|GPG|AES256_GCM),[^\]]{16,4000})\]"),
    (
        "$1$|$2|$5$|$6$|$7$|$8$|$9$|$y$|$gy$|$p$|$h$|$apr1|$sha1|$md5|$argon2|$scrypt|$pbkdf2",
        "PASSWORD_HASH",
        r"\$(?:2[abxy]\$\d\d\$[./A-Za-z0-9]{20,53}|(?:1|5|6|7|y|gy|apr1|sha1|md5|P|H|8|"
        r"9)\$[^\s:$\"']{1,60}\$[./A-Za-z0-9$]{16,120}|argon2(?:id|i|d)\$[^\s:\"']{20,250}|"
        r"scrypt\$[^\s:\"']{20,250}|pbkdf2[\w\-]{0,12}\$[^\s:\"']{20,250})",
    ),
    ("pbkdf2", "PASSWORD_HASH", r"pbkdf2[_:][\w]{3,10}[:$]\d{3,8}\$[^\s:\"']{4,60}\$[A-Za-z0-9+/=]{20,120}"),
    ("{ssha", "PASSWORD_HASH", r"\{SSHA(?:\d{3})?\}[A-Za-z0-9+/=]{20,120}"),
    (":::", "PASSWORD_HASH", r"\w{1,40}:\d{3,6}:(?P<t>[0-9a-fA-F]{32}:[0-9a-fA-F]{32}):::"),
    ("scram-sha-256$", "PASSWORD_HASH", r"SCRAM-SHA-256\$\d{3,7}:[A-Za-z0-9+/=$:]{30,250}"),
)
"""Alternative literals in lower case, entity, expression. The group `t`, when there is one, is what counts."""

IN_BLOBS: tuple[tuple[str, str], ...] = (
    ("API_TOKEN", r"(?<![\w.])(?:mfa\.[\w\-]{80,90}|[MNO][A-Za-z0-9_\-]{22,27}\.[A-Za-z0-9_\-]{6}\.[A-Za-z0-9_\-]{25,40})(?![\w.])"),
    ("API_TOKEN", r"(?<![\w/])[0-2]/\d{10,20}(?:/\d{10,20})?:[0-9a-f]{32}(?!\w)"),
    ("API_TOKEN", r"(?<!\w)pat[A-Za-z0-9]{14}\.[0-9a-f]{40,64}(?!\w)"),
    ("API_TOKEN", r"(?<!\w)key(?=[a-zA-Z]{0,13}\d)[A-Za-z0-9]{14}(?!\w)"),
    ("API_TOKEN", r"(?<![\w\-])00(?=[\w\-]{0,38}[A-Z])(?=[\w\-]{0,38}[a-z])[\w\-]{38,42}(?![\w\-])"),
    ("API_TOKEN", r"(?<![\w.\-/])(?=[a-z]{0,5}\d)[a-z0-9]{6}\.(?=[a-z]{0,15}\d)[a-z0-9]{16}(?![\w.\-])"),
    ("API_TOKEN", r"(?<!\w)(?:AC|SK|AP|CN)[0-9a-f]{32}(?!\w)"),
    ("API_TOKEN", r"(?<!\w)[uyw]\+[A-Za-z0-9_\-]{17,18}(?![\w\-])"),
    ("API_TOKEN", r"(?<![\w.])0\.[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.[A-Za-z0-9]{20,40}:[\w+/=]{20,50}"),
    ("RECOVERY_CODE", r"(?<![\d\-])(?:\d{6}-){7}\d{6}(?![\d\-])"),
    ("SECRET", r"(?<![\w\-])(?=[A-Z0-9\-]{0,28}\d)(?=[A-Z0-9\-]{0,28}[A-Z])(?:[A-Z0-9]{5}-){4}[A-Z0-9]{5}(?![\w\-])"),
)
"""The same for what has no literal: looked for only in runs of token characters with digits."""

_DIGIT = re.compile(r"\d")
_AWS = re.compile(
    r"(?<![a-z0-9])(?:akia|asia|agpa|aida|aroa|aipa|anpa|anva|abia|acca|"
    r"a3t[a-z0-9])([a-z0-9]{16})(?![a-z0-9])",
    re.IGNORECASE,
)
_AWS_PART = re.compile(r"(?<![A-Za-z0-9])A(?:KI|SI|BI|CC)A([A-Z2-7]{10,15})(?![A-Za-z0-9])")


@lru_cache(maxsize=256)
def _compiled(expression: str) -> re.Pattern[str]:
    """Compiled when its literal is first seen: a quiet process never pays for most of them."""
    return re.compile(expression)


@lru_cache(maxsize=1)
def _split() -> tuple[tuple[tuple[str, ...], bool, str, str], ...]:
    """The table with its literals apart, and whether they are of the characters of tokens: then only tokens are searched."""
    return tuple(
        (
            tuple(literals.split("|")) if literals != "|" else ("|",),
            re.fullmatch(r"[a-z0-9+/_.~|\-]+", literals) is not None and "://" not in literals,
            entity,
            expression,
        )
        for literals, entity, expression in SHAPES
    )


def find_shapes(view: View) -> Iterator[Span]:
    """Spans of every shape in the table."""
    for literals, in_tokens, entity, expression in _split():
        if not any_in(literals, view.tokens if in_tokens else view.lower):
            continue
        pattern = _compiled(expression)
        group = "t" if "t" in pattern.groupindex else 0
        for found in pattern.finditer(view.text):
            if entity == "PRIVATE_KEY" or drawn(found[group]):
                yield Span(found.start(group), found.end(group), entity, 0.95)
    yield from _in_blobs(view)
    yield from _aws_ids(view)


def _in_blobs(view: View) -> Iterator[Span]:
    for start, end in view.blobs:
        if end - start >= 17 and _DIGIT.search(view.text, start, end):
            for entity, expression in IN_BLOBS:
                for found in _compiled(expression).finditer(view.text, start, min(len(view.text), end + 80)):
                    if found.start() < end and drawn(found[0]):
                        yield Span(*found.span(), entity, 0.9)


def _aws_ids(view: View) -> Iterator[Span]:
    if not any_in(("akia", "asia", "agpa", "aida", "aroa", "aipa", "anpa", "anva", "abia", "acca", "a3t"), view.tokens):
        return
    for pattern in (_AWS, _AWS_PART):
        for found in pattern.finditer(view.text):
            if "example" not in found[0].lower() and (found[0].isupper() or any(map(str.isdigit, found[1]))):
                yield Span(*found.span(), "API_TOKEN", 0.95)


SHAPED_TOKENS = Finder(
    ("API_TOKEN", "JWT", "PRIVATE_KEY", "SECRET", "PASSWORD_HASH", "RECOVERY_CODE", "OTP_SECRET"), find_shapes, across=True
)
