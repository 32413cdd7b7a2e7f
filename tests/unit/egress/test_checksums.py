"""Check digits: the published sample of each scheme passes, and its neighbour does not."""

from __future__ import annotations

import pytest

from gateway.egress.rules import checksums, national_checks

SAMPLES = {
    "dni": "12345678Z", "codice_fiscale": "RSSMRA85T10A562S", "nir": "255081416802538", "bsn": "111222333",
    "rijksregister": "85073003328", "pesel": "44051401359", "nif_pt": "123456789", "cpf": "52998224725", "rut": "123456785",
    "resident_id_cn": "11010519491231002X", "my_number": "123456789018", "personnummer": "8112189876", "fodselsnummer": "01010750160",
    "hetu": "131052-308T", "tckn": "10000000146", "snils": "11223344595", "inn_ru": "500100732259", "nhs": "9434765919",
    "tfn": "123456782", "medicare_au": "2123456701", "fin_sg": "S1234567D", "hkid": "A1234563", "twid": "A123456789",
    "thai_id": "1101700230708", "id_za": "8001015009087", "teudat_zehut": "123456782", "ahv": "7569217076985", "svnr_at": "1237010180",
    "rodne_cislo": "7103192745", "cnp": "1800101221144", "egn": "7523169263", "jmbg": "0101006500006", "isikukood": "37605030299",
    "pps": "1234567T", "cuit": "20267565393", "steuer_id": "86095742719",
}  # fmt: skip
OTHERS = {"luhn": "4539148803436467", "verhoeff": "2363", "mod11_10": "33392005961", "aba": "021000021", "clabe": "032180000118359719"}


def neighbour(text: str) -> str:
    """The same number with another digit in the middle."""
    at = next(place for place in range(len(text) // 2, len(text)) if text[place].isdigit())
    return text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1 :]


@pytest.mark.parametrize("name", [*SAMPLES, *OTHERS])
def test_a_valid_number_passes_and_a_changed_one_does_not(name: str) -> None:
    check = getattr(national_checks, name, None) or getattr(checksums, name)
    sample = SAMPLES.get(name) or OTHERS[name]
    assert check(sample)
    assert not checksums.safely(check, neighbour(sample))


def test_ranges_that_were_never_given_out_are_no_numbers() -> None:
    assert national_checks.ssn("536228714")
    assert not any(national_checks.ssn(digits) for digits in ("000228714", "666228714", "936228714", "536008714", "536220000"))
    assert national_checks.itin("912701234")
    assert not national_checks.itin("912101234")
    assert national_checks.rrn_kr("9001011234567")
    assert not national_checks.rrn_kr("9013011234567")


def test_an_iban_is_told_by_its_remainder() -> None:
    iban = "DE89370400440532013000"
    assert checksums.mod97(iban[4:] + iban[:4])
    assert not checksums.mod97(neighbour(iban[4:]) + iban[:4])


def test_a_check_on_foreign_characters_says_no() -> None:
    assert not checksums.safely(checksums.luhn, "12a")
    assert not checksums.safely(national_checks.dni, "")
