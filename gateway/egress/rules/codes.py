"""PINs (spoken ones too), one-time secrets, recovery codes, application passwords."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from gateway.egress.rules.base import Finder, vocabulary, word_list
from gateway.egress.rules.labels import Labels
from gateway.egress.rules.randomness import is_placeholder
from gateway.egress.rules.secret_labels import LINKS, PIN_LABELS
from gateway.egress.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gateway.egress.views import View

_SPOKEN = word_list(
    "zero one two three four five six seven eight nine oh double triple null eins zwei zwo drei vier fünf "
    "sechs sieben acht neun zéro un une deux trois quatre "
    "cinq sept huit neuf cero uno dos tres cuatro cinco seis siete ocho nueve due tre quattro cinque sei "
    "sette otto nove dois duas três quatro sete "
    "oito nul een twee drie vijf zes zeven negen jeden dwa trzy cztery pięć sześć siedem osiem dziewięć ноль "
    "один два три четыре пять шесть семь восемь девять "
    "sıfır bir iki üç dört beş altı yedi sekiz dokuz noll ett två tre fyra fem sex sju åtta nio en to fire "
    "seks syv otte ni nolla yksi kaksi kolme neljä viisi "
    "kuusi seitsemän kahdeksan yhdeksän"
)
_NUMBER = rf"(?:{'|'.join(sorted(set(_SPOKEN), key=len, reverse=True))})"
_FOLLOWS = (
    r"(?:(?:code|number|nummer|numéro|numero)\b)?[\"'`*]{0,2}"
    r"(?:[ \t](?:for|of|to|on|für|zum|zur|de|del|du|di|da|do|voor|van|для|от|the|my|our|der|das|la|le|el)(?:[ \t][\w'\-]{1,24}){1,5}?)?"
    rf"[ \t]{{0,3}}[:=#＃]{{0,2}}[ \t]{{0,3}}(?:{LINKS})?[ \t\"'`*:]{{0,4}}(?:now |still )?"
)
_DIGITS = r"(?P<t>\d(?:[ \-]?\d){2,9}(?!\w)|\d{2,4}[A-D#*](?!\w)|[A-D]\d{3,5}(?!\w)|#?\d{4,8}#|\d{1,2}(?:-\d{1,2}){2,3}(?![\w\-]))"
_OTP_WORDS = vocabulary("totp otp 2fa mfa authenticator two-factor otpauth two_factor seed 二段階 두_단계")
_RECOVERY_WORDS = vocabulary(
    "recovery backup scratch rescue emergency wiederherstellungscode wiederherstellungscodes backup-codes "
    "récupération secours recuperación recupero "
    "recuperação herstelcode herstelcodes восстановления резервные kurtarma reservkoder 恢复码 备用码 リカバリー バックアップコード 복구"
)
_APP_WORDS = vocabulary(
    "app-specific app_password app_passwords app-password app-passwort anwendungsspezifisches application_password gmail icloud app"
)
_BASE32 = re.compile(
    r"(?<![A-Za-z0-9])(?:[A-Z2-7]{16,64}={0,6}|[a-z2-7]{16,64}|(?:[A-Za-z2-7]{4}[ \-]){3,15}[A-Za-z2-7]{4})(?![A-Za-z0-9])"
)
_CODE = re.compile(
    r"(?<![\w\-])(?:[A-Za-z0-9]{4,10}(?:-[A-Za-z0-9]{4,10}){1,7}|\d{6,10}|\d{4} \d{4}|[a-z0-9]{8,16}|[A-Z0-9]{8,16})(?![\w\-])"
)
_APP = re.compile(r"(?<![\w\-])[a-z]{4}(?:([ \-])[a-z]{4}(?:\1[a-z]{4}){2}|[a-z]{12})(?![\w\-])")


@lru_cache(maxsize=1)
def _labels() -> Labels:
    return Labels(PIN_LABELS)


@lru_cache(maxsize=1)
def _value() -> re.Pattern[str]:
    return re.compile(rf"{_FOLLOWS}(?:{_DIGITS}|(?P<s>{_NUMBER}(?:[ ,\-]{{1,2}}(?:{_NUMBER}|\d)){{3,11}}))", re.IGNORECASE)


def find_pins(view: View) -> Iterator[Span]:
    """PIN spans: digits, or digits as words, after a label."""
    for label in _labels().finditer(view):
        found = None if view.lower[label.start() - 1 : label.start()].isalpha() else _value().match(view.text, label.end())
        if not found:
            continue
        group = "t" if found["t"] else "s"
        if not re.fullmatch(r"(?:19|20)\d\d", found[group]) or "pin" in label[0]:
            yield Span(found.start(group), found.end(group), "PIN", 0.8)


def find_one_time_secrets(view: View) -> Iterator[Span]:
    """OTP_SECRET: base32 near words about second factors."""
    if not _OTP_WORDS.within(view):
        return
    for found in _BASE32.finditer(view.text):
        value = found[0]
        machine = any(map(str.isdigit, value)) or value.isupper()
        if machine and not is_placeholder(value) and _OTP_WORDS.near(view, *found.span(), before=64, after=32):
            yield Span(*found.span(), "OTP_SECRET", 0.8)


def find_recovery_codes(view: View) -> Iterator[Span]:
    """RECOVERY_CODE: short codes after a word for recovery; PASSWORD: four times four letters after a word for application passwords."""
    if _RECOVERY_WORDS.within(view) and any(
        word in view.lower for word in ("code", "key", "码", "コード", "код", "코드", "récup", "schlüssel", "clave")
    ):
        reached = 0
        for found in _CODE.finditer(view.text):
            near = _RECOVERY_WORDS.near(view, *found.span(), before=64, after=0) or 0 < found.start() - reached < 6
            if near and any(map(str.isdigit, found[0])) and not re.fullmatch(r"\d{4}-\d\d-\d\d|[A-Z]{2,6}-\d+", found[0]):
                reached = found.end()
                yield Span(*found.span(), "RECOVERY_CODE", 0.75)
    if _APP_WORDS.within(view) and "passw" in view.lower:
        for found in _APP.finditer(view.text):
            if _APP_WORDS.near(view, *found.span(), before=48, after=24) and _vowel_poor(found[0]):
                yield Span(*found.span(), "PASSWORD", 0.75)


def _vowel_poor(text: str) -> bool:
    """Letters drawn at random have few vowels."""
    letters = [char for char in text if char.isalpha()]
    return sum(char in "aeiou" for char in letters) <= 0.32 * len(letters)


PINS = Finder(("PIN",), find_pins)
ONE_TIME_SECRETS = Finder(("OTP_SECRET",), find_one_time_secrets)
RECOVERY_CODES = Finder(("RECOVERY_CODE", "PASSWORD"), find_recovery_codes)
