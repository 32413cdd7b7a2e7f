"""Dates of birth: a date near a word for being born."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from gateway.egress.rules.base import Finder, vocabulary, word_list
from gateway.egress.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gateway.egress.views import View

_BIRTH = vocabulary(
    "born birthday birthdate birth dob d.o.b b'day bday birthdays geboren geburtstag geburtsdatum geb geb. "
    "naissance né née anniversaire nacido nacida nacimiento cumpleaños "
    "nació nato nata nascita compleanno nascido nascida nascimento aniversário nasceu geboortedatum "
    "verjaardag urodzony urodzona urodzenia urodziny ur. "
    "родился родилась рождения рождён др народився народилася народження doğum doğdu doğumlu född "
    "födelsedatum födelsedag fødselsdato fødselsdag født "
    "syntynyt syntymäaika syntymäpäivä narozen narozena narození narozeniny született születési születésnap "
    "născut născută naștere γεννήθηκε γέννησης γενέθλια "
    "נולד נולדה לידה 出生 生日 生年月日 誕生日 生まれ 생년월일 생일 태어 تاريخ_الميلاد الميلاد مولود ولد ولدت जन्म जन्मतिथि "
    "जन्मदिन วันเกิด sinh tanggal_lahir lahir"
)
_MONTHS = word_list(
    "january february march april may june july august september october november december jan feb mar apr "
    "jun jul aug sep sept oct nov dec "
    "januar februar märz april mai juni juli august september oktober november dezember jänner janvier "
    "février mars avril juin juillet août septembre octobre "
    "novembre décembre enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
    "diciembre gennaio febbraio aprile maggio giugno luglio "
    "settembre ottobre dicembre janeiro fevereiro março maio junho julho setembro outubro novembro dezembro "
    "januari februari maart mei augustus stycznia lutego "
    "marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia января февраля марта "
    "апреля мая июня июля августа сентября октября "
    "ноября декабря ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık maj marts "
    "juni juli augusti tammikuuta helmikuuta maaliskuuta "
    "huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta ledna "
    "února března dubna května června července srpna září října "
    "listopadu prosince ianuarie februarie martie aprilie iunie iulie septembrie octombrie noiembrie "
    "decembrie січня лютого березня квітня травня червня липня "
    "серпня вересня жовтня листопада грудня يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر "
    "نوفمبر ديسمبر जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर "
    "अक्टूबर नवंबर दिसंबर"
)
_SPAN_BEFORE, _SPAN_AFTER = 56, 28
_YEAR_SAID = re.compile(
    r"(?:year of birth|birth year|geburtsjahr|jahrgang|année de naissance|año de nacimiento|anno di nascita|"
    r"ano de nascimento|rok urodzenia|год рождения|doğum yılı|"
    r"(?<!\w)(?:i|i'm|he|she|they|user|who|wife|husband|son|daughter|brother|sister|mother|father)\s(?:was |"
    r"were |is )?born in)[\s:=]{0,3}(?:is |was |ist )?(?P<t>(?:19|20)\d\d)\b"
    r"|(?P<u>(?:19|20)\d\d)\s?(?:年生まれ|年出生|년생|ж\.?р|г\.?\s?р\.?)|\((?:b\.|born|geb\.?|né|née|\*)\s?(?P<v>(?:19|20)\d\d)\)",
    re.IGNORECASE,
)


@lru_cache(maxsize=1)
def _date() -> re.Pattern[str]:
    month = "|".join(sorted(set(_MONTHS), key=len, reverse=True))
    year = r"(?:1[89]\d\d|20\d\d|['’]?\d\d(?!\d))"
    day = r"[0-3]?\d(?:st|nd|rd|th|\.|º|er|ème|-го|\. ?päivä)?"
    return re.compile(
        r"(?<![\d.\-/])(?:"
        r"(?:19|20)\d\d[\-/. ]{1,2}[01]?\d[\-/. ]{1,2}[0-3]?\d(?!\d)"
        r"|[0-3]?\d[\-/. ]{1,2}[01]?\d[\-/. ]{1,2}(?:19|20)?\d\d(?!\d)"
        rf"|{day}[ \-]{{0,2}}(?:of |de |di |d')?(?:{month})\b\.?(?:,?[ \-]{{0,2}}(?:of |de |del |do |di |"
        rf"в )?{year})?(?: ?(?:года|г\.|r\.|р\.))?"
        rf"|(?:{month})\.?[ \-]{{0,2}}{day}(?:,?[ \-]{{0,2}}{year})?"
        rf"|(?:{month})\.?,? (?:19|20)\d\d"
        r"|(?:19|20)?\d\d ?[年년] ?[01]?\d ?[月월] ?[0-3]?\d ?[日일]?|[01]?\d ?[月월] ?[0-3]?\d ?[日일]"
        r"|(?:昭和|平成|令和|大正)\d{1,2}年\d{1,2}月\d{1,2}日"
        r"|(?:19|20)\d{2}[01]\d[0-3]\d(?!\d)"
        r")",
        re.IGNORECASE,
    )


def find_birth_dates(view: View) -> Iterator[Span]:
    """DATE_OF_BIRTH spans."""
    if not _BIRTH.within(view) and not any(mark in view.lower for mark in ("(b.", "jahrgang", "年生", "년생", "(*", "ж.р", "г.р", "р.н")):
        return
    for found in _YEAR_SAID.finditer(view.text):
        group = next(name for name in "tuv" if found[name])
        yield Span(found.start(group), found.end(group), "DATE_OF_BIRTH", 0.7)
    for found in _date().finditer(view.text):
        if _near(view, found):
            yield Span(*found.span(), "DATE_OF_BIRTH", 0.85)


def _near(view: View, found: re.Match[str]) -> bool:
    """The word stands before the date in the same sentence, or soon after it."""
    before = re.split(r"[!?\n]|\.\s+(?=[A-Z])", view.lower[max(0, found.start() - _SPAN_BEFORE) : found.start()])[-1]
    before = re.sub(r"born-\w+", "", before)
    after = re.split(r"[.!?\n;]", view.lower[found.end() : found.end() + _SPAN_AFTER])[0]
    return _BIRTH.inside(before) or _BIRTH.inside(after)


BIRTH_DATES = Finder(("DATE_OF_BIRTH",), find_birth_dates)
