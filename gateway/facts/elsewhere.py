"""Languages without rules of their own: their questions, requests and greetings are known, what else is said is kept as a turn."""

from __future__ import annotations

import re
from typing import Final

from gateway.facts.language import Language, starts

_NEVER = re.compile(r"(?!)")

ELSEWHERE: Final = Language(
    code="",
    common=frozenset(),
    pleasantry=re.compile(
        r"(?:(?:olá|oi|ciao|salve|buongiorno|buonasera|hoi|hallo|obrigad[oa]|grazie(?: mille)?|dank(?: je| u)?(?: wel)?|bedankt|привет|"
        r"здравствуйте|спасибо|хорошо|дякую|你好|您好|谢谢|謝謝|好的|こんにちは|おはよう(?:ございます)?|ありがとう(?:ございます|ございました)?|"
        r"안녕하세요|감사합니다|고마워요?|cześć|dzięki|"
        r"dziękuję|merhaba|teşekkürler|hej|tack|مرحبا|شكرا|bom dia|boa tarde|boa noite)[\s!.,。！、，]*)+$",
        re.IGNORECASE,
    ),
    question=re.compile(
        r".{0,400}(?:[吗嗎呢]|ですか|ますか|でしょうか|ましたか|까요?)\s*[.。!！]*$|"
        r"(?:как|что|почему|зачем|где|когда|кто|сколько|какой|какая|какие|come|cosa|perché|dove|quando è|quanto|quali?|hoe|waarom|"
        r"wat is|waar|"
        r"como (?:posso|faço|é)|o que|por que|qual|quais|什么是|为什么|怎么|如何|なぜ|どう(?:やって|して))(?!\w)",
        re.IGNORECASE | re.DOTALL,
    ),
    request=re.compile(
        r"请|請|帮我|幫我|给我|給我|告诉我|翻译|解释|写一|.{0,400}(?:ください|下さい|教えて|して欲しい|してほしい|해\s?줘|해\s?주세요|알려\s?줘|알려\s?주세요)\s*[.。!！]*$|"
        r"(?:пожалуйста|напиши|объясни|расскажи|покажи|сделай|переведи|помоги|дай|создай|составь|найди|scrivi\w*|spiega\w*|dimmi|"
        r"dammi|aiutami|traduci|crea|"
        r"fammi|mostrami|schrijf|geef|vertel|vertaal|help|maak|kun je|kan je|kunt u|escreva|explique|traduza|crie|faça|mostre|liste|"
        r"me (?:ajude|diga|explique)|"
        r"você pode|pode me|puoi|potresti)(?!\w)",
        re.IGNORECASE | re.DOTALL,
    ),
    request_inside=starts(r"请|請|帮我|幫我|пожалуйста|per favore|alsjeblieft|por favor|puoi|potresti|kun je|você pode"),
    statement=starts(r"(?:我|我们|我們|私は|私の|僕は|저는|제|я|мой|моя|мои|мы|наш\w*|eu|meu|minha|io|mio|mia|ik|mijn|wij|nosso|nossa)\w*"),
    subordinate=starts(r"(?:если|когда|если бы|se|quando|als|wanneer|如果|当|もし)"),
    joint=_NEVER,
    instruction=_NEVER,
    rules=(),
)
