"""How Spanish speakers tell, ask and request."""

from __future__ import annotations

from typing import Final

from gateway.facts.language import CONSTRAINTS, DECISIONS, FACTS, PREFERENCES, Language, anywhere, joints, starts, words

_LEAD = r"(?:(?:y|pero|además|también|porque|ya que|como|pues|sí|no|bueno|en realidad|por cierto),? ){0,2}"
_PLEASE = r"(?:(?:por favor|y|también|pero|entonces|luego),? ){0,2}"
_I = r"(?:yo |nosotros |nosotras )?(?:ya |también |siempre |nunca |no |solo |me |nos |lo |la |los |las |le )*"
_MINE = r"(?:mi|mis|nuestro|nuestra|nuestros|nuestras)"
_KIN = (
    r"madre|mamá|padre|papá|padres|hermanas?|hermanos?|esposa|esposo|mujer|marido|pareja|novia|novio|hijos?|hijas?|bebé|abuela|abuelo|"
    r"abuelos|"
    r"tía|tío|prima|primo|sobrina|sobrino|amigas?|amigos?|compañer[oa]s?|vecin[oa]s?|jef[ea]|colegas?|equipo|perr[oa]s?|gat[oa]s?|"
    r"loros?|caballo|"
    r"conejo|mascota|médic[oa]|empresa|casero"
)
_FIRST = (
    r"vivo|trabajo|estudio|vengo|soy|estoy|tengo|uso|utilizo|hablo|juego|toco|conduzco|cocino|enseño|dirijo|gestiono|colecciono|llevo|"
    r"bebo|como|"
    r"fumo|corro|nado|pinto|canto|escribo|programo|desarrollo|alojo|alquilo|gano|viajo|voy|compré|vendí|nací|crecí|estudié|trabajé|"
    r"viví|tenía|"
    r"era|estaba|fui|crío|cuido|aprendo|entreno|duermo|pienso (?:ir|viajar|mudar\w*)|mudé|casé|llamo|dedico|jubilé|hago|sufro|peso|"
    r"mido|monto|"
    r"somos|estamos|tenemos|vivimos|trabajamos|usamos|utilizamos|vamos|alojamos|desplegamos|desarrollamos|compramos|viajamos|teníamos|"
    r"éramos|"
    r"he (?!entendido|visto)\w+|hemos \w+|había \w+|conocí|empecé|terminé|perdí|rompí|adopté|encontré|aprendí|visité|"
    r"quiero (?:aprender|comprar|ir|viajar|mudarme|ser)|"
    r"prefiero|odio|detesto|adoro|disfruto|gusta\w*|encanta\w*|necesito|puedo|podemos|debo|debemos|decidí|decidimos|elegí|elegimos|"
    r"quedamos"
)
_VERB = (
    r"(?:escrib[ae]|explica|explique|da|dé|muestra|muestre|haz|haga|crea|cree|genera|genere|traduce|traduzca|resume|resuma|ayuda|"
    r"ayude|di|diga|"
    r"lista|enumera|enumere|describe|describa|compara|compare|sugiere|sugiera|recomienda|recomiende|busca|busque|encuentra|revisa|"
    r"revise|corrige|corrija|"
    r"mejora|mejore|calcula|calcule|redacta|redacte|reformula|analiza|analice|convierte|convierta|acorta|completa|continúa|añade|"
    r"agrega|elimina|cuenta|cuente|"
    r"implementa|optimiza|planifica|nombra|nombre|imagina|prepara|responde|responda|construye|dime|dame|hazme|ponme|cuéntame|ayúdame|"
    r"explícame|escríbeme|muéstrame|"
    r"recomiéndame|sugiéreme|enséñame|tradúceme|búscame|propón|proponme|cita|inventa|ordena|define)(?:me|nos|lo|la|los|las|melo)?"
)

