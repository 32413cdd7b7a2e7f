"""Check digits of identity numbers, country by country. Each function takes the characters without separators."""

from __future__ import annotations

from gateway.egress.rules.checksums import luhn, mod11_10, weighted


def ssn(digits: str) -> bool:
    """Ranges that the US social security administration never gave out."""
    return digits[:3] not in {"000", "666"} and digits[0] != "9" and digits[3:5] != "00" and digits[5:] != "0000"


def itin(digits: str) -> bool:
    """US individual taxpayer numbers begin with 9 and have a group of 50-65, 70-88, 90-92 or 94-99."""
    group = int(digits[3:5])
    return digits[0] == "9" and (50 <= group <= 65 or 70 <= group <= 88 or 90 <= group <= 99)


def steuer_id(digits: str) -> bool:
    """German tax numbers for life."""
    return digits[0] != "0" and mod11_10(digits)


def dni(text: str) -> bool:
    """Spanish DNI and NIE: the letter is the number modulo 23."""
    number = text[:-1].upper().translate({88: "0", 89: "1", 90: "2"})
    return number.isdigit() and "TRWAGMYFPDXBNJZSQVHLCKE"[int(number) % 23] == text[-1].upper()


def codice_fiscale(text: str) -> bool:
    """Italian: odd and even places have their own values; the last letter is the sum modulo 26."""
    odd = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
    values = [int(char, 36) - 10 if char.isalpha() else int(char) for char in text[:15].upper()]
    return chr(65 + sum(odd[v] if i % 2 == 0 else v for i, v in enumerate(values)) % 26) == text[15].upper()


def nir(text: str) -> bool:
    """French social security: 97 minus the number modulo 97; 2A and 2B stand for 19 and 18."""
    body = text.upper().replace("2A", "19").replace("2B", "18")
    return body.isdigit() and 97 - int(body[:13]) % 97 == int(body[13:])


def bsn(digits: str) -> bool:
    """Dutch eleven test."""
    return (weighted(digits, (9, 8, 7, 6, 5, 4, 3, 2)) - int(digits[-1])) % 11 == 0 and len(set(digits)) > 1


def rijksregister(digits: str) -> bool:
    """Belgian: 97 minus the first nine digits modulo 97, with a 2 before them from the year 2000 on."""
    return any(97 - int(century + digits[:9]) % 97 == int(digits[9:]) for century in ("", "2"))


def pesel(digits: str) -> bool:
    """Polish, with a real month."""
    month = int(digits[2:4]) % 20
    return 1 <= month <= 12 and (weighted(digits, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)) % 10 == 0)


def nif_pt(digits: str) -> bool:
    """Portuguese."""
    check = 11 - weighted(digits, (9, 8, 7, 6, 5, 4, 3, 2)) % 11
    return int(digits[-1]) == (0 if check > 9 else check)


def cpf(digits: str) -> bool:
    """Brazilian persons."""
    if len(set(digits)) == 1:
        return False
    first = weighted(digits, tuple(range(10, 1, -1))) * 10 % 11 % 10
    second = weighted(digits, tuple(range(11, 1, -1))) * 10 % 11 % 10
    return digits[9:] == f"{first}{second}"


def rut(text: str) -> bool:
    """Chilean."""
    total = sum(int(char) * (2 + place % 6) for place, char in enumerate(reversed(text[:-1])))
    return "0K987654321"[(total % 11)] == text[-1].upper()


def resident_id_cn(text: str) -> bool:
    """Chinese citizens' numbers: mod 11-2."""
    return "10X98765432"[weighted(text, (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)) % 11] == text[-1].upper()


def rrn_kr(digits: str) -> bool:
    """Korean, by its birth date: the check digit was given up in 2020."""
    return 1 <= int(digits[2:4]) <= 12 and 1 <= int(digits[4:6]) <= 31


def my_number(digits: str) -> bool:
    """Japanese individual numbers."""
    total = sum(int(digits[10 - n]) * (n + 2 if n < 6 else n - 4) for n in range(11))
    check = 0 if total % 11 <= 1 else 11 - total % 11
    return check == int(digits[11])


def personnummer(digits: str) -> bool:
    """Swedish: Luhn over the last ten digits, with a real month (day plus 60 for coordination numbers)."""
    return luhn(digits[-10:]) and 1 <= int(digits[-8:-6]) <= 12


def fodselsnummer(digits: str) -> bool:
    """Norwegian: two check digits."""
    first = weighted(digits, (3, 7, 6, 1, 8, 9, 4, 5, 2, 1)) % 11
    second = weighted(digits, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1)) % 11
    return first == 0 and second == 0


def hetu(text: str) -> bool:
    """Finnish: the last character is the number modulo 31."""
    number = text[:6] + text[7:10]
    return number.isdigit() and "0123456789ABCDEFHJKLMNPRSTUVWXY"[int(number) % 31] == text[10].upper()


def tckn(digits: str) -> bool:
    """Turkish."""
    odd, even = sum(map(int, digits[0:9:2])), sum(map(int, digits[1:8:2]))
    return digits[0] != "0" and (odd * 7 - even) % 10 == int(digits[9]) and sum(map(int, digits[:10])) % 10 == int(digits[10])


