"""Words that follow a label without being its value, pass phrases, and program text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gateway.egress.rules.base import word_list

if TYPE_CHECKING:
    from gateway.egress.views import View

WEAK_PLURAL = frozenset(("s", "e", "en", "i", "ı", "em", "y", "u", "s:", "s="))

NOTHING_SAID = frozenset(
    word_list(
        "password passwd passwort passphrase pass pwd pw secret token key apikey api_key user username admin "
        "root postgres mysql login none null nil true "
        "false yes no on off undefined empty blank unset string str text int integer bool boolean varchar char "
        "char[] bytes byte object any optional required "
        "hidden masked disabled enabled default auto inherit bearer basic oauth oauth2 jwt plain hashed "
        "encrypted encrypt value field input type "
        "prompt env vault file stored unknown same missing invalid incorrect wrong expired changed reset "
        "unchanged here below above see only "
        "ask request header cookie query test guest changeme foo bar baz abc todo tbd na not must should may can will is are was has have "
        "and or the a an this that these those it its in at on of for to from by with your my our their his her be been "
        "never always minimum maximum min max length least characters chars field fields manager managers policy "
        "policies reset rotation rotate store stored "
        "authentication auth protected based less prompt file files hash hashes hashing strength generator "
        "number numbers format value values "
        "keepass bitwarden 1password lastpass keychain secrets secretsmanager github gitlab self secretstr"
    )
)

STOP_WORDS = frozenset(
    word_list(
        "a about after all also always an and any are as ask at be because been before being below but by can "
        "cannot change changed characters come config could "
        "defined do does done during either encrypted environment expired expires field file first for forgotten "
        "found from generated get given handled has "
        "hashed have he held hidden how i if in inside into is it its kept known last later least leaked limit "
        "long longer longest lost made managed manager may "
        "might missing more must need needed needs never new next no none not now of off on once one only "
        "optional or other our out over per please policy "
        "printed prompted provided read required reset rotated rotation safe saved secure see sent set shared "
        "should since so some stored strong such than "
        "that the their them then there these they this those through to too true two under unique until unknown "
        "up updated use used using valid value vault "
        "very via was we were what when where whether which who why will with within without would wrong year yes you your "
        "authentication accepted incorrect invalid empty protected different weak enough available cached logged "
        "sensitive masked passed visible redacted wrapped "
        "und oder nicht im in der die das auf bei mit von zu wird wurde gespeichert hinterlegt stored abgelaufen "
        "et ou dans le la les de du des par pour "
        "sur avec est sont pas ne y o en el los las del por para con no se guarda guardada e il lo gli nella nel "
        "per non si conserva no na em da do das dos "
        "met van het een niet bij opgeslagen w na jest nie się przechowywane в на и не по для хранится находится ve ile değil"
    )
)

_CODE = re.compile(
    r"^(?:[A-Za-z_$]+(?:(?:\.|::|->)[A-Za-z_$]+)+$|[A-Za-z_$][\w$.:]*[(\[<{]|\$[\w({]|\{\{|%\(|@\w+\(|!\w+|"
    r"&\w+$|\*\w+|\w+\[|process\.|os\.|env\.|self\.|this\.|"
    r"new |lambda|async|await|len\(|Optional|Union|Annotated|https?://|file://|vault:|arn:|ssm:|op://|"
    r"secretref:|keyring:|projects/|[./~]+/\w)"
)
_TYPE = re.compile(
    r"^(?:Str|Int|Bool|Secret\w*|String|Option|Field|Column|Input|Text|Char|Var|Any|None|Null|True|False|Bytes|Password\w*)\b"
)
_IDENTIFIER = re.compile(r"[a-z][a-z]*(?:_[a-z]+)+|[a-z]+(?:[A-Z][a-z]+)+|[A-Z][A-Z]+(?:_[A-Z0-9]+)+|(?:[A-Z][a-z]+){2,}")
_SECRET_PART = re.compile(r"pass|pwd|secret|token|key|cred|auth|user|env|config|setting|value|input|field|hash|str", re.IGNORECASE)
_WORDS = re.compile(r"[^\W\d_]+(?:['\-][^\W\d_]+)?")
_REST = re.compile(r"[^\n.;:!?()\[\]{}<>=\"`|]{3,120}")


def is_code(text: str, start: int, value: str) -> bool:
    """Whether the unquoted value is program text: a call, a look-up, a type, a variable's name."""
    after = text[start + len(value) : start + len(value) + 3]
    if _CODE.match(value) or (_TYPE.match(value) and not any(map(str.isdigit, value))):
        return True
    if after[:1] in {"(", "["} and re.fullmatch(r"[A-Za-z_][\w.]*", value):
        return True
    return is_name_of_secret(value)


def is_name_of_secret(value: str) -> bool:
    """Whether this is an identifier of the kind that holds a secret: `db_password`, `accessKey`."""
    return _IDENTIFIER.fullmatch(value) is not None and _SECRET_PART.search(value) is not None


def passphrase_end(view: View, start: int) -> int:
    """Where a pass phrase that begins at `start` ends: 3 to 12 plain words, or one plain word that ends the line. 0 when it is prose."""
    rest = _REST.match(view.text, start)
    if not rest:
        return 0
    phrase = re.split(r",| - | for | and | on | to ", rest[0].rstrip(), maxsplit=1)[0].rstrip()
    words = phrase.lower().split()
    if not words or not all(_WORDS.fullmatch(word) for word in words):
        return 0
    if any(word in STOP_WORDS or word in NOTHING_SAID for word in words) or not 1 <= len(words) <= 12:
        return 0
    if len(words) == 1 and (len(words[0]) < 4 or words[0].endswith(("ed", "ing", "able", "ible", "ory", "al"))):
        return 0
    if len(words) == 2 and words[0].endswith(("ed", "ing", "ly")):
        return 0
    return start + len(phrase)
