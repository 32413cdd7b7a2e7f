"""How English speakers tell, ask and request."""

from __future__ import annotations

from typing import Final

from gateway.facts.language import CONSTRAINTS, DECISIONS, FACTS, PREFERENCES, Language, anywhere, joints, starts, words

_LEAD = r"(?:(?:and|but|so|also|oh|well|btw|fyi|because|since|as|given that|considering|plus|anyway|actually|by the way,?|just)\s+){0,2}"
_I = r"(?:i|we)(?:'(?:m|re|ve|d|ll))?|im|ive"
_ADVERB = (
    r"(?:(?:also|really|just|still|usually|mostly|mainly|currently|now|always|never|often|sometimes|only|already|recently|"
    r"actually|generally|have|had|has|do|did|both|all|absolutely|totally|definitely|kind of|much|even|currently|once)\s+){0,3}"
)
_PLEASE = r"(?:(?:please|and|also|so|but|then|just|ok|kindly)\s+){0,2}"
_KIN = (
    "mother|mom|mum|father|dad|parents?|sister|brother|siblings?|wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|son|daughter|kids?|"
    "children|child|baby|grand\\w+|aunt|uncle|cousin|niece|nephew|friend|roommate|flatmate|neighbou?r|boss|manager|colleague|coworker|"
    "teammate|team|dog|cat|puppy|kitten|parrot|horse|rabbit|hamster|pet|pets|doctor|landlord|company|employer"
)
_ARTEFACT = (
    "function|script|program|code|snippet|list|email|e-mail|letter|poem|essay|recipe|summary|explanation|example|query|regex|translation|"
    "table|class|test|tests|idea|ideas|name|names|advice|suggestions?|recommendations?|hand|help|info|information|answer|way|quick|simple|"
    "short|tips?"
)
_VERB = (
    "write|explain|tell|give|show|list|make|create|generate|fix|translate|summari[sz]e|describe|compare|suggest|recommend|find|help|check|"
    "review|refactor|implement|debug|convert|calculate|compute|draft|rewrite|rephrase|paraphrase|proofread|improve|optimi[sz]e|analy[sz]e|"
    "design|build|plan|name|define|outline|brainstorm|look|search|sort|print|draw|add|remove|delete|update|change|continue|"
    "go on|go ahead|try|"
    "run|solve|prove|read|answer|reply|respond|complete|finish|format|edit|shorten|extend|expand|elaborate|simplify|turn|"
    "let me know|pick|choose|"
    "guess|imagine|pretend|act|play|tell|teach|walk|guide|provide|extract|classify|evaluate|rate|rank|think|consider|use|set|"
    "put|move|rename|"
    "install|test|schedule|book|remind|count|identify|propose|evaluate|assume|what about|how about|let's see|let's do|"
    "let's start|let's try|"
    "see if|see whether|see the|see my|see below|double-check|sum up|come up|point out|break down|correct|order|repeat|stop|"
    "start|send|ask|say"
)
_OBJECT = r"(?:\s+(?:up|out|down|for|to))?\s+(?:me|us|a|an|the|some|this|that|these|those|it|how|what|why|all|my|any|\d+)"

