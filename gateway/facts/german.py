"""How German speakers tell, ask and request."""

from __future__ import annotations

from typing import Final

from gateway.facts.language import CONSTRAINTS, DECISIONS, FACTS, PREFERENCES, Language, anywhere, joints, starts, words

_LEAD = r"(?:(?:und|aber|also|auch|ach|naja|da|weil|denn|übrigens|außerdem|ja|nein|eigentlich|nun),? ){0,2}"
_PLEASE = r"(?:(?:bitte|und|auch|also|aber|dann|mal) ){0,2}"
_MINE = r"(?:mein|meine|meiner|meinem|meinen|meines|unser|unsere|unserer|unserem|unseren|unseres)"
_KIN = (
    r"mutter|mama|vater|papa|eltern|schwester|bruder|geschwister|frau|mann|partner(?:in)?|freund(?:in)?|sohn|tochter|kind(?:er)?|oma|opa|"
    r"großmutter|großvater|tante|onkel|cousine?|nichte|neffe|chef(?:in)?|kolleg(?:e|in|en)|nachbar(?:in)?|hund|katze|kater|hündin|pferd|"
    r"papagei(?:en)?|haustier|team|firma|arbeitgeber|vermieter|arzt|ärztin"
)
_VERB = (
    r"(?:schreib|erklär|gib|zeig|nenn(?!e? mich)|erstell|mach|hilf|übersetz|fass|sag|erzähl|beschreib|vergleich|empfiehl|empfehl|such|"
    r"find|prüf|überprüf|"
    r"generier|berechn|rechn|korrigier|verbesser|analysier|formulier|entwirf|plan|lies|beantworte|antworte|lösche?|füg|änder|liste|zähl|"
    r"überarbeit|kürz|schlag|bau|sortier|konvertier|stell|implementier|optimier|ergänz|bring|lass|denk dir|nimm an|stell dir vor|"
    r"unterhalte?|führ|bereite|setz|programmier|zitier|reim|dicht|nimm|schick|wandel|wandle|definier|entwickl|skizzier)"
    r"(?:e|t|en sie|le|re)?"
)