SPANISH: Final = Language(
    code="es",
    common=words(
        """siempre nunca ahora hola gracias buenos buenas llamo vivo tengo por favor         yo tú él ella ello nosotros vosotros
        ustedes usted ellos ellas me te se nos os le les lo la los las mi mis tu tus su sus nuestro nuestra         nuestros
        nuestras el un una unos unas de del al a ante con contra desde en entre hacia hasta para por según sin sobre tras y e o
        u ni que         qué quien quién cual cuál como cómo cuando cuándo donde dónde si sí no pero porque pues ya muy más
        menos también tampoco es soy eres somos         son era eran fue ser estar estoy está están estaba ha he hemos han hay
        este esta esto estos estas ese esa eso esos esas aquel todo toda todos todas         cada otro otra aquí ahí allí bien
        solo puede puedo"""
    ),
    pleasantry=starts(
        r"(?:hola|buenos días|buenas(?: tardes| noches)?|saludos|hey|qué tal|ey)(?: a todos| de nuevo| \w+)?\s*$",
        r"(?:(?:gracias|muchas gracias|mil gracias|genial|perfecto|vale|ok|okay|de acuerdo|sí|si|no|bien|muy bien|claro|exacto|estupendo|"
        r"por favor|perdón|lo siento|adiós|hasta luego|de nada|excelente|por todo|de antemano|otra vez|por cierto|recuerdas|funciona|"
        r"bueno|pues|ah|oh|hm+|entendido|mucho|guay)[\s!.,]*)+$",
        r"(?:muchas |mil )?gracias por|perdón por|(?:tengo|tenía|tendría) (?:una|otra|unas|dos|algunas)(?: \w+)? (?:preguntas?|"
        r"dudas?)|(?:una|otra|mi) (?:pregunta|duda)",
        r"espero que|¿?(?:cómo estás|qué tal)|ya veo\s*$|entiendo\s*$|(?:está|es|fue|suena) (?:muy )?(?:bien|bueno|genial|perfecto|"
        r"útil|correcto|todo)\b",
    ),
    question=starts(
        _LEAD + r"(?:¿|qué|quién(?:es)?|cuál(?:es)?|cómo|cuándo|dónde|adónde|cuánt[oa]s?|por qué|para qué)[\w]*",
        _LEAD + r"(?:que es|que significa|como (?:puedo|se|hago|funciona)|cual es|donde (?:está|puedo)|cuanto cuesta|por que (?:no|es|"
        r"se))\b",
        r"me pregunto|no (?:sé (?:cómo|qué|si|dónde|por qué|cuál)|entiendo|comprendo|estoy segur[oa])|(?:me gustaría|quisiera|"
        r"quiero) (?:saber|entender|comprender)|es posible|se puede\b",
    ),
    request=starts(
        _PLEASE + _VERB,
        r"por favor|(?:me )?(?:puedes|podrías|puede|podría) (?!que\b)\w+|(?:necesito|quiero|quisiera|me gustaría|"
        r"busco) (?:que (?:me )?\w+|(?:una? |unos |unas |tu |su )?(?:\w+ )?(?:función|script|programa|código|lista|correo|carta|poema|"
        r"texto|receta|resumen|explicación|ejemplos?|consulta|traducción|tabla|ideas?|consejos?|sugerencias?|ayuda|información|"
        r"respuesta|opinión))",
        r"eres (?:un|una|el|la|ahora)\b|(?:aquí|este|esta|estos) (?:está|es|son|están|tienes) (?:el|la|mi|un|una|los|mis) (?:código|"
        r"log|logs|error|texto|correo|artículo|archivo|mensaje)",
    ),
    request_inside=starts(
        rf"por favor\b|(?:y |luego |entonces )*{_VERB} (?:un|una|el|la|los|las|este|esta|esto|cómo|qué|por qué|mi|mis|me)\b",
        r"(?:y |así que )?(?:me )?(?:puedes|podrías)\b|(?:y |así que )*(?:dime|dame|hazme|ayúdame|explícame|recomiéndame|sugiéreme|"
        r"cuéntame|escríbeme|muéstrame|enséñame)",
    ),
    statement=starts(
        rf"{_LEAD}{_I}(?:{_FIRST})",
        rf"{_LEAD}{_MINE} (?!o\b|y\b)(?:[\w-]+ ){{1,5}}(?:es|son|era|está|están|tiene|tienen|se llama|se llaman|vive|viven|trabaja|"
        rf"estudia|viene|va|será|puede|debe|quiere|odia|le gusta|usa|cuesta|\w+a|\w+e|\w+ó)",
        rf"{_LEAD}(?:hay|es|está|él|ella|ellos|esto|eso|el \w+|la \w+|los \w+|las \w+|nosotros|yo) (?!o\b|y\b)\w+",
        rf"{_MINE} (?:\w+ )?(?:{_KIN}) (?:\w+ )?que",
        r"corrección\b|(?:no|perdón) quise decir",
    ),
    subordinate=starts(
        r"(?:si|cuando|mientras|antes|después|hasta|desde|en|a|al|para|con|sin|sobre|por|según|como|cómo|que|qué|quien|donde|de|del|"
        r"respecto|acerca|"
        r"suponiendo|imagina|no|y|o|dado|pregunta|duda)"
    ),
    joint=joints(
        rf"(?={_MINE} (?:\w+ )?(?:{_KIN}) (?:\w+ )?que )",
        rf"(?:porque|pero|y|ya que|así que) (?=(?:yo |no |me |nos )?(?:{_FIRST})\b|mi \w+ \w|mis \w+ \w|nuestr[oa]s? \w+ \w|¿|puedes\b|"
        rf"podrías\b)|(?=¿)",
    ),
    instruction=starts(
        _PLEASE + r"(?:siempre|nunca|jamás) (?!he\b|había\b|fui\b|me\b|bebo|como|tomo|uso|voy|estoy|tengo)\w+",
        r"[^;:]{0,120}\b(?:a partir de ahora|de ahora en adelante|desde ahora|en adelante|en el futuro|a partir de hoy|"
        r"de aquí en adelante)",
        _PLEASE + r"(?:recuerda|recuerde|recordad|acuérdate|acuérdese|no (?:te )?olvides|no olvide|ten en cuenta|tenga en cuenta|"
        r"toma nota|apunta que|anota que|memoriza|guarda que)",
        _PLEASE + r"no (?:me |le |lo |la |los |las )?(?:us|utilic|escrib|pong|añad|agregu|hag|respond|llam|tute|incluy|menci|sugier|"
        r"sugir|recomiend|recomend|emple|d[eé]|mand|cambi|explique|expliqu|hable)\w*|evita(?:r)? \w+|deja de \w+",
        _PLEASE + r"(?:usa|use|utiliza|utilice|emplea|responde|responda|escribe|escriba|habla|hable|háblame|contesta|respóndeme|"
        r"trátame|tutéame|llámame|da|pon|empieza|termina)(?: [\w-]+){0,4} (?:siempre|nunca|por defecto|cada vez)\b|tutéame|trátame de",
        _PLEASE + r"(?:responde|responda|respóndeme|contesta|contéstame|habla|háblame|escribe|escríbeme)(?: siempre| solo|"
        r" únicamente)? (?:en (?:español|inglés|francés|alemán|\w+)\s*[.!]?$|brevemente)|mantén (?:tus|las) respuestas",
        r"(?:cuando|cada vez que|siempre que|si) (?:te )?(?:pregunte|pida|diga|escriba|envíe|hable|mencione)\b[^,]{0,80},|(?:debes|"
        r"tienes que|deberías) (?:\w+ )?(?:siempre|nunca)|quiero que (?:[\w]+ ){0,3}(?:siempre|nunca)\b|siempre quiero que",
        r"(?:regla|nota|importante|recordatorio|aviso): \w+|(?:puedes|podrías) (?:siempre|recordar|no volver)",
    ),
    rules=(
        (
            CONSTRAINTS,
            anywhere(
                r"no (?:puedo|podemos|puede|pueden|debo|debemos|debe|deben) (?!entender|encontrar|ver|creer|decir|recordar|"
                r"esperar)\w+|prohibid[oa]s?|no (?:está|están) permitid\w+|alérgic[oa]s?|alergia\w*|intoleran\w+|celíac[oa]|"
                r"diabétic[oa]",
                r"presupuesto|fecha límite|plazo|a más tardar|como máximo|máximo|mínimo|al menos|como mucho|no más de|hasta \d+|"
                r"limitad[oa]s? a|obligatori[oa]|requisito|restricción|(?:solo|sólo|solamente) (?:tengo|tenemos|puedo|podemos|hablo)|"
                r"(?:tengo|tenemos|tiene) que (?!ver|decir|admitir)\w+|(?:debo|debemos|debe|deben) (?:ser|estar|funcionar|terminar|"
                r"entregar|usar|cumplir|salir|tomar|evitar)",
            ),
        ),
        (
            DECISIONS,
            anywhere(
                r"decidi\w+|decidí|decidió|decisión|elegí|elegimos|eligió|elegido|optamos|opté|acordamos|acordado|escogimos|escogí|"
                r"nos quedamos con|me quedo con|quedamos en|(?:vamos|voy) a (?:usar|utilizar|adoptar|quedar\w*|mantener|pasar|migrar|"
                r"cambiar a)|migramos|migré|hemos migrado|cambiamos a|cambié a|pasamos de|pasamos a|usaremos|utilizaremos|usaré|"
                r"adoptamos|reemplazamos|descartamos|descarté",
            ),
        ),
        (
            PREFERENCES,
            anywhere(
                r"prefier\w+|preferim\w+|preferi\w+|preferencia\w*|favorit[oa]s?|(?:me|nos|le|les) (?:gusta\w*|encanta\w*|apasiona\w*|"
                r"fascina\w*|chifla\w*|disgusta\w*|molesta\w*|conviene\w*)(?! (?:saber|entender))(?<!gustaría)|odi[oa]\b|odiamos|"
                r"detest\w+|ador[oa]\b|fan de|aficionad[oa]|soy más de|no soporto|no aguanto|disfruto",
            ),
        ),
        (
            FACTS,
            anywhere(
                rf"{_MINE} (?:[\w-]+ ){{0,2}}(?:{_KIN})|me llamo|llámame|llámeme|(?:{_FIRST}) (?!una (?:pregunta|duda)|un problema|"
                rf"que\b)\w+",
                rf"{_MINE} (?:[\w-]+ ){{1,5}}(?:es|son|era|está|están|tiene|tienen|se llama|se llaman|vive|viven|trabaja|estudia|viene|"
                rf"empieza|será|usa|cuesta|corre|cae|queda|funciona)\b|años|nacid[oa]|casad[oa]|divorciad[oa]|solter[oa]|jubilad[oa]|"
                rf"estamos (?:usando|construyendo|desarrollando)",
                r"(?:el|la|nuestro|nuestra|este|esta) (?:[\w-]+ ){0,2}(?:proyecto|aplicación|app|repositorio|servicio|api|código|"
                r"equipo|empresa|sitio|backend|frontend|base de datos|servidor|reunión|vuelo|boda|examen|cita|oficina|escuela) (?:es|"
                r"está|era|tiene|usa|corre|empieza|será|se)|escrit[oa] en|alojad[oa]|corrección|quise decir|quería decir|ya no|"
                r"no el \w+ sino|sino",
            ),
        ),
    ),
)
