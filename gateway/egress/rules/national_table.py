"""Identity numbers of countries: shape, check, and the words that name them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gateway.egress.rules import checksums
from gateway.egress.rules import national_checks as checks

if TYPE_CHECKING:
    from gateway.egress.rules.checksums import Check


@dataclass(frozen=True, slots=True)
class Scheme:
    """One number. `alone`: shape and check are so special that no word is needed. `check` sees the characters without separators."""

    shape: str
    words: str
    check: Check | None = None
    alone: bool = False


SCHEMES: tuple[Scheme, ...] = (
    # The Americas
    Scheme(r"\d{3}[ .\-]\d{2}[ .\-]\d{4}", "ssn social security ss# taxpayer tin", checks.ssn, alone=True),
    Scheme(r"9\d\d[ \-]?\d\d[ \-]?\d{4}", "itin taxpayer tin tax", checks.itin),
    Scheme(r"\d{9}|\d(?: \d){8}|\d{3} ?\d{2} ?\d{4}", "ssn social security", checks.ssn),
    Scheme(r"\d{3}[ \-]?\d{3}[ \-]?\d{3}", "sin social insurance nas assurance_sociale canada canadian", checksums.luhn),
    Scheme(r"[A-Z][AEIOUX][A-Z]{2}\d{6}[HMX][A-Z]{5}[A-Z0-9]\d", "curp", alone=True),
    Scheme(r"[A-Z&Ñ]{4}\d{6}[A-Z0-9]{3}", "rfc contribuyente sat"),
    Scheme(r"\d{3}\.\d{3}\.\d{3}-\d{2}", "cpf", checks.cpf, alone=True),
    Scheme(r"\d{11}|\d{3}\.?\d{3}\.?\d{3}-?\d{2}", "cpf contribuinte", checks.cpf),
    Scheme(r"\d{1,2}\.\d{3}\.\d{3}-?[\dXx]", "rg identidade registro_geral"),
    Scheme(r"\d{1,2}\.\d{3}\.\d{3}-[\dKk]", "rut run", checks.rut, alone=True),
    Scheme(r"\d{7,8}-?[\dKk]", "rut run", checks.rut),
    Scheme(r"(?:20|23|24|25|26|27|30)-\d{8}-\d", "cuit cuil", checks.cuit, alone=True),
    Scheme(r"\d{2}\.?\d{3}\.?\d{3}", "dni cédula cedula documento identidad"),
    Scheme(r"\d{1,3}\.?\d{3}\.?\d{3}(?:\.?\d)?-?\d?", "cédula cedula cc ciudadanía nit"),
    # Britain, Ireland
    Scheme(
        r"(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]", "nino national insurance ni", alone=True
    ),
    Scheme(r"\d{3}[ \-]?\d{3}[ \-]?\d{4}", "nhs", checks.nhs),
    Scheme(r"\d{10}", "utr taxpayer"),
    Scheme(r"\d{7}[A-W][A-IW]?", "pps ppsn", checks.pps),
    Scheme(r"[A-Z9]{5}\d{6}[A-Z9]{2}\d[A-Z]{2}", "driving licence license driver", alone=True),
    # Western Europe
    Scheme(
        r"\d{2} ?\d{3} ?\d{3} ?\d{3}",
        "steuer-id steuerid steuer steueridentifikationsnummer idnr identifikationsnummer tax tin idn",
        checks.steuer_id,
    ),
    Scheme(
        r"\d{2} ?\d{6} ?[A-Z] ?\d{3}",
        "sozialversicherungsnummer rentenversicherungsnummer versicherungsnummer sv-nummer rvnr svnr social rentenversicherung",
    ),
    Scheme(
        r"[CFGHJKLMNPRTVWXYZ0-9]{9}\d?D?",
        "personalausweis personalausweisnummer ausweisnummer reisepass reisepassnummer passnummer ausweis",
    ),
    Scheme(r"\d{2,3}[/ ]\d{3}[/ ]\d{5}", "steuernummer finanzamt steuer"),
    Scheme(r"\d{4} ?\d{6}", "svnr sozialversicherung sozialversicherungsnummer sv-nummer versicherungsnummer österreich", checks.svnr_at),
    Scheme(r"756[. ]?\d{4}[. ]?\d{4}[. ]?\d{2}", "ahv avs ahv-nummer navs", checks.ahv, alone=True),
    Scheme(
        r"[1278] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}",
        "nir insee sécu sécurité securite sociale numéro",
        checks.nir,
        alone=True,
    ),
    Scheme(r"[0-3]\d ?\d{2} ?\d{3} ?\d{3} ?\d{3}", "fiscal spi numéro_fiscal impôts"),
    Scheme(r"\d{9}|\d{3}[. ]\d{3}[. ]\d{3}|\d{4}[. ]\d{2}[. ]\d{3}", "bsn burgerservicenummer sofi-nummer sofinummer", checks.bsn),
    Scheme(r"\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}", "rijksregister rijksregisternummer national niss insz", checks.rijksregister, alone=True),
    Scheme(r"\d{11}", "rijksregister rijksregisternummer niss insz registre_national", checks.rijksregister),
    Scheme(r"\d{8}[ \-]?[A-Z]|[XYZ][ \-]?\d{7}[ \-]?[A-Z]", "dni nif nie", checks.dni, alone=True),
    Scheme(r"\d{2}[/ ]?\d{8}[/ ]?\d{2}", "seguridad_social nuss naf afiliación"),
    Scheme(r"\d{3} ?\d{3} ?\d{3}", "nif contribuinte niss", checks.nif_pt),
    Scheme(r"\d{8} ?\d ?[A-Z]{2}\d", "cartão_de_cidadão cidadão cc"),
    Scheme(
        r"[A-Z]{6}[\dLMNPQRSTUV]{2}[ABCDEHLMPRST][\dLMNPQRSTUV]{2}[A-Z][\dLMNPQRSTUV]{3}[A-Z]",
        "codice fiscale",
        checks.codice_fiscale,
        alone=True,
    ),
    Scheme(r"[A-Z]{2}\d{5}[A-Z]{2}", "carta_d'identità carta identità cie"),
    Scheme(r"\d{9}", "afm αφμ amka αμκα"),
    Scheme(r"\d{11}", "amka αμκα"),
    # North and East
    Scheme(r"(?:19|20)?\d{6}[\-+ ]?\d{4}", "personnummer samordningsnummer", checks.personnummer),
    Scheme(r"\d{6}-\d{4}", "personnummer cpr cpr-nummer kennitala person", checks.personnummer),
    Scheme(r"\d{6} ?\d{5}", "fødselsnummer fodselsnummer personnummer fnr d-nummer", checks.fodselsnummer),
    Scheme(r"\d{6}[\- ]?\d{4}", "cpr cpr-nr cpr-nummer personnummer kennitala"),
    Scheme(r"\d{6}[\-+A-FU-Y]\d{3}[0-9A-FHJ-NPR-Y]", "henkilötunnus hetu sosiaaliturvatunnus", checks.hetu, alone=True),
    Scheme(r"\d{11}", "pesel", checks.pesel),
    Scheme(r"\d{3}-?\d{3}-?\d{2}-?\d{2}", "nip podatnik"),
    Scheme(r"[A-Z]{3} ?\d{6}", "dowód dowodu osobisty osobistego"),
    Scheme(r"\d{6}/\d{3,4}", "rodné číslo rodne cislo rodného rč", checks.rodne_cislo, alone=True),
    Scheme(r"\d{9,10}", "rodné rodne číslo rč", checks.rodne_cislo),
    Scheme(r"[1-8]\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{6}", "cnp cod_numeric", checks.cnp, alone=True),
    Scheme(r"\d{10}", "егн egn", checks.egn),
    Scheme(r"\d{13}", "jmbg јмбг emšo emso matični", checks.jmbg),
    Scheme(r"\d{11}", "oib", checksums.mod11_10),
    Scheme(r"[1-6]\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{4}", "isikukood asmens kodas", checks.isikukood),
    Scheme(r"\d{6}-?\d{5}", "personas_kods kods"),
    Scheme(r"\d{3} ?\d{3} ?\d{3}|\d{6}[A-Z]{2}", "adóazonosító taj személyi igazolvány"),
    Scheme(r"\d{3}-\d{3}-\d{3}[ \-]\d{2}", "снилс snils", checks.snils, alone=True),
    Scheme(r"\d{11}", "снилс snils", checks.snils),
    Scheme(r"\d{12}", "инн inn", checks.inn_ru),
    Scheme(r"\d{2} ?\d{2} ?(?:№ ?)?\d{6}", "паспорт паспорта паспортные серия passport"),
    Scheme(r"\d{10}|[А-ЯA-Z]{2} ?\d{6}", "ипн рнокпп іпн паспорт"),
    Scheme(r"\d{11}", "tc tckn kimlik t.c. vatandaşlık", checks.tckn),
    # Asia, Pacific, Africa
    Scheme(r"[2-9]\d{3}[ \-]?\d{4}[ \-]?\d{4}", "aadhaar aadhar uidai आधार uid", checksums.verhoeff),
    Scheme(r"[A-Z]{3}[PCHFATBLJG][A-Z]\d{4}[A-Z]", "pan permanent income tax पैन", alone=True),
    Scheme(r"[A-Z]{3}\d{7}", "voter epic मतदाता"),
    Scheme(
        r"\d{6}(?:18|19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx]",
        "身份证 resident identity",
        checks.resident_id_cn,
        alone=True,
    ),
    Scheme(r"\d{6}[\- ][1-8]\d{6}", "주민등록번호 주민번호 외국인등록번호 rrn resident", checks.rrn_kr, alone=True),
    Scheme(r"\d{13}", "주민등록번호 주민번호 rrn", checks.rrn_kr),
    Scheme(r"\d{4}[ \-]?\d{4}[ \-]?\d{4}", "マイナンバー 個人番号 my_number mynumber", checks.my_number),
    Scheme(r"[STFGM]\d{7}[A-Z]", "nric fin singapore", checks.fin_sg, alone=True),
    Scheme(r"[A-Z]{1,2}\d{6} ?\([0-9A]\)", "hkid hong_kong identity 香港身份證", checks.hkid, alone=True),
    Scheme(r"[A-Z][12589]\d{8}", "身分證 身份證 taiwan twid arc national", checks.twid, alone=True),
    Scheme(r"\d ?-?\d{4} ?-?\d{5} ?-?\d{2} ?-?\d", "thai ประชาชน บัตรประชาชน national", checks.thai_id, alone=True),
    Scheme(r"\d{6}-?\d{2}-?\d{4}", "mykad nric ic kad pengenalan"),
    Scheme(r"\d{16}", "nik ktp kependudukan"),
    Scheme(r"\d{12}", "cccd cmnd căn_cước cước"),
    Scheme(r"\d{4}-\d{7}-\d|\d{2}-\d{7}-\d|\d{12}", "philsys sss umid crn"),
    Scheme(r"\d{5}-\d{7}-\d", "cnic nadra nicop", alone=True),
    Scheme(r"\d{10}|\d{13}|\d{17}", "nid national bangladesh"),
    Scheme(r"784-?\d{4}-?\d{7}-?\d", "emirates eid uae هوية الهوية", alone=True),
    Scheme(r"[12]\d{9}", "iqama national saudi هوية الهوية إقامة"),
    Scheme(r"[23]\d{13}", "egypt national قومي الرقم_القومي"),
    Scheme(r"\d{9}", "teudat zehut ת.ז תעודת זהות israeli", checks.teudat_zehut),
    Scheme(r"\d{13}", "south african sa_id rsa id identity", checks.id_za),
    Scheme(r"\d{11}", "nin bvn"),
    Scheme(r"\d{3}[ \-]?\d{3}[ \-]?\d{3}|\d{8,9}", "tfn tax_file tax file", checks.tfn),
    Scheme(r"[2-6]\d{3}[ \-]?\d{5}[ \-]?\d(?:[ \-/]?\d)?", "medicare", checks.medicare_au),
    Scheme(r"\d{2,3}[ \-]?\d{3}[ \-]?\d{3}", "ird inland_revenue"),
    # Health
    Scheme(r"[1-9][A-Z][A-Z0-9]\d-?[A-Z][A-Z0-9]\d-?[A-Z]{2}\d{2}", "mbi medicare beneficiary", alone=True),
    Scheme(r"[A-Z]\d{9}", "krankenversicherung krankenversichertennummer kvnr versichertennummer gesundheitskarte"),
)
