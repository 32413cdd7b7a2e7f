"""Street addresses in the notations of many countries, and what follows "lives at"."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from gateway.egress.rules.address_forms import NUMBER_FIRST, NUMBER_LAST
from gateway.egress.rules.base import Finder, vocabulary, word_list
from gateway.egress.rules.labels import Labels
from gateway.egress.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gateway.egress.views import View

_CAPITAL = re.compile(r"[^\W\d_a-zß-öø-ÿ]")
_HOUSE = re.compile(r"(?<![\w.\-/:])\d{1,5}(?!\d|[.:]\d|[%°])")
_UNIT_BEFORE = re.compile(r"(?:Flat|Apt|Unit|Suite|Apartment|Shop|House|Plot|No\.?|Room|Floor) ?#?[\w\-]{1,6},? $")
_EAST = re.compile(
    r"〒? ?(?:\d{3}-\d{4} ?)?(?:[\u4e00-\u9fff]{1,4}[都道府県])?[\u4e00-\u9fffぁ-んァ-ヶ]{1,8}[市区郡町村](?:[\u4e00-\u9fffぁ-んァ-ヶ]"
    r"{1,12})?(?:[0-9一二三四五六七八九十]{1,4}(?:丁目|番地?|号|[\-−])?){1,5}(?:[\u4e00-\u9fffァ-ヶ\w]{0,16}\d{1,4}号?室?)?"
    r"|(?:[\u4e00-\u9fff]{2,8}(?:省|自治区))?(?:[\u4e00-\u9fff]{2,6}市)?[\u4e00-\u9fff]{1,8}(?:区|县|縣|市|鎮|镇|鄉|"
    r"乡)(?:[\u4e00-\u9fff]{1,12}(?:路|街|道|巷|弄|大道|段|里|胡同|"
    r"村))[\u4e00-\u9fff]{0,6}[\d一二三四五六七八九十]{1,5}[号號弄](?:[\w\u4e00-\u9fff\-]{0,20}?(?:室|楼|樓|单元|号))?"
    r"|(?:[가-힣]{2,7}(?:특별시|광역시|특별자치시|도|"
    r"시) ?)?(?:[가-힣]{1,5}[시군구] ?){1,2}(?:[가-힣]{1,6}[읍면동] ?)?(?:[가-힣\d]{1,10}(?:로|길|"
    r"대로)) ?\d{1,4}(?:-\d{1,3})?(?:,? ?[\w가-힣\-]{1,12}(?:동|호|층)){0,3}"
)
_LIVES = vocabulary(
    "lives live living address resides residence residing moved ship shipping deliver delivery mailing home "
    "billing send located house apartment adresse anschrift wohnt wohne wohnhaft "
    "wohnung lieferadresse adress habite habitons demeure domicile livraison dirección direccion domicilio "
    "vive vivo reside envío indirizzo abita abito residenza spedire endereço morada mora moro "
    "reside entrega adres woont woon mieszka mieszkam zamieszkały dostawy адрес адресу живёт живет проживает "
    "доставки адреса мешкає adresi oturuyor ikamet teslimat bor bosatt bopæl adressen asuu osoite bydliště "
    "bydlí lakcím "
    "住所 住址 地址 住在 주소 거주 사는 عنوان العنوان يسكن पता पते रहता רחוב כתובת"
)
_LABELS = word_list(
    "address addresses lives_at lives_in lives_on live_at live_in live_on living_at living_in resides_at "
    "resides_in moved_to ship_to ship_it_to ship_them_to ship_hardware_to shipped_to shipping_to deliver_to "
    "delivered_to send_to located_at "
    "adresse lieferadresse anschrift wohnt_in_der wohnt_im wohnt_am wohnt_in wohne_in_der wohne_im wohne_am "
    "wohnhaft_in wohnhaft habite_au habite_à habite_aux habite domicile dirección direccion domicilio "
    "vive_en vivo_en "
    "indirizzo abita_in abito_in residente_in endereço morada mora_na mora_no moro_na moro_no vive_na adres "
    "woont_in woont_op woont_aan mieszka_przy mieszka_na mieszkam_przy mieszkam_na adres_zamieszkania "
    "адрес адреса живёт_на живет_на живёт_по_адресу живет_по_адресу проживает_по_адресу проживает adresi "
    "adresim oturuyor bor_på bosatt_i adressen osoite bydliště lakcím 住所 住址 地址 住在 주소 عنواني العنوان يسكن_في "
    "पता כתובת"
)
_VALUE = re.compile(
    r"(?: (?:is|are|ist|lautet|est|es|è|é|to))?[\s:=は是为은는]{1,4}(?P<t>(?=[^\n]{0,80}?\d)[^\n;|\"<>]{8,140})", re.IGNORECASE
)
_ARABIC = re.compile(
    r"(?:شارع|طريق|حي|رقم)[ ][\u0600-\u06ff ,،\d]{4,80}\d{1,5}|"
    r"\d{1,5}[ ،,]{1,2}شارع[ ][\u0600-\u06ff ،,]{3,60}|(?:रोड|मार्ग|नगर|गली|"
    r"मकान)[\u0900-\u097f ,\d/\-]{3,80}\d{2,6}|(?:רחוב|"
    r"רח')[ ][\u0590-\u05ff\"' \-]{2,30} \d{1,4}(?:[, ]+[\u0590-\u05ff ]{2,20})?"
)
_STREETLIKE = re.compile(
    r"\d{1,5}[a-zA-Z]?,? +[A-ZÀ-Ž\u0400-\u042f]|[A-Za-zÀ-ž\u0400-\u04ff]{3,},? +(?:No\.? ?|nº ?|"
    r"n\. ?)?\d{1,5}\b|\b\d{4,6}\b|[号號番]\d|\d[号號番丁]|[\u3040-\u9fff\uac00-\ud7af]\s?\d|"
    r"\d\s?[\u3040-\u9fff\uac00-\ud7af]|[\u0600-\u06ff]|[\u0900-\u097f]"
)
_NO_STREET = re.compile(
    r"https?:|@|0x|\b\d{1,3}(?:\.\d{1,3}){3}|\bport\b|localhost|\.(?:com|org|net|io)\b|\bversion\b|\b(?:node|"
    r"python|postgres\w*|mysql|react|server|cluster|repo|branch|region|bucket|schema|table|database)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=1)
def _first() -> tuple[tuple[frozenset[str], re.Pattern[str]], ...]:
    return tuple((_word_set(words), re.compile(expression)) for words, expression in NUMBER_FIRST)


@lru_cache(maxsize=1)
def _last() -> tuple[tuple[frozenset[str], re.Pattern[str]], ...]:
    return tuple((_word_set(words), re.compile(expression)) for words, expression in NUMBER_LAST)


def _word_set(words: str) -> frozenset[str]:
    return frozenset(word.lower().strip("?/") for word in re.split(r"[| ]|\\\.", words) if word)


def find_street_addresses(view: View) -> Iterator[Span]:
    """ADDRESS spans: the street with number, and what of town and postal code stands behind it."""
    houses = list(_HOUSE.finditer(view.text))
    if houses:
        yield from _in_latin(view, houses)
    if not view.plain:
        for pattern in (_EAST, _ARABIC):
            for found in pattern.finditer(view.text):
                if any(map(str.isdigit, found[0])) or re.search(r"[一二三四五六七八九十][号號丁番]", found[0]):
                    yield Span(*found.span(), "ADDRESS", 0.7)
    if _LIVES.within(view) and any(map(str.isdigit, view.text)):
        yield from _after_label(view)


def _in_latin(view: View, houses: list[re.Match[str]]) -> Iterator[Span]:
    """Around each number that could be a house's; what was found already is not looked at again."""
    done = 0
    for house in houses:
        start, end = house.span()
        if start < done:
            continue
        found = _number_first(view, start, end) or _number_last(view, max(done, start - 80), start)
        if found and _CAPITAL.search(found[0]) and not _NO_STREET.search(found[0]):
            done = found.end()
            unit = _UNIT_BEFORE.search(view.text, max(0, start - 24), found.start())
            yield Span(unit.start() if unit else found.start(), found.end(), "ADDRESS", 0.7)


