"""How to tell text that the user pasted (code, logs, quotes, a text to work on) from what they say."""

from __future__ import annotations

import re
from typing import Final

_LONGEST: Final = 4_000
"""Characters of a line that are looked at."""

_CODE = re.compile(
    r"""\s*(?:
        [>|] | [$%] \s \w | >>> | \.\.\.\s | @\w+\s*(?:\(|$) | //|/\*|\*/ | </?[a-zA-Z!][^<>]*> | \#(?:include|define|!/|pragma)
      | --\s | [+-]{3}\s | @@\s
      | (?:def|class|fn|func|function|struct|enum|interface|namespace|impl)\s+\w+\s*[(<{:]
      | (?:async|package|using|public|private|protected|static|void)\s[^!?]{1,200}[({;]\s*$
      | (?:const|let|var|int|float|double|char|string|bool|auto|export|val)\s+[\w*{}, ]{1,60}\s*(?:=|:|;|\()
      | import\s+[\w.{*"'@]+(?:\s*;|\s+from\s|\s+as\s|\s*$) | from\s+[\w.]+\s+import\s | require\s*\( | \#include
      | (?:if|for|while|switch|catch|elif|else\s+if)\s*\(.*[{):]\s*$ | (?:if|for|while|elif|with|try|else|except)\b[^.!?,]{0,120}:\s*$
      | return(?:\s+[\w.\[\]()"']+)?;?\s*$ | (?:else|try|finally)\s*[{:] | [{}\[\]();,]+\s*$
      | (?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|WITH)\s.*\b(?:FROM|INTO|SET|TABLE|INDEX|WHERE|AS)\b
      | (?:sudo|apt|pip|npm|npx|yarn|git|docker|kubectl|cargo|curl|wget|cd|ls|export|RUN|FROM|COPY|ENV)
        \s+(?:-{1,2}\w|install|run|commit|push|build|get|add|[\w./-]*[/=][^ ]*\s*$)
      | [\w.\[\]"'-]+\s*(?:=|\+=|:=|==|=>)\s*\S[^.!?]*$ | "[\w.-]+"\s*: | [\w.]+\([^ ]*\)\s*;?\s*$ | \w+(?:\.\w+)+\(.*\)\s*[;{]?\s*$
    )""",
    re.VERBOSE,
)
_LOG = re.compile(
    r"""\s*(?:
        \[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d | \[?\d\d:\d\d:\d\d | \[?\w{3}\s+\d{1,2}\s\d\d:\d\d:\d\d | \d{1,3}(?:\.\d{1,3}){3}\s-\s
      | [\[(<]?(?:DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL|TRACE|E/|W/|I/)[\])>:\s|]
      | Traceback\s\(
      | File\s"[^"]+",\sline\s\d | at\s[\w$.<>]+[(:]
      | Caused\sby: | \w*(?:Error|Exception|Warning)(?:\[\w+\])?:\s
      | (?:npm|yarn|error|warning|fatal|panic|goroutine)(?:\sERR!|\[E\d+\]|:\s)
      | -->\s
      | (?:[0-9a-f]{2}\s){6} | [0-9a-f]{8}[:\s]\s? | (?:User|Human|Assistant|AI|System|Bot|ChatGPT|Claude):\s
      | (?:From|To|Cc|Subject|Sent|Content-Type|Host|Accept|Authorization):\s
    )""",
    re.VERBOSE,
)
_QUOTED = re.compile(
    r"\s*(?:\"[^\"]*\"|\u201c[^\u201d]*\u201d|\u201e[^\u201c\u201d]*[\u201c\u201d]|\u00ab[^\u00bb]*\u00bb|'[^']*')[.!?]?\s*$"
)

_POLITE = (
    r"(?:(?:please|pls|can you|could you|would you|now|hi|hello|hey|i (?:need|want) you to|bitte|kannst du|könntest du|können sie|"
    r"bonjour|"
    r"peux-tu|pouvez-vous|pourrais-tu|hola|por favor|puedes|podrías|help me|hilf mir|aide-moi à|ayúdame a)[,!.]?\s+){0,3}"
)
_REWORK = (
    r"(?:translate|summari[sz]e|proofread|rewrite|rephrase|paraphrase|reword|correct|shorten|polish|tl;?dr|übersetzen?|übersetze?|"
    r"fass(?:e|en)?|korrigier(?:e|en)?|"
    r"formulier(?:e|en)?|kürzen?|traduis|traduire|traduisez|résume[rz]?|corrige[rz]?|reformule[rz]?|traduce|traducir|traduzca|resume|"
    r"resumir|resuma|corrige|"
    r"corregir|reescribe|reformula|traduci|riassumi|traduza|resuma|переведи|翻译|翻譯|总结|要約|翻訳)"
)
_EXAMINE = (
    r"(?:explain|fix|review|analy[sz]e|classify|extract|improve|edit|check|debug|reply to|respond to|answer|evaluate|grade|read|"
    r"refactor|convert|erklär\w*|prüf\w*|verbesser\w*|"
    r"analysier\w*|beantworte|explique\w*|analyse\w*|vérifie\w*|améliore\w*|réponds|explica\w*|analiza\w*|revisa\w*|mejora\w*|"
    r"responde|extrae)"
)
_MATERIAL = (
    r"(?:text|sentences?|paragraph|passage|e?-?mail|message|code|error|logs?|output|articles?|essay|quote|following|below|this|letter|"
    r"poem|document|review|story|"
    r"transcript|abstract|snippet|traceback|stack ?trace|file|config|folgende\w*|satz|absatz|nachricht|fehler\w*|artikel|ausgabe|"
    r"diesen?|texte|phrase|suivante?s?|"
    r"erreur|message|lettre|texto|frase|siguientes?|correo|mensaje|código|artículo)"
)
_PASTE = re.compile(
    rf"(?:^|[.!?]\s+)\W?{_POLITE}(?:"
    rf"{_REWORK}\b[^:.!?]{{0,100}}(?P<inline>:)(?=\s|$)"
    rf"|{_EXAMINE}\b[^:.!?]{{0,60}}\b{_MATERIAL}\b[^:.!?]{{0,60}}(?P<given>:)(?=\s|$)"
    rf"|(?:here(?:'s|\u2019s| is| are)|hier (?:ist|sind)|voici|aquí (?:está|tienes)|this is|das ist|"
    rf"below is)\s[^:.!?]{{0,40}}\b{_MATERIAL}\b[^:.!?]{{0,60}}(?P<shown>:)\s*$"
    rf"|(?P<whole>{_REWORK}\s+\w[^:.!?]{{0,80}}[.!]?)\s*$)",
    re.IGNORECASE,
)


def code_like(line: str) -> bool:
    """Whether a line is code, a log, a quote or a table rather than a sentence."""
    head = line[:_LONGEST]
    return bool(_CODE.match(head) or _LOG.match(head) or _QUOTED.match(head)) or _mostly_signs(head)


def paste_begins(line: str, *, more: bool) -> int | None:
    """Where a text to work on begins, as in "Translate this: ..."; None if it does not. `more`: other text follows this line."""
    found = _PASTE.search(line[:_LONGEST])
    if found is None:
        return None
    if found["whole"] is not None:
        return found.end() if more else None
    return found.end()


def _mostly_signs(line: str) -> bool:
    """Whether there are too few letters for prose, as in data, base64, rulers and hex."""
    dense = line.strip()
    if len(dense) < 8:
        return False
    letters = sum(map(str.isalpha, dense))
    unbroken = len(dense) > 80 and dense.isascii() and " " not in dense
    return unbroken or letters < 0.35 * len(dense.replace(" ", ""))
