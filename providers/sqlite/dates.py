"""Dates: the terms under which a memory's day is found, and the days, months and years that a question names."""

from __future__ import annotations

import re
import unicodedata

from providers.sqlite.records import moment

_NAMES = (
    "january januar janvier enero gennaio janeiro januari jan",
    "february februar fevrier febrero febbraio fevereiro februari feb",
    "march marz mars marzo marco maart mar",
    "april avril abril aprile apr",
    "may mai mayo maggio maio mei",
    "june juni juin junio giugno junho jun",
    "july juli juillet julio luglio julho jul",
    "august aout agosto augustus aug",
    "september septembre septiembre settembre setembro sep sept",
    "october oktober octobre octubre ottobre outubro oct okt",
    "november novembre noviembre novembro nov",
    "december dezember decembre diciembre dicembre dezembro dec dez",
)
_MONTHS = {name: month for month, names in enumerate(_NAMES, 1) for name in names.split()}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_ISO = re.compile(r"(?<!\d)((?:19|20)\d\d)-(\d\d)-(\d\d)(?!\d)")
_DAY_FIRST = re.compile(rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th|\.|º)?\s+(?:of\s+|de\s+)?({_MONTH})\b,?(?:\s+(?:de\s+)?((?:19|20)\d\d))?")
_MONTH_FIRST = re.compile(rf"\b({_MONTH})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?\b,?(?:\s+((?:19|20)\d\d))?")
_MONTH_OR_YEAR = re.compile(rf"\b(?:({_MONTH})|((?:19|20)\d\d))\b")


def date_terms(microseconds: int) -> tuple[str, str, str]:
    """Year, month and day of a moment (since 1970, UTC), as terms that no text can contain."""
    day = moment(microseconds)
    return f"@{day.year}", f"@m{day.month}", f"@{day.year}-{day.month}-{day.day}"


def named_dates(question: str) -> tuple[str, ...]:
    """The date terms that a question asks for, in seven languages: whole days first, then months and years."""
    text = _plain(question)
    if not _MONTH_OR_YEAR.search(text):  # every date that is understood holds one
        return ()
    days = [f"@{int(year)}-{int(month)}-{int(day)}" for year, month, day in _ISO.findall(text)]
    days += [f"@{year}-{_MONTHS[name]}-{int(day)}" for day, name, year in _DAY_FIRST.findall(text) if year]
    days += [f"@{year}-{_MONTHS[name]}-{int(day)}" for name, day, year in _MONTH_FIRST.findall(text) if year]
    wider = [f"@m{_MONTHS[name]}" if name else f"@{year}" for name, year in _MONTH_OR_YEAR.findall(text)]
    return tuple(dict.fromkeys(days + wider))


def _plain(text: str) -> str:
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in folded if not "\u0300" <= character <= "\u036f")
