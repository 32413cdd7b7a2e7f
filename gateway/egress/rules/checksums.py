"""Check digits of cards, accounts and identity numbers. Each function takes the characters without separators."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping

from gateway.egress.rules.base import word_list

Check = Callable[[str], bool]


def luhn(digits: str) -> bool:
    """Modulus 10 over alternately doubled digits."""
    total = 0
    for place, char in enumerate(reversed(digits)):
        value = int(char) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def weighted(digits: str, weights: tuple[int, ...]) -> int:
    """The sum of digits times weights."""
    return sum(int(char) * weight for char, weight in zip(digits, weights, strict=False))


def mod97(text: str) -> bool:
    """ISO 7064 mod 97-10, as in an IBAN whose first four characters were moved to its end."""
    return int("".join(str(int(char, 36)) for char in text)) % 97 == 1


def verhoeff(digits: str) -> bool:
    """The dihedral check of Aadhaar numbers."""
    check = 0
    for place, char in enumerate(reversed(digits)):
        check = _times(check, _permuted(int(char), place % 8))
    return check == 0


def _times(left: int, right: int) -> int:
    """The product in the dihedral group of order ten."""
    if left < 5:
        return (left + right) % 5 + (5 if right >= 5 else 0)
    return (left - right) % 5 + (0 if right >= 5 else 5)


def _permuted(digit: int, times: int) -> int:
    for _ in range(times):
        digit = (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)[digit]
    return digit


def mod11_10(digits: str) -> bool:
    """ISO 7064 mod 11,10 (German tax ids, Croatian OIB)."""
    product = 10
    for char in digits[:-1]:
        total = (int(char) + product) % 10 or 10
        product = total * 2 % 11
    return (11 - product) % 10 == int(digits[-1])


def aba(digits: str) -> bool:
    """US routing numbers."""
    return weighted(digits, (3, 7, 1) * 3) % 10 == 0 and digits != "000000000"


def clabe(digits: str) -> bool:
    """Mexican bank accounts."""
    total = sum(int(char) * weight % 10 for char, weight in zip(digits[:17], (3, 7, 1) * 6, strict=False))
    return (10 - total % 10) % 10 == int(digits[17])


def base58check(text: str) -> bool:
    """Bitcoin addresses of the old kinds: the last four bytes check the others."""
    number = 0
    for char in text:
        number = number * 58 + "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".index(char)
    data = number.to_bytes(25, "big")
    return hashlib.sha256(hashlib.sha256(data[:-4]).digest()).digest()[:4] == data[-4:]


def safely(check: Check, text: str) -> bool:
    """The check's answer; no for characters that the scheme does not have."""
    try:
        return check(text)
    except (ValueError, IndexError, KeyError, OverflowError):
        return False


IBAN_LENGTHS: Mapping[str, int] = {
    entry[:2]: int(entry[2:])
    for entry in word_list(
        "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 "
        "EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 "
        "GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 "
        "LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 "
        "MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 "
        "SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 "
        "UA29 VA22 VG24 XK20 YE30 DZ26 MA28 SN28 CI28 CM27 BJ28 BF28 ML28 MG27 MZ25 AO25 CV25"
    )
}
"""Country -> length of an IBAN."""
