"""Telephone numbers: international ones, strong national forms, and any number after a word for a telephone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gateway.egress.rules.base import Finder, vocabulary
from gateway.egress.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gateway.egress.views import View

_WORDS = vocabulary(
    "phone phones telephone tel mobile cell cellphone call calls called dial ring text sms whatsapp signal "
    "telegram fax hotline pager landline reach phone_number "
    "telefon telefonnummer handy handynummer mobil mobilnummer festnetz rufnummer durchwahl anrufen ruf "
    "téléphone portable appeler appelez joindre fixe teléfono telefono móvil celular "
    "llamar llame llámame cellulare chiama chiamare telemóvel telefone ligar ligue telefoon mobiel bel "
    "bellen komórka komórkowy zadzwoń dzwonić numer "
    "телефон тел моб мобильный звоните звонить позвони номер дзвоніть cep arayın ara gsm telefonu "
    "telefonnumret mobilen ring puhelin puhelinnumero soita telefonní zavolejte "
    "telefonszám mobilszám hívja telefonul sunați τηλέφωνο κινητό טלפון נייד "
    "电话 電話 手机 手機 拨打 联系电话 携帯 ケータイ 전화 휴대폰 연락처 핸드폰 "
    "هاتف جوال موبايل رقم_الهاتف اتصل फोन फ़ोन मोबाइल नंबर โทร โทรศัพท์ điện_thoại telepon hp"
)
_NUMBER = re.compile(
    r"(?<![\w.\-/=#$€£:@])(?:\+|00)?\(?\d(?:[\d()]|[ .\-/\u00a0](?=[\d(])|\s\(|\)\s){5,22}\d(?![\w]|"
    r"[.\-/:]\d)(?:\s?(?:x|ext\.?|extension|#|app\.?|dw)\s?\d{1,5}\b)?",
    re.IGNORECASE,
)
_STRONG = re.compile(
    r"\(\d{2,5}\)[ \-.]?\d{2,4}[ \-.]?\d{2,5}(?:[ \-.]?\d{2,4})?"
    r"|1?[ \-.]?\(?[2-9]\d\d\)?[ \-.][2-9]\d\d[\-. ]\d{4}"
    r"|0\d{1,4}[ \-./]\d{2,4}[ \-.]\d{2,4}(?:[ \-.]\d{2,4}){0,3}"
    r"|0\d{1,2}(?:[ .\-]\d\d){4}|0\d{2,4}[/ \-]\d{5,8}"
    r"|1[ \-][2-9]\d\d[ \-][2-9]\d\d[ \-]\d{4}"
    r"|[6789]\d{2} \d{3} \d{3}|[679]\d{2} \d{2} \d{2} \d{2}|[6-9]\d{4} \d{5}|\d{2} 9\d{4}-\d{4}"
)
_NOT_PHONE = re.compile(
    r"(?:19|20)\d\d[\-/. ][01]?\d[\-/. ][0-3]?\d|[0-3]?\d[\-/.][01]?\d[\-/.](?:19|20)?\d\d|\d{1,3}(?:\.\d{1,3}){3}|\d{1,3}(?:[ ,.]000)+"
)
_OTHER = vocabulary(
    "order invoice ticket build id version port isbn issn account iban card ssn tax ref reference tracking "
    "case patient serial model sku zip postcode "
    "bestellung rechnung commande facture pedido factura ordine fattura заказ 订单 注文 주문 build_number"
)
_DIAL_CODES = re.compile(
    r"(?:\+|00)[ (]{0,2}(?:1|7|2[07]|3[0123469]|4[013456789]|5[12345678]|6[0123456]|8[1246]|9[0123458]|"
    r"2[1234569]\d|3[578]\d|42\d|5[09]\d|6[789]\d|8[058]\d|9[679]\d)"
)


def find_phones(view: View) -> Iterator[Span]:
    """PHONE_NUMBER spans."""
    named = _WORDS.within(view)
    done = 0
    for start, end in view.numbers:
        found = _NUMBER.search(view.text, max(done, start - 3), min(len(view.text), end + 14))
        if not found or found.start() > end:
            continue
        done = found.end()
        digits = sum(map(str.isdigit, found[0]))
        if 7 <= digits <= 18 and _is_phone(view, found, digits, named):
            yield Span(*found.span(), "PHONE_NUMBER", 0.8)


def _is_phone(view: View, found: re.Match[str], digits: int, named: bool) -> bool:
    number = found[0]
    if _NOT_PHONE.fullmatch(number) or len(set(number)) < 4:
        return False
    if number.startswith("+"):
        return digits >= 8 and _DIAL_CODES.match(number) is not None
    before, after = view.lower[max(0, found.start() - 44) : found.start()], view.lower[found.end() : found.end() + 24]
    word, other = _WORDS.last(before), _OTHER.last(before)
    if named and word >= 0 and word > other:
        return not (number.isdigit() and digits > 13)
    if other >= 0:
        return False
    if number.startswith("00") and _DIAL_CODES.match(number) and 10 <= digits <= 15:
        return True
    return _STRONG.fullmatch(number) is not None or (named and _WORDS.inside(after) and not _OTHER.inside(after))


PHONES = Finder(("PHONE_NUMBER",), find_phones)
