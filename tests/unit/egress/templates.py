"""Makes fake values at run time, so that no file here holds anything that looks like a credential.

A template marks the value that must not leave with ⟦ and ⟧; inside, `{A32}` stands for 32 letters and digits, `{h40}` hexadecimal, `{U20}`
capitals and digits, `{l16}` lower case and digits, `{d9}` digits, `{w22}` letters, digits, `_` and `-`, `{b40}` base64, `{uuid}` a UUID.
"""

from __future__ import annotations

import random
import re
import string
import uuid

ALPHABETS = {
    "A": string.ascii_letters + string.digits,
    "h": "0123456789abcdef",
    "U": string.ascii_uppercase + string.digits,
    "2": string.ascii_uppercase + "234567",
    "l": string.ascii_lowercase + string.digits,
    "d": string.digits,
    "w": string.ascii_letters + string.digits + "_-",
    "b": string.ascii_letters + string.digits + "+/",
}


def filled(template: str, seed: int = 1) -> tuple[str, list[tuple[int, int]]]:
    """The text of a template, and where its marked values lie."""
    chance = random.Random(f"{seed}{template}")

    def value(found: re.Match[str]) -> str:
        if found[0] == "{uuid}":
            return str(uuid.UUID(int=chance.getrandbits(128), version=4))
        alphabet, length = ALPHABETS[found[1]], int(found[2])
        while True:
            text = "".join(chance.choice(alphabet) for _ in range(length))
            if (
                length < 6
                or found[1] == "d"
                or (any(map(str.isdigit, text)) and any(map(str.isalpha, text)) and text[0] not in "-_" and text[-1] not in "-_")
            ):
                return text

    parts = re.split("([⟦⟧])", re.sub(r"\{uuid\}|\{([AhU2ldwb])(\d+)\}", value, template))
    text, places = "", []
    for part in parts:
        if part == "⟦":
            places.append((len(text), len(text)))
        elif part == "⟧":
            places[-1] = (places[-1][0], len(text))
        else:
            text += part
    return text, places


def hidden(text: str, place: tuple[int, int], spans: object) -> bool:
    """Whether at least nine tenths of the letters and digits of a value lie in the spans."""
    chars = [at for at in range(*place) if text[at].isalnum()]
    inside = [at for at in chars if any(span.start <= at < span.end for span in spans)]  # type: ignore[attr-defined]
    return len(inside) >= 0.9 * len(chars)
