"""Identity numbers: by shape, check digit and context, or by a label and a number behind it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from gateway.egress.rules.base import Finder, Vocabulary, vocabulary, word_list
from gateway.egress.rules.checksums import safely
from gateway.egress.rules.labels import Labels
from gateway.egress.rules.national_table import SCHEMES, Scheme
from gateway.egress.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gateway.egress.views import View

LABELS = word_list(
    "ssn social_security_number social_security_no social_security social_insurance_number "
    "national_insurance_number national_insurance nino ni_number national_id "
    "national_identity_number national_identification_number identity_number identity_card_number "
    "identity_card id_card id_card_number government_id citizen_id "
    "personal_number personal_id personal_identification_number tax_id tax_number tax_identification_number "
    "tax_file_number taxpayer_id taxpayer_number "
    "tin itin ein passport_number passport_no passport_nr passport driver's_license_number "
    "driver's_licence_number driver's_license driver's_licence "
    "drivers_license drivers_licence drivers_license_number driver_license driver_licence driving_licence "
    "driving_license driving_licence_number licence_number dl_number "
    "green_card_number alien_number a-number visa_number residence_permit residence_permit_number voter_id "
    "voter_id_number military_id health_card_number "
    "health_insurance_number health_insurance_id insurance_number insurance_id member_id policy_number "
    "medicare_number medicare medicaid_id nhs_number nhs medical_record_number mrn "
    "patient_id patient_number aadhaar aadhaar_number aadhar_number pan_number pan_card pan voter_epic "
    "sin_number sin nric fin_number hkid curp rfc cpf rg rut "
    "cuit cuil dni nie nif niss nuss bsn burgerservicenummer pesel nip regon oib jmbg cnp egn cnic nik ktp mykad tckn tfn ird_number "
    "steuer-id steuer-identifikationsnummer steueridentifikationsnummer steuernummer "
    "sozialversicherungsnummer rentenversicherungsnummer sv-nummer svnr personalausweisnummer "
    "personalausweis ausweisnummer reisepassnummer reisepass passnummer führerscheinnummer führerschein "
    "krankenversicherungsnummer versichertennummer ahv-nummer ahv "
    "numéro_de_sécurité_sociale numéro_de_sécu sécurité_sociale numéro_fiscal numéro_de_passeport passeport "
    "permis_de_conduire carte_d'identité carte_vitale nir "
    "número_de_la_seguridad_social seguridad_social pasaporte número_de_pasaporte cédula cédula_de_identidad "
    "carnet_de_conducir documento_de_identidad "
    "codice_fiscale numero_di_passaporto passaporto carta_d'identità patente tessera_sanitaria contribuinte "
    "número_de_contribuinte passaporte carteira_de_identidade "
    "cartão_de_cidadão paspoortnummer paspoort rijbewijsnummer rijksregisternummer numer_dowodu "
    "dowód_osobisty numer_paszportu paszport prawo_jazdy "
    "паспорт паспорта номер_паспорта серия_и_номер_паспорта снилс инн водительское_удостоверение полис_омс "
    "ипн рнокпп kimlik_no tc_kimlik_no tc_kimlik tc_no pasaport_no pasaport "
    "ehliyet personnummer fødselsnummer cpr-nummer cpr henkilötunnus hetu passnummer pasnummer rodné_číslo "
    "rodne_cislo kennitala személyi_szám személyi_igazolvány taj-szám αφμ αμκα "
    "身份证号 身份证号码 身份证 身分證字號 护照号 护照号码 护照 驾驶证号 社保号 "
    "マイナンバー 個人番号 パスポート番号 旅券番号 免許証番号 運転免許証番号 保険証番号 "
    "주민등록번호 여권번호 운전면허번호 외국인등록번호 "
    "رقم_الهوية الهوية_الوطنية رقم_جواز_السفر جواز_السفر رقم_الإقامة الرقم_القومي आधार_नंबर आधार_संख्या आधार "
    "पैन_नंबर पैन पासपोर्ट_नंबर पासपोर्ट תעודת_זהות מספר_זהות ת.ז דרכון"
)
_FALSE_VALUES = frozenset(("000000000", "123456789", "987654321", "078051120", "111111111", "999999999"))
_LETTERED = re.compile(r"(?<![A-Za-z0-9])(?:[A-Z]{1,6}[ \-]?\d[A-Z0-9 \-]{4,}|\d[A-Z][A-Z0-9]\d-?[A-Z])")
_DIGIT = re.compile(r"\d[^\n]{0,16}\d")
_NOT_AFTER = re.compile(
    r"^\s*(?:%|ms\b|mb\b|gb\b|kb\b|px\b|users?\b|requests?\b|tokens?\b|rows?\b|times?\b|days?\b|years?\b|minutes?\b|seconds?\b)",
    re.IGNORECASE,
)


@lru_cache(maxsize=1)
def _labels() -> Labels:
    return Labels(LABELS)


_VALUE = re.compile(
    r"(?![a-zà-ÿ])(?:[\s_\-.]{0,2}(?:number|numbers|num|no|nr|nº|n°|id|code|card|#|nummer|numéro|numero|"
    r"número|numarası|номер|号码|番号|번호|नंबर|رقم)\.?){0,2}"
    r"(?:\s?\([^()\n]{1,30}\))?(?:[ \t](?:for|of|on|with)(?:[ \t][\w'.\-]{1,24}){1,4}?)?[\"'`*\]]{0,3}"
    r"[ \t]{0,3}(?:(?:is|was|are|ist|lautet|est|es|è|é|to|jest|это|är|er|on|je|reads|ends in|ending in|هو|"
    r"هي)(?=[\s:])|[:=#№|]|は|が|是|为|為|는|은|이|가|->|=>){0,2}[ \t\"'`*:#№]{0,6}"
    r"(?:no\.?\s|nr\.?\s|number\s)?(?P<t>(?:[A-Za-zА-Я]{1,5}[ \-]?){0,2}\d(?:[ .\-/]{0,2}(?:\d|(?-i:[A-Z]))|[a-z](?![a-z]{3})){3,24})",
    re.IGNORECASE,
)


@lru_cache(maxsize=1)
def _schemes() -> tuple[tuple[Scheme, re.Pattern[str], Vocabulary], ...]:
    return tuple((scheme, re.compile(rf"(?<![\w.\-])(?:{scheme.shape})(?![\w\-]|\.\d)"), vocabulary(scheme.words)) for scheme in SCHEMES)


@lru_cache(maxsize=1)
def _named_schemes() -> Vocabulary:
    """The words of all schemes together."""
    return vocabulary(" ".join(scheme.words for scheme in SCHEMES))


def find_national_ids(view: View) -> Iterator[Span]:
    """NATIONAL_ID spans."""
    if not _DIGIT.search(view.text):
        return
    places = sorted([*_long(view), *(found.span() for found in _LETTERED.finditer(view.text))])
    for label in _labels().finditer(view):
        if _stands_alone(view, label):
            yield from _after(view, label.end())
    named = _named_schemes().within(view)
    for scheme, pattern, words in _schemes() if places else ():
        if scheme.alone or (named and words.within(view)):
            for found in _matches(view, pattern, places):
                yield from _checked(view, scheme, words, found)


def _stands_alone(view: View, label: re.Match[str]) -> bool:
    """Short labels must be words of their own; longer ones may run into a number."""
    before, after = view.lower[label.start() - 1 : label.start()], view.lower[label.end() : label.end() + 1]
    return (not before.isalpha() or ord(label[0][0]) > 0x2E80) and (len(label[0]) > 4 or not after.isalnum())


def _long(view: View) -> Iterator[tuple[int, int]]:
    for start, end in view.numbers:
        digits = sum(map(str.isdigit, view.text[start:end]))
        if digits >= 9 or (digits >= 7 and view.text[end : end + 2].strip(" -")[:1].isalnum()) or view.text[start - 1 : start].isalpha():
            yield start, end


def _matches(view: View, pattern: re.Pattern[str], places: list[tuple[int, int]]) -> Iterator[re.Match[str]]:
    """Matches that begin where a number could be, or a few letters before."""
    done = 0
    for start, end in places:
        at = max(done, start - 10)
        while (found := pattern.search(view.text, at, min(len(view.text), end + 12))) and found.start() < end:
            at = done = found.end()
            yield found


def _after(view: View, place: int) -> Iterator[Span]:
    """What stands behind a label that ends at `place`."""
    found = _VALUE.match(view.text, place)
    if not found:
        return
    value = re.sub(r"[^A-Za-z0-9]", "", found["t"])
    digits = sum(map(str.isdigit, value))
    mixed = digits >= 2 and 7 <= len(value) <= 14 and found["t"].isalnum() and found["t"].isupper()
    number = mixed or (digits >= 4 and 5 <= len(value) <= 22 and digits >= len(value) * 0.4)
    if (
        number
        and value not in _FALSE_VALUES
        and not _year(found["t"])
        and not _NOT_AFTER.match(view.text[found.end("t") : found.end("t") + 12])
    ):
        yield Span(found.start("t"), found.end("t"), "NATIONAL_ID", 0.75)


def _year(text: str) -> bool:
    return re.match(r"(?:19|20)\d\d(?:-\d\d-\d\d)?$|\d{1,2}[./]\d{1,2}[./]\d{2,4}$", text.strip()) is not None


def _checked(view: View, scheme: Scheme, words: Vocabulary, found: re.Match[str]) -> Iterator[Span]:
    bare = re.sub(r"[^A-Za-z0-9А-Я+]" if "+A-F" not in scheme.shape else r"[ ]", "", found[0])
    if bare in _FALSE_VALUES or len(set(bare)) < 3:
        return
    near = words.near(view, *found.span(), before=56, after=28)
    valid = scheme.check is None or safely(scheme.check, bare)
    if (near and valid) or (scheme.alone and valid and scheme.check is not None) or (scheme.alone and near):
        yield Span(*found.span(), "NATIONAL_ID", 0.9)
    elif scheme.alone and scheme.check is None and _special(found[0]):
        yield Span(*found.span(), "NATIONAL_ID", 0.7)


def _special(text: str) -> bool:
    """Letters and digits in turn, so that no word, number or version looks like it."""
    return len(text) >= 9 and any(map(str.isalpha, text)) and any(map(str.isdigit, text))


NATIONAL_IDS = Finder(("NATIONAL_ID",), find_national_ids)