def snils(digits: str) -> bool:
    """Russian pension accounts."""
    total = weighted(digits, (9, 8, 7, 6, 5, 4, 3, 2, 1)) % 101
    return (0 if total == 100 else total) == int(digits[9:])


def inn_ru(digits: str) -> bool:
    """Russian taxpayers, persons (12 digits)."""
    first = weighted(digits, (7, 2, 4, 10, 3, 5, 9, 4, 6, 8)) % 11 % 10
    second = weighted(digits, (3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8)) % 11 % 10
    return digits[10:] == f"{first}{second}"


def nhs(digits: str) -> bool:
    """British health service."""
    check = 11 - weighted(digits, (10, 9, 8, 7, 6, 5, 4, 3, 2)) % 11
    return check != 10 and check % 11 == int(digits[9])


def tfn(digits: str) -> bool:
    """Australian tax file numbers of nine digits."""
    return weighted(digits, (1, 4, 3, 7, 5, 8, 6, 9, 10)) % 11 == 0


def medicare_au(digits: str) -> bool:
    """Australian health cards."""
    return weighted(digits, (1, 3, 7, 9, 1, 3, 7, 9)) % 10 == int(digits[8])


def fin_sg(text: str) -> bool:
    """Singaporean NRIC and FIN."""
    kind = text[0].upper()
    total = weighted(text[1:8], (2, 7, 6, 5, 4, 3, 2)) + {"T": 4, "G": 4, "M": 3}.get(kind, 0)
    table = {"S": "JZIHGFEDCBA", "T": "JZIHGFEDCBA", "F": "XWUTRQPNMLK", "G": "XWUTRQPNMLK", "M": "XWUTRQPNJLK"}[kind]
    return table[total % 11] == text[8].upper() or kind == "M"


def hkid(text: str) -> bool:
    """Hong Kong, one or two letters, six digits and a check character."""
    letters = text[:-7]
    values = [36, int(letters, 36)] if len(letters) == 1 else [int(char, 36) for char in letters]
    values += [int(char) for char in text[-7:-1]] + [10 if text[-1].upper() == "A" else int(text[-1])]
    return sum(value * (9 - place) for place, value in enumerate(values)) % 11 == 0


def twid(text: str) -> bool:
    """Taiwanese: the letter stands for two digits."""
    code = 10 + "ABCDEFGHJKLMNPQRSTUVXYWZIO".index(text[0].upper())
    return (code // 10 + code % 10 * 9 + weighted(text[1:], (8, 7, 6, 5, 4, 3, 2, 1, 1))) % 10 == 0


def thai_id(digits: str) -> bool:
    """Thai citizens."""
    return (11 - weighted(digits, tuple(range(13, 1, -1))) % 11) % 10 == int(digits[12])


def id_za(digits: str) -> bool:
    """South African: Luhn and a real birth date."""
    return luhn(digits) and 1 <= int(digits[2:4]) <= 12 and 1 <= int(digits[4:6]) <= 31


def teudat_zehut(digits: str) -> bool:
    """Israeli: Luhn over nine digits with the first one single."""
    return luhn(digits) and len(set(digits)) > 2


def ahv(digits: str) -> bool:
    """Swiss: an EAN-13 that begins with 756."""
    return weighted(digits, (1, 3) * 6 + (1,)) % 10 == 0


def svnr_at(digits: str) -> bool:
    """Austrian social insurance: the fourth digit checks the others."""
    return weighted(digits[:3] + digits[4:], (3, 7, 9, 5, 8, 4, 2, 1, 6)) % 11 == int(digits[3])


def rodne_cislo(digits: str) -> bool:
    """Czech and Slovak birth numbers, ten digits: divisible by eleven, with a real month."""
    month = int(digits[2:4]) % 50
    return len(digits) == 9 or (int(digits) % 11 == 0 and (1 <= month <= 12 or 21 <= month <= 32))


def cnp(digits: str) -> bool:
    """Romanian."""
    total = weighted(digits, (2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9)) % 11
    return (1 if total == 10 else total) == int(digits[12])


def egn(digits: str) -> bool:
    """Bulgarian."""
    return weighted(digits, (2, 4, 8, 5, 10, 9, 7, 3, 6)) % 11 % 10 == int(digits[9])


def jmbg(digits: str) -> bool:
    """The countries of former Yugoslavia."""
    check = 11 - weighted(digits, (7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return (0 if check > 9 else check) == int(digits[12])


def isikukood(digits: str) -> bool:
    """Estonian and Lithuanian."""
    total = weighted(digits, (1, 2, 3, 4, 5, 6, 7, 8, 9, 1)) % 11
    if total == 10:
        total = weighted(digits, (3, 4, 5, 6, 7, 8, 9, 1, 2, 3)) % 11 % 10
    return total == int(digits[10])


def pps(text: str) -> bool:
    """Irish: the letter is the weighted sum modulo 23."""
    second = int(text[8], 36) - 9 if len(text) == 9 and text[8].upper() != "W" else 0
    return "WABCDEFGHIJKLMNOPQRSTUV"[(weighted(text, (8, 7, 6, 5, 4, 3, 2)) + second * 9) % 23] == text[7].upper()


def cuit(digits: str) -> bool:
    """Argentine."""
    return (11 - weighted(digits, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11) % 11 == int(digits[10])
