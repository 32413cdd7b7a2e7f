"""Payment cards and bank accounts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gateway.egress.rules.base import Finder, vocabulary
from gateway.egress.rules.checksums import IBAN_LENGTHS, aba, clabe, luhn, mod97, safely
from gateway.egress.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gateway.egress.views import View

_CARD_WORDS = vocabulary(
    "card cards visa mastercard amex discover diners jcb maestro unionpay rupay troy credit debit pan "
    "creditcard cc ccnum kreditkarte karte kartennummer "
    "carte bancaire tarjeta crédito débito carta credito cartão kaart creditcard karta karty kredi kart "
    "kartı карта карты картой kort kreditkort kortti kreditní "
    "信用卡 银行卡 卡号 クレジットカード カード 카드 بطاقة कार्ड כרטיס"
)
TEST_CARDS = frozenset(("4242424242424242", "4111111111111111", "4000056655665556", "5555555555554444", "378282246310005"))
_DIGITS = re.compile(r"(?<![\w.\-+])\d(?:[ \-.]{0,2}\d){11,18}(?![\w\-]|\.\d)")
_ISSUERS = re.compile(
    r"4\d{15}|4\d{12}|4\d{18}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|"
    r"3(?:0[0-5]|[689]\d)\d{11}|6(?:011|5\d\d|4[4-9]\d)\d{12}"
    r"|35(?:2[89]|[3-8]\d)\d{12}|62\d{14,17}|220[0-4]\d{12}|(?:5[0678]\d\d|6\d\d\d)\d{8,15}|9792\d{12}|"
    r"8[12]\d{14}|(?:508|606|607|608)\d{13}|1\d{14}|2(?:014|149)\d{11}"
)
_CODE = re.compile(
    r"\b(?:cvv2?|cvc2?|cid|csc|card (?:security|verification) code|prüfziffer|security code|код безопасности|"
    r"安全码|セキュリティコード)\b[\s:=#]{0,3}(?:is |ist |est )?(?P<t>\d{3,4})(?!\d)",
    re.IGNORECASE,
)
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}[ \-]?\d{2}(?:[ \-.]{0,2}[A-Za-z0-9]){11,30}")
_BANK_WORDS = vocabulary(
    "account acct a/c bank banking routing aba sort sortcode sort-code iban bsb checking savings wire ach "
    "transit clabe konto kontonummer kontonr blz bankleitzahl "
    "bankverbindung compte rib cuenta bancaria conto corrente conta bancária agência rekening rekeningnummer "
    "numer_konta hesap счёт счет счета бик р/с "
    "bankkonto kontonummeret tilinumero účet ifsc swift bic giro bankgiro plusgiro "
    "账号 账户 开户行 口座 口座番号 계좌 계좌번호 حساب खाता חשבון"
)
_ACCOUNT = re.compile(
    r"(?:account|acct|a/c|konto|compte|cuenta|conto|conta|rekening|hesap|сч[её]т\w*|р/с|口座|账号|账户|계좌|חשבון|"
    r"खाता|حساب|bankgiro|plusgiro|tilinumero|účet\w*)"
    r"(?:[\s_\-]?(?:number|numbers|num|no|nr|nummer|numéro|numero|número|número de|numarası|番号|번호|"
    r"#)\.?)?(?:\s(?:is|ist|est|es|è|é))?[\s:=#は是为는은]{1,4}(?P<t>\d(?:[ \-/.]?\d){5,23})(?!\w)",
    re.IGNORECASE,
)
_SORT_CODE = re.compile(
    r"(?<![\d\-])\d{5}-\d{3}(?![\d\-])|(?<![\d\-])\d\d-\d\d-\d\d(?![\d\-])|"
    r"(?<!\d)\d{3} ?\d{3}(?: ?\d{2,3})?(?!\d)|(?<![\d\-])\d{3}-\d{3}(?![\d\-])"
)
_SORT_WORDS = vocabulary("sort sortcode sort-code bsb bankleitzahl blz transit bik бик")
_ROUTING = re.compile(r"(?<!\d)\d{9}(?!\d)")
_ROUTING_WORDS = vocabulary("routing aba rtn aba/routing")
_CLABE = re.compile(r"(?<!\d)\d{3}[ \-]?\d{3}[ \-]?\d{11}[ \-]?\d(?!\d)")


def find_cards(view: View) -> Iterator[Span]:
    """CREDIT_CARD by issuer and check digit; bare runs of odd lengths need a word for cards. CARD_CODE after its label."""
    if "cv" in view.lower or _CARD_WORDS.within(view):
        for found in _CODE.finditer(view.text):
            yield Span(found.start("t"), found.end("t"), "CARD_CODE", 0.7)
    long = any(end - start >= 12 for start, end in view.numbers)
    for found in _DIGITS.finditer(view.text) if long else ():
        digits = re.sub(r"\D", "", found[0])
        if _ISSUERS.fullmatch(digits) and luhn(digits) and len(set(digits)) > 2 and _card_shape(view, found, digits):
            yield Span(*found.span(), "CREDIT_CARD", 0.9)


def _card_shape(view: View, found: re.Match[str], digits: str) -> bool:
    near = _CARD_WORDS.near(view, *found.span(), before=64, after=32)
    if digits in TEST_CARDS and "test" in view.lower:
        return False
    grouped = re.fullmatch(r"\d{4}([ \-])\d{4}\1\d{4}\1\d{4}|\d{4}([ \-])\d{6}\2\d{4,5}", found[0]) is not None
    if near or grouped:
        return True
    major = re.match(r"4|5[1-5]|2[2-7]|3[47]|6011|65|62|35", digits) is not None
    return found[0].isdigit() and major and len(digits) in {15, 16}


def find_bank_accounts(view: View) -> Iterator[Span]:
    """IBAN_CODE by its check digits; BANK_ACCOUNT where a word names an account, a routing number or a sort code."""
    long = any(end - start >= 8 for start, end in view.numbers)
    for found in _IBAN.finditer(view.text) if long else ():
        span = _iban(found)
        if span:
            yield span
    if _BANK_WORDS.within(view):
        yield from _accounts(view)


def _iban(found: re.Match[str]) -> Span | None:
    size = IBAN_LENGTHS.get(found[0][:2].upper(), 0)
    places = [place for place, char in enumerate(found[0]) if char.isalnum()]
    if not size or len(places) < size:
        return None
    end = places[size - 1] + 1
    text = "".join(char for char in found[0][:end] if char.isalnum())
    if end < len(found[0]) and found[0][end].isalnum() and found[0][end].isdigit():
        return None
    return Span(found.start(), found.start() + end, "IBAN_CODE", 0.95) if safely(mod97, text[4:] + text[:4]) else None


def _accounts(view: View) -> Iterator[Span]:
    for found in _ACCOUNT.finditer(view.text):
        yield Span(found.start("t"), found.end("t"), "BANK_ACCOUNT", 0.7)
    for found in _ROUTING.finditer(view.text):
        if aba(found[0]) and _ROUTING_WORDS.near(view, *found.span(), before=40, after=16):
            yield Span(*found.span(), "BANK_ACCOUNT", 0.8)
    for found in _SORT_CODE.finditer(view.text):
        if _SORT_WORDS.near(view, *found.span(), before=24, after=12):
            yield Span(*found.span(), "BANK_ACCOUNT", 0.7)
    for found in _CLABE.finditer(view.text):
        if clabe(re.sub(r"\D", "", found[0])) and "clabe" in view.lower:
            yield Span(*found.span(), "BANK_ACCOUNT", 0.8)


CARDS = Finder(("CREDIT_CARD", "CARD_CODE"), find_cards)
BANK_ACCOUNTS = Finder(("IBAN_CODE", "BANK_ACCOUNT"), find_bank_accounts)