def _number_first(view: View, start: int, end: int) -> re.Match[str] | None:
    following = frozenset(_WORDS.findall(view.lower[end : end + 70]))
    for words, pattern in _first():
        if not words.isdisjoint(following):
            found = pattern.match(view.text, start)
            if found:
                return found
    return None


def _number_last(view: View, left: int, start: int) -> re.Match[str] | None:
    words_before = _WORDS.findall(view.lower[left:start])
    if not words_before:
        return None
    before = frozenset(words_before)
    for words, pattern in _last():
        if not words.isdisjoint(before) or (pattern is _last()[0][1] and words_before[-1].endswith(tuple(words))):
            for found in pattern.finditer(view.text, left, start + 200):
                if found.start() < start < found.end():
                    return found
    return None


_WORDS = re.compile(r"[^\W\d_]+")


@lru_cache(maxsize=1)
def _labels() -> Labels:
    return Labels(_LABELS)


def _after_label(view: View) -> Iterator[Span]:
    for label in _labels().finditer(view):
        found = _VALUE.match(view.text, label.end())
        if not found:
            continue
        value = re.split(
            r"\. (?=[A-Z])|[。!?]| (?:with|and|since|because|but|so|as|which|where|mit|und|avec|con|y|и|с) |\.$|,? (?:phone|tel|email)\b",
            found["t"],
            maxsplit=1,
        )[0].rstrip(" .,")
        if _STREETLIKE.search(value) and not _NO_STREET.search(value) and len(value) >= 8:
            yield Span(found.start("t"), found.start("t") + len(value), "ADDRESS", 0.6)


STREET_ADDRESSES = Finder(("ADDRESS",), find_street_addresses, exact=False)
