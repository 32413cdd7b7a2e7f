"""Characters that look like others."""

from __future__ import annotations

_PAIRS = (
    # Cyrillic
    "аa еe оo рp сc уy хx іi јj ѕs һh ԁd ԛq ԝw кk ѵv ӏl "
    "АA ВB ЕE ЅS ІI ЈJ КK МM НH ОO РP СC ТT УY ХX ҮY ԌG ԜW ӀI ѴV "
    # Greek
    "αa εe ιi κk νv οo ρp τt υu χx γy ωw "
    "ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX "
    # Armenian, and Latin letters of other alphabets
    "օo սu հh ցg զq ոn ɡg ɑa ıi ɩi ʟL ɴN ʀR ʙB ᴀA ᴄC ᴅD ᴇE ᴊJ ᴋK ᴍM ᴏO ᴘP ᴛT ᴜU ᴠV ᴡW ᴢZ ꜱS ꞮI ӕa"
)

CONFUSABLES: dict[int, str] = {ord(pair[0]): pair[1] for pair in _PAIRS.split()}
"""Letters of other scripts -> the ASCII letter that they look like; a table for `str.translate`."""

SAME: dict[str, str] = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\ufe58\ufe63\uff0d\u02d7", "-"),
    **dict.fromkeys("\u2018\u2019\u201b\u02bc\u02b9\u2032\uff07\u00b4", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02", '"'),
    **dict.fromkeys("\u2028\u2029\u0085", "\n"),
    **dict.fromkeys("\u2024\u00b7\u2219\uff0e\uff61", "."),
    **dict.fromkeys("\ua789\u02d0\u2236\ufe55\uff1a", ":"),
    "\u3164": "",
}
"""Punctuation -> its ASCII form."""