ENGLISH: Final = Language(
    code="en",
    common=words(
        """hi hello hey thanks thank please         a an the i me my mine we us our you your he him his she her it its they them
        their this that these those am is are was were be been         being have has had do does did will would can could
        should shall may might must not no yes and or but if then else when while because         since so as at by for from in
        into of off on onto out over to up with without about after before than too very just also really only         there
        here what which who whom whose how why where i'm i've i'll i'd it's that's don't doesn't didn't isn't aren't can't won't
        we're         we've you're he's she's they're im ive dont let let's some any all both each more most other such own same
        again once get got"""
    ),
    pleasantry=starts(
        r"(?:hi|hello|hey|hiya|howdy|yo|greetings|dear)(?: there| again| all| everyone| \w+)?\s*$",
        r"(?:good|happy) (?:morning|afternoon|evening|night|day)(?: to you| \w+)?\s*$",
        r"(?:(?:ok|okay|great|perfect|thanks|many thanks|thank you|thx|ty|cheers|cool|nice|awesome|wow|lol|haha+|sure|yes|yeah|yep|no|"
        r"nope|alright|"
        r"right|fine|good|excellent|brilliant|amazing|wonderful|please|sorry|bye|goodbye|welcome|hmm+|oh|ah|well|so|anyway|exactly|"
        r"indeed|so much|very much|a lot|again|in advance|then|now|you too|got it|never mind|nevermind|no worries|no problem|by the way|"
        r"btw|you know|remember|sounds good|looks good|works|that works|see you|later|take care|my friend|everyone|claude|"
        r"chatgpt)[\s!.,]*)+$",
        r"(?:thanks|thank you|thx|many thanks|cheers|thanks a lot|sorry|congrat\w*) (?:for|so|to|about|very|that|again)\b",
        r"(?:i|we)(?:'m| am)? (?:really )?(?:hope|trust) (?:you|this|that)\b",
        r"(?:(?:i|we)(?:'ve| have|'ve got| have got| had|'d)? )?(?:(?:a|one|one more|another|some|two|few|my|just a|"
        r"quick) )+(?:\w+ )?questions?\b",
        r"(?:nice|good|great|pleased) (?:to|job|work|idea|point|question)\b",
        r"how are you|how's it going|what's up|i appreciate (?:it|that|your)|much appreciated|let's (?:go|start|begin|see)\s*$|i see\s*$|"
        r"i (?:agree|understand|get it|think so|guess so|mean)\s*$",
        r"(?:that|this|it)(?:'s| is| was| looks| sounds) (?:\w+ )?(?:great|perfect|good|fine|nice|helpful|cool|awesome|amazing|right|"
        r"correct|wrong|useful|it|all|not (?:right|correct|helpful|what)(?: .*)?)\s*$",
    ),
    question=starts(
        _LEAD + r"(?:how|what|which|whose|whom)(?:'s|'re)? (?!i (?:like|love|want|need|mean)\b)\w+",
        _LEAD
        + r"(?:who (?!i\b|we\b)\w+|(?:where|when|why)(?:'s|'re| is| are| was| were| do| does| did| can| could| should| would| will| has|"
        r" have| am| not)\b(?!'))",
        r"(?:why|how|what|where|when|who|really|any (?:idea|thoughts|suggestions|tips|advice|chance)|anyone|anything)\s*$|any (?:idea|"
        r"thoughts|suggestions|tips|advice|chance|way|recommendations?)\b",
        _LEAD + r"(?:is|are|am|was|were|do|does|did|can|could|will|would|should|shall|may|might|isn't|aren't|don't|"
        r"doesn't|didn't|can't|"
        r"couldn't|won't|wouldn't|shouldn't|wasn't|haven't|hasn't) (?:i|you|we|it|he|she|they|there|this|that|the|a|an|my|your|our|"
        r"his|her|these|those|any\w*|some\w*|every\w*)\b",
        r"(?:i(?:'m| am| was|'ve been)? )(?:\w+ )?(?:wonder|wondering|curious|not sure|unsure|confused|asking)\b|i (?:don't|do not|"
        r"can't|didn't|cannot|need to|want to|have to) (?:really |quite )?(?:know|understand|get|see|remember|figure out|find|tell|"
        r"think of)(?: (?:how|what|why|where|which|who|when|if|whether|it|this|that|the|out|much|anything)\b|\s*$)",
    ),
    request=starts(
        _PLEASE + rf"(?:{_VERB})(?! (?:is|are|was|were|has|have|had|came|went|will|results?|of)\b)(?!:)",
        r"please|pls|plz",
        r"(?:can|could|would|will) (?:you|u|we|someone|anyone)|let's (?:write|make|build|look|talk|discuss|continue|do|see|try|say)",
        r"you are (?:a|an|the|my|now)\b|act as|i(?:'d| would)? (?:want|need|like|love|expect) you to|you (?:should|can|could|may|must|"
        r"need to) (?!always|never|only|know)\w+",
        r"(?:(?:i|we)(?:'d| would| really| also| just|'ll)? )(?:need|want|like|love) (?:to (?:know|understand|see|hear|ask|get (?:a|"
        r"an|some)|write (?:a|an) |have (?:a|an|some))|"
        rf"(?:(?:a|an|some|your|the|more|another|\d+) )?(?:\w+ ){{0,2}}(?:{_ARTEFACT}))\b",
        r"(?:here|below|above|attached|this|following)(?: is|'s| are)? (?:the|my|a|an|some|is the|is my|is a) (?:\w+ )?(?:code|log|"
        r"logs|error|output|text|email|file|article|snippet|traceback|message|config|script|function)\b",
        r"tell me|show me|give me|help me|i(?:'m| am) (?:looking for|trying to understand|asking|after) (?:a|an|some|how|why|the|help|"
        r"ideas?|advice|suggestions?|you)?",
        r"(?:any|some|more) (?:ideas?|suggestions?|tips|examples?|details?)\b|next\s*$|more\s*$|again\s*$|(?:in|into) (?:\w+) please",
    ),
    request_inside=starts(
        rf"(?:please|pls)\b|(?:and |so |then |now |but |just )*(?:{_VERB}){_OBJECT}",
        r"(?:and |so |then |but )*(?:can|could|would|will) (?:you|u|we)|(?:and |so |then )*(?:tell|show|give|help|let) me|"
        r"let's (?:write|make|build|see|try)",
        r"(?:so |and )?(?:i(?:'d| would)? (?:want|need|like|expect) you to)|(?:so |and )?(?:(?:i|we)(?:'d| would)? (?:need|want|"
        r"like) (?:a|an|some|your) (?:\w+ )?"
        rf"(?:{_ARTEFACT}))|(?:any|some) (?:ideas?|suggestions?|tips|advice|thoughts)\b",
    ),
    statement=starts(
        rf"{_LEAD}(?:{_I}) (?!or\b|and\b)[\w']+",
        rf"{_LEAD}(?:my|our|mine|ours) (?!or\b|and\b)(?:[\w'-]+ ){{1,5}}(?:is|are|was|were|am|has|have|had|will|can|can't|cannot|could|"
        rf"would|won't|does|doesn't|do|don't|did|didn't|must|should|"
        r"isn't|aren't|wasn't|[\w']+(?:s|ed)|lost|left|got|went|came|made|bought|broke|said|told|took|run|use|live|work|need|love|"
        r"like|hate|prefer|want)",
        _LEAD + r"(?:there(?:'s| is| are| was| were)|they|he|she|it|this|these|the [\w'-]+) (?!or\b|and\b|of\b)[\w']+",
        rf"(?:one of )?my (?:\w+ )?(?:{_KIN})(?: \w+)? (?:who|that|which)",
        r"correction\b|(?:no|actually|sorry) i meant",
        r"as an? (?!test|example|start|first|second|result|rule|matter|reminder|last|final|side|json|string|list|table|reference|"
        r"whole|code)\w+(?: \w+){0,4}(?=,[^?]*\b(?:i|me|my|we|us|our)\b)",
    ),
    subordinate=starts(
        r"(?:if|when|whenever|while|unless|until|once|after|before|whether|how|what|which|why|where|in|on|at|for|from|with|without|about|"
        r"regarding|concerning|using|by|during|to|given|assuming|suppose|supposing|based on|instead of|as (?:a|an|the|in|for|of)|like|"
        r"of|than|let|not|next|first|second|finally|question|or)"
    ),
    joint=joints(
        rf"(?=(?:my|our) (?:\w+ )?(?:{_KIN}) (?:who|that|which) )",
        r"(?:because|since|but|and|so|as) (?=(?:i|we)(?:'(?:m|re|ve))? \w|(?:my|our) \w+ \w|(?:can|could|would) you\b|please\b|what\b|"
        r"how (?:do|can|to)\b)",
    ),
    instruction=starts(
        _PLEASE + r"(?:always|never) (?!mind\b|again\b|been\b|had\b|was\b|were\b|seen\b|did\b|got\b|in\b|have\b|"
        r"an?\b|on\b|the\b|so\b|good\b|nice\b|great\b|happy\b|glad\b|\w+ing\b|\w+ed\b)\w+",
        r"[^,;:]{0,120}\b(?:from now on|from here on|from today on|going forward|moving forward|for future reference|from this point on)",
        r"(?:in|for) (?:the )?future,? (?:please |always |never |don't |do not |use |answer |reply |keep |call |write |avoid |add |"
        r"include )",
        _PLEASE + r"(?:remember|note|keep in mind|bear in mind|don't forget|do not forget|never forget|make a note|take note|"
        r"memori[sz]e)(?! (?:when|how|the time|me\b|what|to self)|\W*$)",
        _PLEASE + r"(?:don't|do not|dont|stop|avoid|refrain from|no need to)(?: ever| please)? (?!worry|know|think|believe|understand|"
        r"get|like|want|have|care|need|mind|remember|see|it|this|that|here)\w+",
        r"(?:whenever|every time|each time|any time|when|if) (?:i|you) (?:ask|say|write|send|paste|mention|answer|reply|respond|give|"
        r"generate|suggest|talk|explain|show|create)\b[^,]{0,80},",
        r"(?:so |and |also )?i(?:'d| would)? (?:really )?(?:want|like|need|prefer|expect) you to (?:always|never|stop|keep|call|"
        r"address|answer|respond|reply|remember|avoid|speak|use)",
        r"it(?:'s| is) important (?:to me )?that you|"
        r"i(?:'d| would) (?:prefer|rather|like|appreciate) (?:it )?if you (?:\w+ )?\w+|i (?:want|need|prefer|like) (?:all )?(?:your|"
        r"the) (?:answers?|replies|responses?|explanations?)",
        _PLEASE + r"(?:answer|reply|respond|talk|speak)(?: to me| back)? (?:only |always )?(?:in (?:\w+|(?:a|plain|simple|full|short|"
        r"british|american) [\w-]+(?: \w+)?)[.!]?$|briefly|concisely|formally|informally)",
        _PLEASE + r"keep (?:(?:all|your|the|my|every) )*(?:answers?|replies|responses?|explanations?|messages|comments|emails) \w+",
        _PLEASE + r"use [^,;:]{1,60}?(?: units| spelling| indentation|\btabs|\bspaces|(?<!this) style| instead of | rather than |, not |"
        r"\bin (?:all|every|your)\b|\bfor (?:all|any|every)\b|\bby default)",
        r"(?:can|could|would|will) you (?:please )?(?:always|never|stop|from now on|remember (?:that|i|my))|you (?:should|must|may|"
        r"can) (?:always|never|only)",
        r"my (?:standing )?(?:rule|instruction|request) (?:is|for you)|(?:rule|instruction|reminder|note|important)s?: \w+",
    ),
    rules=(
        (
            CONSTRAINTS,
            anywhere(
                r"(?:must|may) not|mustn't|must (?!have\b|feel\b|say\b|admit\b|confess\b|be (?:kidding|joking|tough|hard|nice|"
                r"great|so|really|amazing|fun|awesome|exciting|difficult|a\b))\w+|(?:not|n't|isn't|aren't) allowed|"
                r"forbidden|prohibited|not permitted|non-negotiable",
                r"(?:i|we|he|she|they|it|who) (?:can't|cannot|can not|cant|are not able to|am not able to|aren't able to)(?: really|"
                r" ever)? (?!figure|get|understand|find|see|seem|believe|wait|remember|tell|help|decide|say|stand|think|stop|"
                r"make it work|recall|imagine|stress|complain|recommend|do (?:it|this|that))\w+",
                r"budget|deadline|due (?:on|by|date|next|this|in)|allerg\w+|intoleran\w+|coeliac|celiac|diabetic|"
                r"dietary (?:restriction|requirement|need)s?",
                r"at (?:most|least) (?:\d|one|two|three|a )|no more than|no less than|not more than|maximum|max\.? \d+|minimum|"
                r"up to \d+|limited to|"
                r"restricted to|within (?:a budget|\d+)|less than|fewer than|limit (?:is|of)",
                r"(?:i|we) (?:only) (?:have|get|can|speak|eat|got|work with|accept)|have to (?:be|finish|leave|ship|deliver|"
                r"support|run|stay|work|keep|use|pick|comply|submit|pay|avoid|take|wear)|has to (?:be|run|work|support|fit|stay|"
                r"finish|comply)|needs? to (?:be|run|work|support|fit|stay|comply)|required to|requirement|mandatory|compliance|"
                r"complian\w+",
            ),
        ),
        (
            DECISIONS,
            anywhere(
                rf"(?<!n't )(?:(?:{_I}|[\w']+(?<!n't)) )(?:{_ADVERB})(?:decided|agreed (?:on|to|that|with)|settled on|opted (?:for|"
                rf"to)|chose|chosen|picked(?! up)|"
                rf"ruled out|concluded|committed to)",
                rf"(?:{_I}) {_ADVERB}(?:going with|go with|gone with|went with|going for|sticking (?:with|to)|stick(?:ing)? (?:with|"
                rf"to)|switch(?:ed|ing)? (?:to|from|over)|migrat(?:ed|ing) (?:to|from)|moving (?:to|from|away) (?=\w+ ?(?:[A-Z]|from|"
                rf"to|db|sql))|dropp(?:ed|ing)|adopt(?:ed|ing)|replac(?:ed|ing)|standardi[sz](?:ed|ing))",
                r"(?:i|we)(?:'ll| will| shall|'re going to| are going to|'m going to) (?:\w+ )?(?:use|go with|go for|"
                r"keep (?:using|the)|stick|"
                r"switch|adopt|deploy|host|skip|drop|postpone|start with|stay with|migrate|write it in|build (?:it|this) (?:in|with|"
                r"on))",
                r"let's (?:go with|use|stick with|settle|adopt|choose|pick)|(?:the|our|my|final) decision (?:is|was)|decision:|"
                r"it(?:'s| is| was) (?:been )?(?:decided|settled|agreed)|made up my mind|plan is to",
            ),
        ),
        (
            PREFERENCES,
            anywhere(
                r"(?<!you )(?<!they )prefer(?:s|red|ences?)?|favou?rites?|rather (?!than)\w+ \w+|fan of|fond of|can't stand|"
                r"cannot stand|dislikes?|hates?|adores?|enjoys?|loathes?|detests?|obsessed with|allergic to the idea|pet peeve|go-to|"
                r"not (?:really )?(?:into|keen)|keen on|cup of tea|not my thing|crazy about",
                rf"(?:i|we|who|[A-Z]\w+) {_ADVERB}(?:don't |do not |dont |doesn't |never )?(?:really |particularly )?(?:like|love|"
                rf"likes|loves|loved|hated|liked|enjoyed)(?! (?:to (?:know|see|understand|hear|ask|have)|you to|your|a |an |some |it\b|"
                rf"that\b|this\b|how)| *$)",
                rf"(?:{_I}) (?:really |also |totally |so )?(?:into|more of an?|not a) (?=\w+)(?:\w+ )?(?:person|lover|fan|type|\w+ing|"
                rf"music|drinker|eater)|(?:works|suits|fits) (?:best )?(?:for )?me best|(?:works|suits) (?:best )?(?:for )?me",
            ),
        ),
        (
            FACTS,
            anywhere(
                r"(?:my|our) (?!god\b|guess\b|question\b|point\b|bad\b|apologies\b|problem is\b|issue is\b|"
                r"thought)(?:[\w'-]+ ){1,5}(?:is|are|was|were|will be|has|have|had|isn't|aren't|wasn't|starts?|ends?|runs?|uses?|"
                r"lives?|works?|studies|studied|moved|turned|died|goes|plays?|loves?|teach(?:es)?|speaks?|comes?|came|got|owns?|broke|"
                r"needs?|passed|gave|bought|wants?|does(?:n't)?|did(?:n't)?|likes?|means?|expires?|arrives?|belongs?|lies|said|says|"
                r"told|named|called|visited|visits?|joined|left|became|just|also|always|never|[\w']+ed)",
                rf"(?:my|our) (?:[\w'-]+ ){{0,3}}(?:{_KIN})(?:'s|s)?|(?:my|our) (?:\w+ )?(?:name|birthday|address|phone|email|number|"
                rf"job|age|house|flat|apartment|car|anniversary|wedding|hometown|stack|server|repo|repository|laptop|database|project|"
                rf"app)(?:'s| is| are| was|:| name| runs?| uses?)",
                rf"(?:i am|i'm|im|we are|we're) {_ADVERB}(?:a|an|the|from|in|at|based|\d+|on|married|single|divorced|engaged|pregnant|"
                rf"retired|vegan|vegetarian|born|called|named|living|working|studying|learning|training|building|writing|running|using|"
                rf"trying|planning|moving|flying|travell?ing|going|visiting|starting|teaching|left-handed|right-handed|colou?r-?blind|"
                rf"blind|deaf|gluten|lactose|american|british|french|german|spanish|italian|employed|self-employed|unemployed|"
                rf"responsible|preparing|expecting|getting|originally|jewish|muslim|christian|catholic|[A-Z]\w+)",
                rf"(?:{_I}) {_ADVERB}(?:lived?|works?|worked|stud(?:y|ied)|moved?|grew up|born|raised|owns?|owned|keep|kept|dr[io]ve|"
                rf"speak|spoke|plays?|played|uses?|used|bought|sold|got (?:a|an|my|married|engaged|promoted|hired)|met|joined|started|"
                rf"founded|teach|taught|coach|run|ran|manage[ds]?|lead|led|majored|graduated|served|visit(?:ed)?|travel+ed|flew|"
                rf"went to|trained?|breed|bred|raise[ds]?|grow|grew|cook(?:ed)?|bak(?:e|ed)|collect(?:ed)?|wear|wore|weigh|"
                rf"suffer(?:ed)?|drink|eat|ate|smoke[ds]?|quit|ride|rode|swim|sing|paint(?:ed)?|write|wrote|built|build|code|program|"
                rf"host(?:ed)?|deploy(?:ed)?|store|adopted|married|lost|broke|earn|make|made|pay|paid|rent(?:ed)?|commute|"
                rf"volunteer(?:ed)?|maintain(?:ed)?|call(?:ed)?|wake|sleep|finish(?:ed)?|created|learn(?:ed|t)?|read|watch(?:ed)?|"
                rf"named|attend(?:ed)?|celebrate[ds]?|follow|invest(?:ed)?|publish(?:ed)?|develop(?:ed)?|design(?:ed)?|plan to|"
                rf"turn(?:ed)? \d+|practi[cs]e[ds]?|applied|accepted|signed|ordered|booked|scheduled|installed|need glasses)",
                rf"(?:{_I}) {_ADVERB}(?:have|has|had|got|own) (?!to\b|no idea\b|a (?:question|problem|feeling|look|bug)\b|been\b|"
                rf"an (?:issue|error|idea)\b|trouble\b|problems\b)(?!\w+ed\b)[\w']+",
                rf"(?:i|we)(?:'ve| have) (?:been|lived|worked|moved|known|had|owned|got|bought)|{_PLEASE}call me \w+|people call me|"
                rf"i go by|name's|mine is|i(?:'m| am) \w+ years? old|years old",
                r"(?:the|this|our) (?:[\w-]+ ){0,3}(?:project|app|application|repo|repository|service|api|codebase|code|team|company|"
                r"site|website|backend|frontend|database|server|cluster|meeting|flight|wedding|exam|appointment|interview|release|"
                r"launch|party|office|school|pipeline|build|product) (?:is|are|was|were|has|uses?|runs?|lives?|starts?|will|"
                r"takes place|happens|got|moved|belongs)",
                r"(?:built|written|hosted|deployed|implemented) (?:in|with|on|at)|correction|i meant|not \w+ but|(?:is|are|was|on|at|"
                r"in) \w+, not \w+|i was wrong|changed my|no longer|not anymore|anymore",
                r"as an? (?!test|example|start|first|second|result|rule|matter|reminder|last|final|side|json|string|list|table|"
                r"reference|whole|whole|code|json)\w+(?: \w+){0,3}(?: (?:i|my|we)\b|\W*$)",
            ),
        ),
    ),
)
