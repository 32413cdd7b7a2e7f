"""How streets and house numbers stand together in the notations of many countries: the tables of `addresses.py`."""

from __future__ import annotations

import re

from gateway.egress.rules.base import word_list

_CAP = r"[A-ZÀ-ÖØ-ÞĀ-ŽŞİÇĞÖÜ][\wÀ-ž'’.\-]{0,24}"
_NAME = rf"(?:{_CAP}|d[eaiou]s?|del|della|dei|la|le|les|los|las|the|of|von|van|der|den|du|des|al|el|y|e|et|\d{{1,3}}(?:st|nd|rd|th)?)"
_NO = r"\d{1,5}(?:[ \-]?[a-zA-Z](?![a-zA-Z])|[/\-]\d{1,4}[a-zA-Z]?)?"
_EN = (
    r"Street|St|Road|Rd|Avenue|Ave|Av|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Way|Place|Pl|Square|Sq|Terrace|"
    r"Ter|Tce|Close|Crescent|Cres|Highway|Hwy|Parkway|Pkwy|Circle|Cir|"
    r"Row|Mews|Gardens|Gdns|Grove|Hill|Walk|Quay|Trail|Trl|Loop|Alley|Path|Pike|Plaza|Esplanade|Parade|Pde|"
    r"Rise|View|Vale|Wharf|Yard|Green|Crossing|Turnpike|Run|Bend|Heights|"
    r"Marg|Nagar|Colony|Layout|Cross|Main|Broadway|Ridge|Point|Park|Meadow|Meadows|Field|Fields|Common|Commons|Strand|Embankment"
)
_UNIT = (
    r"(?:,? ?(?:Apt|Apartment|Suite|Ste|Unit|Flat|Floor|Fl|Room|Rm|No|Bldg|Building|Block|#|Lot|Level|Level|"
    r"app?t?\.?|étage|piso|puerta|int\.?|interno|Stock|Etage|OG|EG|m\.|lok\.|кв\.?|D:|Daire|"
    r"Kat)\.?:?,? ?#?[\w\-/]{1,6})"
)
_ZIP = (
    r"(?:[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]{2},? \d{5}(?:-\d{4})?|"
    r"(?:[A-Z]{1,2}-)?\d{4,6}(?:-\d{3,4})?(?: ?[A-Z]{2}(?![A-Za-z]))?|\d{2}-\d{3}|\d{3} \d{2}|\d{5}-\d{3}|"
    r"[A-Z]{2,3} \d{4})"
)
_TAIL = (
    rf"(?:{_UNIT}){{0,3}}(?:(?:,| -|\n) ?(?:\d{{1,3}}[ªº°]? ?[A-Za-z]?(?=[,\n])|(?:{_ZIP} )?{_CAP}(?:[ \-](?:{_CAP}|"
    rf"{_ZIP}|d[eaiou]|del|sur|am|upon|la|le|y)){{0,4}}|{_ZIP})(?: {_ZIP})?(?: \({_CAP}\))?){{0,6}}"
)

