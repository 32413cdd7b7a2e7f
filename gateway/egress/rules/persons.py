"""Names of people without a language model: after a title, a relation or a label, or with a known given name."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from gateway.egress.rules.base import Finder, word_list
from gateway.egress.rules.first_names import FIRST_NAMES
from gateway.egress.rules.person_scripts import find_in_other_scripts
from gateway.egress.rules.technical_words import TECHNICAL_WORDS
from gateway.egress.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gateway.egress.views import View

_CAP = (
    r"(?:[A-ZÀ-ÖØ-ÞĀ-ŽƠƯŞİÇĞẠ-Ỹ][a-zà-öø-ÿā-žơưışçğạ-ỹ'’]{1,20}(?:[A-Z][a-zà-ž]{1,20})?(?:-[A-ZÀ-Ž][a-zà-ž]"
    r"{1,20}){0,2}|O['’][A-Z][a-z]{2,20}|[A-Z]\.)"
)
_PARTICLE = r"(?:de|de la|del|della|di|da|dos|das|do|van|van der|van den|van de|von|von der|zu|ten|ter|bin|ibn|al|el|la|le|du|des|y|af|av)"
_RELATIONS = (
    r"manager|boss|supervisor|lead|colleague|coworker|co-worker|teammate|wife|husband|spouse|partner|"
    r"fianc[ée]e?|girlfriend|boyfriend|son|daughter|child|brother|sister|mother|father|mom|mum|dad|uncle|aunt|"
    r"cousin|nephew|niece|grandmother|grandfather|friend|doctor|dentist|therapist|lawyer|landlord|neighbou?r|"
    r"accountant|client|customer|contact|assignee|reviewer|author|owner|employee|patient|tenant|"
    r"candidate|intern|mentor|teacher|student|roommate|cto|ceo|cfo|founder|contractor|recruiter|full name|"
    r"first name|last name|surname|maiden name|emergency contact|"
    r"chef|chefin|kollege|kollegin|kunde|kundin|ehefrau|ehemann|mann|frau|tochter|sohn|bruder|schwester|"
    r"mutter|vater|vermieter|arzt|ärztin|ansprechpartner|ansprechpartnerin|freund|freundin|nachbar|"
    r"collègue|épouse|mari|femme|fille|fils|frère|sœur|mère|père|médecin|cliente?|patronne?|jefe|jefa|esposa|"
    r"esposo|marido|hija|hijo|hermano|hermana|madre|padre|médico|compañer[oa]|vecin[oa]|"
    r"capo|collega|moglie|marito|figlia|figlio|fratello|sorella|medico|chefe|colega|filha|filho|irmão|irmã|"
    r"mãe|pai|baas|vrouw|dochter|zoon|broer|zus|moeder|vader|huisarts|szef|szefowa|żona|mąż|córka|syn|brat|"
    r"siostra|lekarz|"
    r"müdürüm|eşim|kızım|oğlum|chefen|fru|dotter|bror|syster"
)
_TITLES = frozenset(
    word_list(
        "Mr Mrs Ms Miss Mx Dr Prof Professor Sir Dame Lord Lady Rev Capt Sgt Lt Col Gen Judge Senator Herr Herrn Frau Hr Fr Mme Mlle "
        "Madame Monsieur M Sr Sra Srta Señor Señora Don Doña Sig Sig.ra Signor Signora Dott Dott.ssa Ing Avv Senhor Senhora Dona "
        "Meneer Mevrouw Dhr Mevr Pan Pani Pana Sayın Bay Bayan"
    )
)
_RELATED = re.compile(
    rf"(?<![\w.])(?:{_RELATIONS})(?: (?:at|for|of|on|in|for the)(?: [\w\-]{{2,24}}){{1,4}}?)?"
    r"(?: ?(?:is called|is named|named|called|name is|'s name is|is|was|heißt|heisst|ist|s'appelle|est|"
    r"se llama|es|si chiama|è|se chama|é|chama-se|heet|to|nazywa się|ma na imię|adı|heter|er|är|:|,|=|-|"
    r"->)){0,2} {1,2}$",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    r"(?<![\w.])(?:(?:full |first |last |user |customer |patient |client |employee |contact |legal |"
    r"real )?name|i am|i'm|this is|call me|spoke (?:to|with)|talk(?:ed|ing)? (?:to|with)|met with|"
    r"meet(?:ing)? with|reach|contact|ask|email|cc|from|"
    r"regards,|best,|cheers,|sincerely,|signed,?|assigned to|reported by|written by|authored by|approved by|"
    r"reviewed by|managed by|owned by|pair(?:ed|ing)? with|works? with|reports? to|signed-off-by:|"
    r"co-authored-by:|author:|attn:?|dear|hi|hello|owner:|assignee:|reviewer:|on-call:|"
    r"ich heiße|ich heisse|mein name ist|ich bin|je m'appelle|mon nom est|nom|prénom|me llamo|mi nombre es|"
    r"soy|nombre|mi chiamo|il mio nome è|nome|chamo-me|meu nome é|me chamo|ik heet|mijn naam is|naam|"
    r"nazywam się|mam na imię|imię|"
    r"adım|benim adım|ismim|jag heter|jeg heter|jeg hedder|namn|navn|jmenuji se|jméno|nevem|numele meu este|"
    r"married to|interviewed|hired|called|named|and|with|by|customer|klient|kunde|mit|avec|con|com|met)"
    r"(?: is| ist| est)?[\"']? ?[:=]?[ \"']{1,2}$",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r" ?(?:<[\w.+\-]+@|\([\w.+\-]+@|,? (?:born|née?|geboren|nacid[oa]|nat[oa])\b|'s (?:phone|email|address|"
    r"birthday|mobile|number|wife|husband|salary|passport))"
)
_CAPITALS = re.compile(rf"(?<![\w@/.\-]){_CAP}(?: (?:{_PARTICLE} )?(?:al-|Al-|el-|El-|d'|D')?{_CAP}){{0,4}}(?![\w(@]|\.\w|://)")
_WEAK_LABELS = frozenset(word_list("and with by from ask email contact reach hi hello dear cc customer mit avec con com met named called"))
_NOT_NAME = frozenset(
    word_list(
        "the a an and or but if is are was were be been this that these those it its he she they we you i my our "
        "your his her their user users memory note notes please always never use used using "
        "monday tuesday wednesday thursday friday saturday sunday january february march april june july august "
        "september october november december "
        "north south east west new old street road avenue lane drive court city county state university college "
        "school hospital bank company inc ltd gmbh llc corp group team department project "
        "street api key token password server database python java english german french spanish italian "
        "portuguese russian chinese japanese korean arabic hindi turkish polish dutch "
        "period metrics style mode method effect law laws theorem principle rule rules pattern patterns equation "
        "algorithm distribution function curve test tests set sets day days week month award prize medal book "
        "books "
        "edition foundation institute library framework engine browser driver drivers cup league club bridge "
        "airport station park hall building tower island lake river mountain hills beach valley alert alerts "
        "manager director engineer developer lead senior junior chief officer head hello hi dear regards thanks "
        "yes no not none all any some in on at to for from with by of as per "
        "earlier said remember customer reach email phone call contact meeting version release code data build "
        "deploy service services system systems center centre office"
    )
)


def find_persons(view: View) -> Iterator[Span]:
    """PERSON spans."""
    for found in _CAPITALS.finditer(view.text):
        span = _person(view, found)
        if span:
            yield span
    if not view.plain:
        yield from find_in_other_scripts(view)


def _person(view: View, found: re.Match[str]) -> Span | None:
    """The name in a run of capital words, when something around it or inside says that it is one."""
    text, start = view.text, found.start()
    words = found[0].split(" ")
    if len(words) == 1 and (start < 2 or text[start - 1] == "\n" or text[start - 2] in "!?"):
        return None  # one word at the beginning of a sentence
    before = text[max(0, start - 56) : start]
    previous = (before.rsplit(None, 1) or [""])[-1]
    if previous.rstrip(".") in _TITLES:
        return trimmed_name(found[0], found.start())
    given = next((place for place, word in enumerate(words[:-1]) if word.lower().split("-")[0] in FIRST_NAMES), None)
    if given is not None:
        span = trimmed_name(" ".join(words[given:]), found.start() + sum(len(word) + 1 for word in words[:given]))
        if span and " " in view.text[span.start : span.end]:
            return span
    if previous[-1:] in {":", "=", ",", "-", ">", '"'} or previous.lower() in _cue_words():
        return _introduced(found, before)
    return trimmed_name(found[0], found.start()) if len(words) > 1 and _BEHIND.match(view.text, found.end()) else None


def _introduced(found: re.Match[str], before: str) -> Span | None:
    """After a relation even one word is a name; after a label it takes two, or a known given name."""
    span = trimmed_name(found[0], found.start())
    if not span:
        return None
    name = found[0][span.start - found.start() : span.end - found.start()]
    if _RELATED.search(before) and (" " in name or name.lower() in FIRST_NAMES or not before.rstrip().endswith((",", "-", "="))):
        return span
    label = _LABELLED.search(before)
    weak = label is not None and label[0].strip(" :='\"").lower() in _WEAK_LABELS
    full = " " in name and not weak
    return span if label and (full or name.split()[0].lower().split("-")[0] in FIRST_NAMES) else None


@lru_cache(maxsize=1)
def _cue_words() -> frozenset[str]:
    """Words of which one must stand right before, or the two expressions are not even tried."""
    relations = re.sub(r"fianc\[ée\]e\?|neighbou\?r|compañer\[oa\]|vecin\[oa\]|\?|\|", " ", _RELATIONS).split()
    return frozenset(
        (*relations, *_VERBS.split(), "fiancé", "fiancée", "neighbor", "neighbour", "compañero", "compañera", "vecino", "client", "patron")
    )


_VERBS = (
    "is was named called heißt heisst ist s'appelle m'appelle est llama llamo es chiama chiamo mi è é chama "
    "heet to się adı heter hedder er är name nom nombre nome naam imię namn navn jméno "
    "am i'm bin me with by from and contact reach ask email cc dear hi hello soy named met interviewed hired "
    "mit avec con com attn attn. customer klient kunde regards best cheers"
)


def trimmed_name(text: str, start: int) -> Span | None:
    """The name without words around it that are none; None when nothing is left that could be a name."""
    words = [(word.group(), word.start()) for word in re.finditer(r"\S+", text)]
    while words and _no_name(words[0][0]):
        words.pop(0)
    for place, (word, _) in enumerate(words):
        if _no_name(word) and not re.fullmatch(rf"{_PARTICLE}|[A-Z]\.", word):
            words = words[:place]
            break
    if not words or not any(len(word) > 2 for word, _ in words):
        return None
    end = words[-1][1] + len(re.sub(r"['’]s?$", "", words[-1][0]))
    return Span(start + words[0][1], start + end, "PERSON", 0.7)


def _no_name(word: str) -> bool:
    low = re.sub(r"['’]s?$", "", word.lower()).strip(".,")
    return low in _NOT_NAME or low in TECHNICAL_WORDS


PERSONS = Finder(("PERSON",), find_persons, exact=False)
