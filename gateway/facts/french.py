"""How French speakers tell, ask and request."""

from __future__ import annotations

from typing import Final

from gateway.facts.language import CONSTRAINTS, DECISIONS, FACTS, PREFERENCES, Language, anywhere, joints, starts, words

_LEAD = r"(?:(?:et|mais|donc|aussi|alors|car|puisque|comme|parce que|parce qu'|oui|non|en fait|d'ailleurs|au fait|bon),? ?){0,2}"
_PLEASE = r"(?:(?:s'il te plaît|s'il vous plaît|stp|svp|et|aussi|mais|donc|puis|alors|merci de),? ){0,2}"
_I = r"(?:je |j'|nous |on )(?:ne |n'|me |m'|nous |y |en |l'|les |la |le )*"
_MINE = r"(?:mon|ma|mes|notre|nos)"
_KIN = (
    r"mère|maman|père|papa|parents|sœur|soeur|frère|femme|mari|épouse|époux|copain|copine|compagn(?:e|on)|conjointe?|fils|fille|"
    r"enfants?|bébé|"
    r"grand-mère|grand-père|tante|oncle|cousine?|nièce|neveu|amie?s?|colocataire|voisine?|chef|patronn?e?|collègues?|équipe|chiens?|"
    r"chienne|chatt?e?s?|"
    r"perroquets?|cheval|lapin|médecin|entreprise|employeur|proprio|propriétaire"
)
_VERB = (
    r"(?:écri[st]|écrivez|expliqu(?:e|ez)|donn(?:e|ez)|montr(?:e|ez)|fais|faites|cré(?:e|ez)|génèr(?:e|ez)|générez|tradui[st]|traduisez|"
    r"résum(?:e|ez)|aid(?:e|ez)|di[st]|dites|list(?:e|ez)|décri[st]|décrivez|compar(?:e|ez)|suggèr(?:e|ez)|recommand(?:e|ez)|"
    r"conseill(?:e|ez)|"
    r"propos(?:e|ez)|trouv(?:e|ez)|cherch(?:e|ez)|vérifi(?:e|ez)|corrig(?:e|ez)|amélior(?:e|ez)|calcul(?:e|ez)|rédig(?:e|ez)|"
    r"reformul(?:e|ez)|"
    r"analys(?:e|ez)|convert(?:is|issez)|raccourc(?:is|issez)|complèt(?:e|ez)|continu(?:e|ez)|ajout(?:e|ez)|supprim(?:e|ez)|"
    r"racont(?:e|ez)|"
    r"implément(?:e|ez)|optimis(?:e|ez)|planifi(?:e|ez)|cit(?:e|ez)|nomm(?:e|ez)|imagin(?:e|ez)|prépar(?:e|ez)|répond(?:s|ez)|"
    r"construi[st])(?:-(?:moi|nous|le|la|les))?"
)