_FR = (
    r"rue|avenue|av\.|boulevard|bd\.?|boul\.|place|pl\.|impasse|imp\.|allées?|all\.|chemin|ch\.|quai|cours|"
    r"route|rte|square|faubourg|passage|villa|cité|résidence|sentier|"
    r"ruelle|esplanade|montée|traverse|clos|mail|promenade|voie|Rue|Avenue|Boulevard|Place|Impasse|Allée|Chemin|Quai|Route|Square|Cours"
)
SUFFIXES = word_list(
    "straße strasse str. weg allee platz gasse ring damm ufer markt chaussee steig stieg pfad graben zeile "
    "straat laan plein gracht kade dijk singel dreef steenweg lei gatan vägen "
    "gata veien vegen vej gade katu tie polku gränd stræde torget backen stigen allé plads plass plein utca "
    "tér körút út ulice náměstí třída väg gate utcája"
)
_GERMANIC = rf"(?:{'|'.join(re.escape(word) for word in SUFFIXES)})"
_ROMANCE = (
    r"Calle|calle|C/|C\.|Avenida|Avda\.?|Av\.|Paseo|Pº|Plaza|Pza\.?|Carrer|Camino|Carretera|Ronda|Travesía|"
    r"Calzada|Carrera|Cra\.?|Cl\.?|Diagonal|Via|via|Viale|Piazza|P\.zza|Corso|Largo|"
    r"Vicolo|Strada|Str\.|Rua|R\.|Travessa|Praça|Alameda|Estrada|Jirón|Jr\.|Pasaje|Boulevard|Blvd\.?|Glorieta|"
    r"Piazzale|Lungarno|Contrada|Bulevardul|Bd\.|Rambla|Gran Vía|Prolongación"
)
NUMBER_FIRST: tuple[tuple[str, str], ...] = (
    # words of which one must follow, and what is matched at the house number
    (
        _EN,
        rf"\d{{1,5}}(?:[A-Za-z]|-\d{{1,4}}|/\d{{1,3}})?,? (?:(?:N|S|E|W|NE|NW|SE|SW|North|South|East|"
        rf"West)\.? )?(?:{_NAME} ){{1,5}}?(?:{_EN})\b\.?(?: (?:N|S|E|W|NE|NW|SE|SW|North|South|East|West)\b)?{_TAIL}",
    ),
    ("broadway", rf"\d{{1,5}} Broadway{_TAIL}"),
    (
        _FR,
        rf"\d{{1,4}}(?: ?(?:bis|ter|quater|[A-Da-d])(?!\w))?,? (?:{_FR})(?: (?:de la|de l'|du|des|de|d'|la|le|les|"
        rf"l'|au|aux|à|sous|saint|sainte|général|maréchal|docteur|président|{_CAP}|\d{{1,2}}|"
        rf"et)(?:(?<=')\w+)?){{1,7}}{_TAIL}",
    ),
    (
        "ku shi cho machi ken chome tokyo osaka kyoto japan fu",
        r"\d{1,3}(?:-\d{1,4}){1,3},? [A-Z][\w\-]+(?:,? [A-Z][\w\-]+){0,5}(?:,? ?〒?\d{3}-\d{4})?(?:, Japan)?|"
        r"\d{1,2}-chome(?:[ \-]\d{1,3}){0,3},? [A-Z][\w\-]+(?:,? [A-Z][\w\-]+){0,4}",
    ),
)
NUMBER_LAST: tuple[tuple[str, str], ...] = (
    (
        " ".join(SUFFIXES),
        rf"(?<!\w)(?:(?:{_CAP}|Am|An der|An den|Auf der|Auf dem|Im|In der|Unter den|Zum|Zur|Alte|Alter|Neue|Große|"
        rf"Kleine|Lange|van|de|der|den|von|Sint) ?){{0,4}}?(?:[\wÀ-ž\-]{{2,30}}?{_GERMANIC}|[ \-]?(?:Straße|"
        rf"Strasse|Str\.|Weg|Allee|Platz|Gasse|Ring|Damm|Ufer|Markt|Chaussee|Allé|Plads|"
        rf"{_GERMANIC})),? \d{{1,4}} ?(?:[a-zA-Z](?![a-zA-Z])|-\d{{1,4}}|/\d{{1,4}})?\.?{_TAIL}",
    ),
    (
        _ROMANCE,
        rf"(?<!\w)(?:{_ROMANCE}) ?(?:{_NAME} ?){{1,7}}(?:,? ?(?:n\.?º?|nº|núm\.?|número|num\.|No\.?|#|n\.|"
        rf"nr\.?))? ?{_NO}(?:[ \-]\d{{1,3}})?{_TAIL}",
    ),
    (
        "ul ulica ulicy al aleja aleje alei pl plac os osiedle",
        rf"(?<!\w)(?:ul\.|ulica|ulicy|al\.|aleja|aleje|alei|pl\.|plac|os\.|osiedle) ?(?:{_CAP} ?|"
        rf"\d{{1,2}} ?){{1,4}}\d{{1,4}}[a-zA-Z]?(?:/\d{{1,4}}| m\. ?\d{{1,3}})?{_TAIL}",
    ),
    (
        "ул улица улице улицы пр проспект просп пер бульвар вул вулиця вулиці шоссе наб набережная площадь "
        "проспекте переулок переулке пл ш",
        r"(?<!\w)(?:г\. ?[А-Я][а-яё\-]+,? ?)?(?:ул\.?|улиц[аеы]|пр(?:осп)?\.?|пр-т|проспекте?|пер\.?|переулок|"
        r"переулке|б-р|бульваре?|вул\.?|вулиц[яі]|ш\.|шоссе|наб\.?|набережная|пл\.|"
        r"площадь) ?(?:[А-ЯІЇЄҐ0-9][\w\-]{0,30}\.? ?){1,4},? ?(?:д(?:ом)?\.?|"
        r"буд\.?)? ?\d{1,4}[а-яА-Я]?(?:/\d{1,3})?(?:,? ?(?:к(?:орп)?|стр|кв|квартира|оф|"
        r"под)\.? ?\d{1,4}){0,3}(?:,? ?(?:г\.? ?)?[А-ЯІЇ][а-яёії\-]+)?(?:,? ?\d{5,6})?",
    ),
    (
        "mah mahallesi sok sokak sokağı cad caddesi sk cd bulvarı blv",
        r"(?<!\w)(?:[A-ZÇĞİÖŞÜI][\wçğıöşü'.\-]{1,24} ){1,4}(?:Mah(?:\.|allesi)|Sok(?:\.|ak|ağı)|Cad(?:\.|desi)|Sk\.|"
        r"Cd\.|Bulvarı|Blv\.)[^\n.;!?]{0,60}?(?:No ?[:.]? ?|no ?[:.]? ?|, ?|"
        r" )\d{1,4}(?:/\d{1,3})?[A-Za-z]?(?:[ ,]+(?:D(?:aire)?[:.]? ?\d{1,3}|Kat[:.]? ?\d{1,2}|\d{5}|"
        r"[A-ZÇĞİÖŞÜI][\wçğıöşü]+(?:/[A-ZÇĞİÖŞÜI][\wçğıöşü]+)?)){0,5}",
    ),
    (
        "box postfach apartado casilla boîte postale caixa casella skrytka poczt",
        r"(?:P\.? ?O\.? ?Box|Postfach|Apartado(?: de Correos)?|Casilla|Boîte Postale|B\.?P\.|Caixa Postal|"
        r"Casella Postale|skr\. poczt\.|Skrytka pocztowa) ?#?\d{1,6}" + _TAIL,
    ),
    (
        "blk block jalan jl jln lorong soi thanon brgy sector plot flat house đường phố số",
        rf"(?<!\w)(?:Blk|Block|Jalan|Jl\.|Jln\.?|Lorong|Soi|Thanon|Brgy\.?|Sector|Plot|Flat|House|H\.? ?No\.?|"
        rf"Đường|đường|Phố|phố|Số|số) ?(?:No\.? ?)?[\w/\-]{{1,14}},? (?:(?:{_CAP}|\d{{1,4}}(?:st|nd|rd|th)?|No\.?|"
        rf"Kav\.?|[#]\d\d-\d{{1,4}}|of)[ ,]{{0,2}}){{1,10}}(?:{_ZIP})?",
    ),
)
