"""Words that carry no content, by language, and the words that ask about memory itself. Case-folded, without diacritics."""

from __future__ import annotations

from functools import cache

ENGLISH = "en"

_WORDS = {
    ENGLISH: """
        a about above after again against ain all am an and any are aren as at be because been before being below between both
        but by can cannot could couldn d did didn do does doesn doing don down during each ever few for from further get gets
        getting got had hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn it its
        itself just let ll m me might more most must mustn my myself needn no nor not now o of off on once only or other ought
        our ours ourselves out over own please re s same shall shan she should shouldn so some such t than that the their theirs
        them themselves then there these they this those through to too under until up us ve very was wasn we were weren what
        when where which while who whom whose why will with won would wouldn yes you your yours yourself yourselves""",
    "de": """
        aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bist da dabei damit dann
        das dass dein deine deinem deinen deiner dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch
        dort du durch ein eine einem einen einer eines er es etwas euch euer eure fur gegen gibt hab habe haben hat hatte hatten
        hattest hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes jetzt
        kann kannst kein keine keinem keinen man mein meine meinem meinen meiner mich mir mit muss nach nicht nichts noch nun
        nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie sind so soll sollte sondern uber um und uns unser
        unsere unserem unseren unter viel vom von vor war waren warst warum was weil welche welchem welchen welcher welches wenn
        wer werde werden wie wieder will wir wird wirst wo wurde wurden wurdest zu zum zur zwischen""",
    "fr": """
        a ai aie ainsi alors au aux avais avait avant avec avez avoir avons c ca car ce ceci cela ces cet cette chez comme d
        dans de des donc dont du elle elles en encore es est et etaient etait ete etes etre eu eux fait font il ils j je jusqu l
        la le les leur leurs lui m ma mais me meme mes moi mon n ne ni nos notre nous on ont ou par pas peut peux plus pour
        pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se sera ses si soit sommes son sont suis sur t ta te
        tes toi ton tous tout toute toutes tres tu un une vais vers vos votre vous y""",
    "es": """
        a al algo algunos ante antes aquel aqui asi aun cada como con contra cual cuales cuando cuanto de del desde donde dos e
        el ella ellas ellos en entre era eran eres es esa esas ese eso esos esta estaba estan estar estas este esto estos estoy
        fue fueron ha haber habia han has hasta hay he la las le les lo los mas me mi mia mio mis mucho muy nada ni no nos
        nosotros nuestra nuestro o os otra otro para pero poco por porque que quien quienes se sea ser si sido sin sobre son soy
        su sus tambien tan tanto te tengo tiene tienen todo todos tu tus un una uno unos usted y ya yo""",
    "it": """
        a ad ai al alla alle allo anche avere aveva avevo c che chi ci cio col come con contro cosa cui da dai dal dalla dalle
        de degli dei del della delle dello di dove e ed era erano essere fa fai fare fra gli ha hai hanno ho i il in io l la le
        lei li lo loro lui ma mi mia mie miei mio ne negli nei nel nella nelle nello noi non nostra nostro o per perche piu poi
        qual quale quali quando quanto quella quelle quelli quello questa queste questi questo qui sara se sei si sia siamo
        siete sono sta stai sto su sua sue sugli sul sulla suo suoi ti tra tu tua tue tuo tuoi tutti tutto un una uno vi voi""",
    "pt": """
        a ao aos aquela aquele aqui as ate com como da das de dela dele deles depois do dos e ela elas ele eles em entao entre
        era essa essas esse esses esta estao estar estas estava este estes estou eu foi foram ha havia isso isto ja lhe lhes
        mais mas me mesmo meu meus mim minha minhas muito na nao nas nem no nos nossa nosso num numa o onde os ou para pela
        pelas pelo pelos por porque pra qual quais quando quanto que quem sao se seja sem ser seu seus si sim so sou sua suas
        tambem te tem tenho teu teus ti toda todo todos tu tua tuas tudo um uma voce voces""",
    "nl": """
        aan al alles als altijd ben bent bij daar dan dat de der deze die dit doch doen door dus een en er ge geen geweest haar
        had hadden heb hebben hebt heeft hem het hier hij hoe hun ik in is ja je jij jou jouw jullie kan kon kun kunnen maar me
        meer men met mij mijn moet na naar niet niets nog nu of om omdat onder ons onze ook op over te tegen toch toen tot u uit
        uw van veel voor waar waarom want waren was wat we wel welk welke werd wezen wie wij wil worden wordt zal ze zei zelf
        zich zij zijn zo zonder zou""",
}

_FIRST_PERSON = """
    i me my mine myself we us our ich mich mir mein meine meinen meinem meiner wir uns unser unsere je j moi mon ma mes nous
    notre nos yo mi mis conmigo nosotros nuestro nuestra io mio mia miei mie noi nostro nostra eu mim meu minha meus minhas
    comigo nosso nossa ik mij mijn wij ons onze"""

_ABOUT_MEMORY = """
    know known knows remember remembered remembers recall recalls memory memories memorize forget forgotten tell told say said learn learned
    learnt info information profile preference preferences everything anything something next continue last time left start started going
    back today again think
    weisst wissen erinnerst erinnern erinnerung erinnerungen gemerkt merken sag sagen sage erzahl erzahlen vorlieben nachstes weiter
    weitermachen zuletzt heute machen
    sais savoir rappelle rappelles souviens souvenir souvenirs dis dire memoire preferences suite continuer prochaine etape
    sabes saber recuerdas recordar recuerdo recuerdos dime memoria preferencias siguiente continuar ahora
    sai sapere ricordi ricordare ricordo dimmi dire memoria preferenze prossimo continuare adesso
    sabe sei lembra lembras lembrar lembrancas diga memoria preferencias proximo continuar agora
    weet weten herinner herinneren herinnering herinneringen vertel zeg geheugen voorkeuren volgende verder"""


@cache
def languages_of() -> dict[str, tuple[str, ...]]:
    """Each stop word -> the languages in which it is one."""
    found: dict[str, tuple[str, ...]] = {}
    for language, words in _WORDS.items():
        for word in words.split():
            found[word] = (*found.get(word, ()), language)
    return found


@cache
def first_person() -> frozenset[str]:
    """Pronouns of the one who asks."""
    return frozenset(_FIRST_PERSON.split())


@cache
def about_memory() -> frozenset[str]:
    """Words of questions that are about what is remembered, and not about a subject."""
    return frozenset(_ABOUT_MEMORY.split())