FRENCH: Final = Language(
    code="fr",
    common=words(
        """toujours bonjour salut merci bonsoir m'appelle j'habite j'aime j'utilise         je j'ai tu il elle on nous vous ils
        elles me te se moi toi lui leur leurs mon ma mes ton ta tes son sa ses notre nos votre vos le la         les l un une
        des du de d' au aux et ou mais donc car ni que qui quoi dont où si quand comme comment pourquoi ce cet cette ces c'est
        ça         cela est suis es sommes êtes sont était étais été être ai as a avons avez ont avait avoir ne pas plus jamais
        rien en y dans sur sous         avec sans pour par vers chez entre depuis pendant très trop aussi bien tout tous toute
        toutes même déjà encore ici là oui non peu fait         faire peux peut veux veut dois doit qu'il qu'elle n'est s'il
        d'un d'une"""
    ),
    pleasantry=starts(
        r"(?:bonjour|bonsoir|salut|coucou|bonne (?:journée|soirée|nuit)|hello|allô)(?: à tous| tout le monde| \w+)?\s*$",
        r"(?:(?:merci|merci beaucoup|merci bien|super|parfait|génial|ok|okay|d'accord|oui|non|très bien|bien|bien sûr|exactement|cool|"
        r"top|"
        r"s'il te plaît|s'il vous plaît|stp|svp|désolée?|pardon|au revoir|à bientôt|beaucoup|d'avance|encore|excellent|bravo|au fait|"
        r"tu te souviens|ça marche|entendu|ah|oh|hm+|alors|donc|mille fois)[\s!.,]*)+$",
        r"merci (?:pour|de|d'|encore|à)|désolée? (?:pour|de)|(?:j'ai|j'aurais) (?:juste )?(?:une|deux|quelques|encore une|"
        r"d'autres)(?: \w+)? questions?|(?:petite |autre |une |ma )?question\s*$|question rapide",
        r"j'espère|comment (?:ça va|vas-tu|allez-vous)|ça va\s*$|je (?:vois|comprends)\s*$|(?:c'est|c'était) (?:très |"
        r"vraiment )?(?:bien|bon|super|parfait|génial|utile|gentil|tout|ça|faux|noté)\b",
    ),
    question=starts(
        _LEAD + r"(?:qu'est-ce qu|est-ce qu|qui est-ce|quel(?:le)?s?|comment|pourquoi|combien|qu'en|que (?:penses|faire|veut|signifie|"
        r"dois|puis|peut|me|fait)|qui (?:est|a|sont|peut)|où (?:est|sont|se|puis|peut|en)|quand (?:est|sont|a lieu|faut|dois)|à quoi|"
        r"de quoi|lequel|laquelle)[\w'-]*",
        _LEAD + r"(?:peut|puis|dois|doit|faut|sais|avez|as|es|êtes|est|y a-t|a-t|peux|pouvez|veux|pourrait|devrais)-(?:on|je|il|elle|"
        r"tu|vous|nous|t-il|ce|il)\b",
        r"je (?:me demande|ne sais pas (?:comment|quoi|si|où|pourquoi|ce|quel\w*)|ne comprends pas|ne suis pas sûre?|voudrais savoir|"
        r"veux savoir|voudrais comprendre|cherche à (?:savoir|comprendre))|j'aimerais (?:bien )?(?:savoir|comprendre)",
    ),
    request=starts(
        _PLEASE + _VERB,
        r"s'il (?:te|vous) plaît|stp|svp|merci de|(?:peux|pourrais)[- ]tu|(?:pouvez|pourriez)[- ]vous|tu (?:peux|pourrais) (?:me|m'|"
        r"nous)|vous (?:pouvez|pourriez) (?:me|m'|nous)",
        r"(?:j'ai besoin d(?:e |'|es )|il me faut|il me faudrait|je (?:voudrais|veux|cherche|souhaite)|j'aimerais) ?(?:que tu|"
        r"que vous|(?:une? |des |ton |votre |d'une? )?(?:\w+ )?(?:fonction|script|programme|code|liste|e-?mail|mail|lettre|poème|"
        r"texte|recette|résumé|explication|exemples?|requête|traduction|tableau|idées?|conseils?|avis|suggestions?|aide|informations?|"
        r"réponse))",
        r"tu es (?:un|une|le|la|maintenant)\b|voici (?:le|la|les|mon|ma|mes|un|une) (?:code|log|logs|erreur|texte|e-?mail|mail|"
        r"article|sortie|fichier|message)",
    ),
    request_inside=starts(
        rf"s'il (?:te|vous) plaît|stp\b|(?:et |puis |alors |donc )*{_VERB} ?(?:moi|nous|un|une|le|la|les|des|ce|cette|ça|comment|"
        rf"pourquoi|mon|ma|l')|(?:et |puis |alors )*(?:donne|donnez|explique|expliquez|dis|dites|montre|montrez|aide|aidez|fais|faites|"
        rf"propose|proposez|écris|cite|trouve)-moi",
        r"(?:et |alors )?(?:peux|pourrais)[- ]tu|(?:et )?(?:pouvez|pourriez)[- ]vous|tu (?:peux|pourrais) (?:me|m')",
    ),
    statement=starts(
        rf"{_LEAD}{_I}[\w'-]+",
        rf"{_LEAD}{_MINE} (?!ou\b|et\b)(?:[\w'-]+ ){{1,5}}(?:est|sont|était|a|ont|avait|s'appelle|s'appellent|habite|vit|travaille|"
        rf"étudie|vient|va|sera|peut|doit|veut|aime|déteste|fait|\w+ent|\w+e)",
        rf"{_LEAD}(?:c'est|il y a|il|elle|ils|elles|ça|cela|le \w+|la \w+|les \w+) (?!ou\b|et\b)\w+",
        rf"{_MINE} (?:\w+ )?(?:{_KIN}) (?:\w+ )?(?:qui|dont)",
        r"correction\b|(?:non|pardon) je voulais dire",
    ),
    subordinate=starts(
        r"(?:si|s'il|quand|lorsque|pendant|avant|après|dès|dans|en|à|au|aux|sur|pour|avec|sans|chez|par|vers|selon|comme|comment|que|"
        r"qui|quoi|où|de|du|des|"
        r"concernant|à propos|supposons|imaginons|pas|et|ou|mais pas|étant donné|question)"
    ),
    joint=joints(
        rf"(?={_MINE} (?:\w+ )?(?:{_KIN}) (?:\w+ )?qui )",
        r"(?:parce que|car|mais|et|puisque|donc) (?=je \w|j'\w|nous \w|on \w|mon \w+ \w|ma \w+ \w|mes \w+ \w|peux-tu\b|pouvez-vous\b)|"
        r"parce qu(?='on )",
    ),
    instruction=starts(
        _PLEASE + r"(?:toujours|jamais) \w+|(?:ne|n')(?: me| m'| lui| te)? ?[\w']+(?:-\w+)? (?:jamais|pas|plus)(?: \w+)?(?! (?:sûr|"
        r"sais|comprends))",
        r"[^;:]{0,120}\b(?:à partir de maintenant|désormais|dorénavant|à l'avenir|à partir d'aujourd'hui|dès maintenant)",
        _PLEASE + r"(?:souviens-toi|souvenez-vous|rappelle-toi|rappelez-vous|retiens|retenez|n'oublie(?:z)? (?:pas|jamais)|"
        r"note(?:z)? (?:bien |que|qu')|garde(?:z)? (?:à l'esprit|en tête)|mémorise[rz]?|sache que|sachez que)",
        _PLEASE + r"(?:utilise|utilisez|emploie|employez|réponds|répondez|écris|écrivez|parle|parlez|donne|donnez|mets|mettez|fais|"
        r"faites|explique|expliquez|propose|commence|termine|évite|évitez|vouvoie|tutoie)(?:-\w+)*(?: [\w'-]+){0,4} (?:toujours|"
        r"jamais|systématiquement|par défaut|chaque fois)\b|(?:évite|évitez) (?:de |d'|les |le |la )|tutoie-moi|vouvoie-moi|"
        r"tutoyez-moi",
        _PLEASE + r"(?:réponds|répondez|parle|parlez|écris)(?:-moi)? (?:toujours |uniquement |seulement |moi )?(?:en (?:français|"
        r"anglais|allemand|espagnol|\w+)\s*[.!]?$|brièvement)|garde(?:z)? (?:tes|vos|les) réponses",
        r"(?:quand|chaque fois que|lorsque|si) je (?:te |vous )?(?:demande|dis|écris|pose|envoie|parle)\b[^,]{0,80},|tu (?:dois|"
        r"devrais|peux) (?:toujours|uniquement|seulement)|tu ne (?:dois|devrais) (?:jamais|pas)",
        r"je (?:veux|voudrais|souhaite) que tu (?:[\w'-]+ ){0,4}(?:toujours|jamais|plus)\b|(?:règle|consigne|rappel|important|"
        r"note) ?: \w+|(?:peux|pourrais)-tu (?:toujours|désormais|retenir|ne (?:jamais|plus))",
    ),
    rules=(
        (
            CONSTRAINTS,
            anywhere(
                r"(?:je|on|nous|il|elle|ils|elles)(?: ne| n')? ?(?:peux|peut|pouvons|peuvent|dois|doit|devons|doivent|supporte|digère|"
                r"mange|tolère) (?:pas|plus) (?!comprendre|voir|trouver|croire|dire|sûr)\w+|interdit\w*|pas autorisée?|pas le droit|"
                r"allergi\w+|intoléran\w+|cœliaque|coeliaque|diabétique",
                r"budget|deadline|date limite|échéance|délai|au plus tard|au maximum|maximum|minimum|au moins|au plus|pas plus de|"
                r"jusqu'à \d+|limitée? à|obligatoire|obligation|exigence|contrainte|impérativement|(?:je n'ai|on n'a|nous n'avons) que",
                r"(?:je dois|nous devons|on doit|il faut que|il doit|elle doit|ça doit|\w+ doit|\w+ doivent) (?!dire|avouer|admettre)\w+",
            ),
        ),
        (
            DECISIONS,
            anywhere(
                r"(?:décidé|choisi|opté|tranché|convenu|retenu|arrêté notre choix)|(?:on|nous|je) (?:part(?:ons|s)?|garde|gardons|"
                r"passe|passons|reste|restons) (?:sur|avec|à|chez)|décision|on va (?:utiliser|prendre|garder|rester|partir|passer)|"
                r"(?:nous allons|je vais) (?:utiliser|prendre|garder|adopter|rester (?:sur|avec)|passer à)|(?:migré|basculé|remplacé|"
                r"abandonné|adopté)|passée?s? (?:de \w+ )?à (?=[A-Z])|nous utiliserons|on utilisera|j'utiliserai",
            ),
        ),
        (
            PREFERENCES,
            anywhere(
                r"préfér\w+|préfèr\w+|préféré\w*|favori\w*|(?:j'|je n'|je |nous |on |il |elle |qui )(?:aim(?:e|es|ons|ais|ait)|n'aime|"
                r"ador(?:e|es|ons)|détest(?:e|es|ons)|kiffe|apprécie|hais)(?! (?:savoir|comprendre|ça\b))|fan (?:de|d')|plutôt (?:du|"
                r"de la|que|un|une)|pas fan|me plaît|me plaisent|passionnée?|j'ai horreur|je ne supporte pas|(?:me|nous) convient",
            ),
        ),
        (
            FACTS,
            anywhere(
                rf"{_MINE} (?:[\w'-]+ ){{0,2}}(?:{_KIN})|je m'appelle|je me nomme|appell(?:e|ez)[- ]moi|on m'appelle|(?:je|j'|nous|"
                rf"on)(?: ne| n'| y| me| m')? ?(?:habit\w+|vi[st]|vivons|travaill\w+|bosse|étudi\w+|vien[st]|venons|suis|sommes|"
                rf"parl\w+|joue\w*|possèd\w+|conduis|utilis\w+|emploi\w+|élèv\w+|enseign\w+|dirige\w*|gèr\w+|cuisin\w+|collectionn\w+|"
                rf"port\w+|boi[st]|mang\w+|fum\w+|cour[st]|nage|peins|chante|écris|développ\w+|programm\w+|code|héberg\w+|lou\w+|"
                rf"gagn\w+|voyag\w+|par[st]|emménag\w+|déménag\w+|compte|prévo\w+|apprend\w*|étais|étions|avais|avions|vivais|fais du|"
                rf"fais de la|fais de l')",
                r"j'(?:ai|avais) (?!une (?:autre )?question|besoin|un (?:problème|souci)|compris|l'impression|essayé)\w+|"
                r"(?:nous avons|on a) (?!besoin|un problème)\w+|(?:je suis|je me suis|nous sommes) \w+",
                rf"{_MINE} (?:[\w'-]+ ){{1,5}}(?:est|sont|était|étaient|a|ont|s'appelle|s'appellent|habite|vit|travaille|étudie|vient|"
                rf"commence|aura|sera|tourne|utilise|coûte|tombe|se trouve|se passe)\b|ans\b(?= *[.,!]| *$| et )|née? (?:en|à|le)|"
                rf"mariée?|divorcée?|célibataire|retraitée?",
                r"(?:le|la|l'|notre|ce|cette) ?(?:[\w'-]+ ){0,2}(?:projet|appli(?:cation)?|dépôt|service|api|code|équipe|entreprise|"
                r"site|backend|frontend|base de données|serveur|réunion|vol|mariage|examen|rendez-vous|bureau|école) (?:est|sont|"
                r"était|a|utilise|tourne|commence|aura|sera|se)|écrite? en|hébergée?|correction|je voulais dire|et non|"
                r"ne (?:\w+ )?plus\b|n'\w+ plus\b|pas (?:le|la|en|à) \w+ mais",
            ),
        ),
    ),
)