GERMAN: Final = Language(
    code="de",
    common=words(
        """niemals nie stets mag hallo danke guten heiße heisse habe wohne gerne         ich du er sie es wir ihr mich mir mein
        meine meiner meinem meinen dich dir dein deine sich uns unser unsere euch euer ihn ihm ihnen         ihre ihrer ihren
        ihrem der die das den dem des ein eine einer eines einem einen kein keine keinen und oder aber denn weil dass daß ob
        wenn als wie was wer wo wann warum in im an am auf aus bei beim bis durch für gegen mit nach ohne über um unter von vom
        vor zu zum zur         zwischen seit ist bin bist sind seid war waren wird werden wurde hat habe haben hatte hatten kann
        können könnte muss müssen soll         sollen sollte will wollen möchte darf dürfen nicht nur auch noch schon sehr so da
        dort hier ja nein doch mal dann man alle alles bitte         diese dieser dieses diesem diesen jetzt immer"""
    ),
    pleasantry=starts(
        r"(?:hallo|hi|hey|moin|servus|grüezi|guten (?:morgen|tag|abend)|gute nacht|liebe grüße|viele grüße|grüß \w+)(?: zusammen|"
        r" \w+)?\s*$",
        r"(?:(?:danke|dankeschön|vielen dank|besten dank|super|toll|prima|perfekt|ok|okay|gut|klar|genau|ja|nein|alles klar|bitte|"
        r"sehr|schön|"
        r"klasse|cool|wunderbar|stimmt|tschüss|ach so|achso|gerne|gern|entschuldigung|sorry|na gut|vielmals|dir|ihnen|im voraus|"
        r"übrigens|weißt du noch|das passt|das funktioniert|hm+|oh|ach|mal)[\s!.,]*)+$",
        r"(?:danke|vielen dank|besten dank|herzlichen dank|entschuldigung|sorry) (?:für|dass|euch|nochmal|wegen)",
        r"ich (?:hoffe|habe (?:noch )?(?:eine|mal eine|ein paar|zwei|kurz eine)(?: \w+)? fragen?|hätte (?:da )?(?:mal )?eine)|"
        r"(?:kurze|eine|noch eine|meine)(?: \w+)? frage",
        r"wie geht(?: es|'s|s) (?:dir|ihnen|euch)|ich verstehe\s*$|das (?:ist|war|klingt|sieht) (?:sehr )?(?:gut|toll|super|perfekt|"
        r"richtig|falsch|hilfreich|alles|nett|schön)",
    ),
    question=starts(
        _LEAD + r"(?:was|wer|wen|wem|wo|wohin|woher|wann|warum|wieso|weshalb|wie|welche[rsmn]?|womit|wofür|worüber|wodurch|worin|woran)"
        r"(?: (?:ist|sind|war|waren|kann|kannst|könnte|könnten|können|soll|sollte|sollten|muss|müsste|macht|mache|heißt|bedeutet|geht|"
        r"gibt|hat|haben|würde|würdest|wird|werden|"
        r"viele?|lange|oft|teuer|funktioniert|meinst|denkst|empfiehlst|hältst|darf|passt|\w+(?:t|e|en|st) (?:ich|man|du|wir|sie|es|"
        r"der|die|das))\b|\s*$| für )",
        _LEAD + r"(?:welche[rsmn]?|wie (?:viel|viele|lange|oft|weit|groß|alt)) \w+",
        _LEAD + r"(?:ist|sind|war|waren|kann|könnte|können|soll|sollte|muss|hat|habe|haben|gibt|darf|wird|werden|macht|geht|würde|"
        r"hast|bist|weißt|kennst|meinst|willst) (?:ich|du|er|sie|es|wir|ihr|man|das|der|die|den|ein|eine|mein|meine|dein|deine|"
        r"jemand)\b",
        r"ich (?:frage mich|bin (?:mir )?(?:nicht sicher|unsicher)|weiß nicht(?:,| (?:wie|was|ob|wo|warum|mehr))|verstehe (?:nicht|"
        r"das nicht)|würde gerne? (?:wissen|verstehen)|wüsste gerne?|möchte (?:gerne? )?(?:wissen|verstehen))",
    ),
    request=starts(
        _PLEASE + _VERB,
        r"bitte|(?:kannst|könntest|würdest|magst) du|(?:können|könnten|würden) sie|ich (?:brauche|möchte|hätte gerne?|will|suche|"
        r"benötige) (?:bitte )?(?:nur )?(?:eine?n? )?(?:\w+ )?"
        r"(?:funktion|skript|programm|code|liste|e-?mail|brief|gedicht|text|rezept|zusammenfassung|erklärung|beispiele?|abfrage|"
        r"übersetzung|tabelle|ideen?|tipps?|rat|vorschläge?|hilfe|auskunft|antwort|empfehlung(?:en)?)",
        r"ich (?:möchte|will|hätte gerne?|brauche|würde gerne?),? dass du|du bist (?:ein|eine|der|die|jetzt)\b|hier (?:ist|"
        r"sind) (?:der|die|das|mein|meine|ein|eine) (?:code|log|fehler\w*|text|e-?mail|artikel|ausgabe|datei)",
    ),
    request_inside=starts(
        rf"bitte\b|(?:und |dann |also )*{_VERB} (?:mir|uns|bitte|mal|eine?n?|das|den|die|dies\w*|mich|es|was|wie|alle)",
        r"(?:und |also )?(?:kannst|könntest|würdest) du|(?:und )?(?:können|könnten) sie",
    ),
    statement=starts(
        _LEAD + r"(?:ich|wir) (?!oder\b|und\b)\w+",
        rf"{_LEAD}{_MINE} (?!oder\b|und\b)(?:[\w-]+ ){{1,5}}(?:ist|sind|war|waren|hat|haben|hatte|heißt|heissen|heißen|wohnt|lebt|"
        rf"arbeitet|studiert|kommt|wird|kann|muss|darf|will|mag|liegt|läuft|\w+t|\w+en)",
        _LEAD + r"(?:es gibt|da ist|er|sie|das|dies|der \w+|die \w+) (?!oder\b|und\b)(?:ist|sind|war|hat|haben|wird|läuft|liegt|"
        r"kostet|funktioniert|geht|startet|heißt|gehört)",
        rf"{_MINE} (?:\w+ )?(?:{_KIN})(?: \w+|, (?:der|die|das))",
        r"korrektur\b|(?:nein|quatsch) ich meinte",
    ),
    subordinate=starts(
        r"(?:wenn|falls|ob|als|während|bevor|nachdem|sobald|bis|in|im|an|am|auf|für|mit|ohne|über|bei|beim|von|vom|zu|zum|zur|nach|"
        r"aus|wie|was|wo|"
        r"welche\w*|angenommen|ausgehend|nicht|und|oder|dass|um|der|die|das|den|dem|frage)"
    ),
    joint=joints(
        rf"(?={_MINE} (?:\w+ )?(?:{_KIN}), (?:der|die|das) )",
        r"(?:weil|denn|aber|und|da|deshalb|daher) (?=ich \w|wir \w|mein\w* \w|unser\w* \w|kannst du\b|bitte\b)",
    ),
    instruction=starts(
        _PLEASE + r"(?:immer|niemals|nie|nie wieder)(?! wieder| mehr| noch) \w+",
        r"[^;:]{0,120}\b(?:ab jetzt|ab sofort|von nun an|ab heute|künftig|zukünftig|in zukunft|von jetzt an|fortan)",
        _PLEASE + r"(?:merke? dir|denke? (?:bitte )?(?:immer )?daran|vergiss (?:bitte )?(?:nicht|nie)|notiere? dir|"
        r"behalte? (?:bitte )?im (?:kopf|hinterkopf|gedächtnis)|beachte|merken sie sich|erinnere? dich (?:bitte )?(?:daran|immer))",
        _PLEASE + r"(?:verwende?|benutze?|nutze?|schreibe?|antworte?|sprich|rede|nenne?|sag|gib|zeige?|füge?|mache?|erkläre?|"
        r"formuliere|verwenden sie|benutzen sie|antworten sie|schreiben sie)(?: [\w-]+){0,5} (?:immer|nie|niemals|nicht|keine?n?|"
        r"grundsätzlich|stets|nur noch)\b",
        _PLEASE + r"(?:antworte|antworten sie|sprich|schreib|schreibe)(?: mir| mit mir| bitte| immer| nur)* (?:auf|in) (?:deutsch|"
        r"englisch|französisch|spanisch|\w+isch|einfacher sprache)(?! \w+ \w+)|(?:halte?|fasse?) (?:deine|die|"
        r"dich)(?: \w+)? (?:antworten )?kurz",
        r"(?:wenn|jedes ?mal wenn|immer wenn|sooft) ich [^,]{1,80}(?:frage|schreibe|sage|bitte|schicke|erwähne),|du (?:sollst|musst|"
        r"darfst|solltest) (?:[\w]+ )?(?:immer|nie|niemals|nur|nicht|keine?n?)\b",
        r"(?:es ist )?mir (?:ist )?wichtig,? dass du|"
        r"ich (?:möchte|will|hätte gerne?|wünsche mir),? dass du (?:[\w-]+ ){0,3}(?:immer|nie|niemals|nicht|keine?|stets)\b|duze mich|"
        r"sieze mich|(?:regel|hinweis|wichtig|merke): \w+",
        r"(?:kannst|könntest) du (?:bitte )?(?:ab jetzt|immer|nie|künftig|dir merken)",
    ),
    rules=(
        (
            CONSTRAINTS,
            anywhere(
                r"darf(?:st)? (?:\w+ ){0,4}(?:nicht|keine?n?|nur)|dürfen (?:\w+ ){0,4}(?:nicht|keine?n?|nur)|nicht erlaubt|verboten|"
                r"untersagt|allergi\w+|\w*unverträglich\w*|\w*intoleran\w+|diabetiker(?:in)?|zöliakie",
                r"\w*budget|deadline|frist|abgabetermin|spätestens|höchstens|maximal|mindestens|nicht mehr als|bis zu \d+|"
                r"begrenzt auf|beschränkt auf|pflicht|vorgeschrieben|vorgabe|zwingend",
                r"(?:ich|wir) (?:kann|können|vertrage|vertragen) (?:\w+ ){0,3}(?:nicht|keine?n?) (?!verstehen|finden|sehen|erkennen|"
                r"glauben|sagen|erinnern)\w+|(?:ich|wir|er|sie|es|das|\w+) (?:muss|müssen) (?!ich\b|wir\b|man\b|sagen|zugeben)\w+|"
                r"(?:ich|wir) (?:habe|haben) nur",
            ),
        ),
        (
            DECISIONS,
            anywhere(
                r"entschieden|entschied(?:en)? (?:uns|mich)|entschlossen|beschlossen|entscheidung|geeinigt|einigten uns|festgelegt|"
                r"(?:ich|wir) (?:nehmen?|bleiben? bei|setzen? (?:auf|jetzt)|wechseln?|wechselten|steigen? (?:auf|um)|"
                r"werden? (?:\w+ ){0,4}(?:verwenden|nutzen|benutzen|nehmen|umsteigen|wechseln|einsetzen|behalten|verschieben))",
                r"umgestiegen|umgestellt|gewechselt|migriert|ausgewählt|(?:habe|haben) (?:\w+ ){0,4}(?:gewählt|verworfen|ersetzt|"
                r"abgelöst)|lass uns (?:\w+ ){0,3}(?:nehmen|verwenden|bleiben)",
            ),
        ),
        (
            PREFERENCES,
            anywhere(
                r"bevorzug\w+|vorzieh\w+|ziehe? (?:\w+ ){1,6}vor|lieblings\w*|am liebsten|lieber|(?:ich|wir|er|sie|"
                r"und) (?:\w+ )?(?:mag|mögen|liebe|lieben|hasse|hassen|genieße)|mag (?:ich|keine?n?|gern|er|sie)|liebe ich|hasse ich|"
                r"gefällt mir|gefallen mir|schmeckt mir|stehe? (?:\w+ )?auf|fan von|(?:ich|wir) (?:\w+ ){1,4}(?:gerne?|"
                r"ungerne?)(?! (?:wissen|verstehen|eine?n?))|begeistert von|kann (?:\w+ )?(?:\w+ )?nicht (?:leiden|ausstehen)|"
                r"abneigung|vorliebe",
            ),
        ),
        (
            FACTS,
            anywhere(
                rf"{_MINE} (?:[\w-]+ ){{0,2}}(?:\w*(?:{_KIN}))|(?:ich|wir) (?:heißen?|heisse|wohnen?|leben?|arbeiten?|studieren?|"
                rf"studiere|lerne|komme|kommen|stamme|bin|sind|war|waren|spiele|spielen|spreche|sprechen|besitze|besitzen|fahre|fahren|"
                rf"halte|halten|züchte|nutzen?|benutzen?|verwenden?|unterrichte|leite|trainiere|koche|backe|sammle|trage|trinke|esse|"
                rf"essen|rauche|zog|zogen|wuchs|kaufte|lebte|wohnte|arbeitete|studierte|betreibe|betreiben|programmiere|entwickle|"
                rf"entwickeln|hosten?|baue|bauen|schreibe|plane|planen|reise|reisen|fliege|fliegen|ziehe|ziehen|verdiene|jogge|laufe|"
                rf"schwimme|singe|male|heirate|heiraten|hatte|hatten|leide|wiege)",
                r"(?:ich|wir) (?:hab|habe|haben) (?!(?:noch |mal |kurz )*(?:eine )?frage|ein problem|keine ahnung|"
                r"nicht verstanden)\w+|(?:wohne|lebe|arbeite|bin|habe|studiere|nutze|benutze|verwende|spiele|komme|fahre|fliege|ziehe|"
                r"war|heiße) ich|(?:arbeiten|nutzen|verwenden|haben|leben|wohnen|fliegen|ziehen|sind|waren) wir",
                rf"{_MINE} (?:[\w-]+ ){{1,4}}(?:ist|sind|war|waren|hat|haben|heißt|heißen|wohnt|lebt|arbeitet|läuft|beginnt|findet|"
                rf"lautet|liegt|wird|steht|kommt|geht|nutzt|verwendet|\w+t)|nenn(?:t)? mich|jahre alt|geboren|aufgewachsen|verheiratet|"
                rf"geschieden|(?:mir|uns) gehör\w+",
                r"(?:das|unser|der|die|dieses) (?:[\w-]+ ){0,2}(?:projekt|app|anwendung|repo|dienst|api|codebasis|code|team|firma|"
                r"webseite|backend|frontend|datenbank|server|cluster|meeting|flug|hochzeit|prüfung|termin|release|büro|schule) (?:ist|"
                r"sind|war|hat|nutzt|verwendet|läuft|liegt|beginnt|findet|wird|heißt)|geschrieben in|läuft auf|korrektur|ich meinte|"
                r"nicht mehr|sondern",
                r"als \w+(?: \w+)? (?:bin ich|habe ich|arbeite ich|esse ich)",
            ),
        ),
    ),
)
