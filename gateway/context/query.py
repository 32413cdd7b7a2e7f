"""What a turn asks memory for: the last thing that the user wrote."""

from __future__ import annotations

import re

TEXT_PARTS = ("text", "input_text")
MAX_QUERY_CHARS = 4000
_OPENING = re.compile(r"<recalled_context\b", re.IGNORECASE)
_CLOSING = re.compile(r"</recalled_context\s*>\s*", re.IGNORECASE)


def text_of(content: object) -> str:
    """The text in a message's `content`: a string, or the text parts of a list; images, audio and files count for nothing."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = (part.get("text") for part in content if isinstance(part, dict) and part.get("type") in TEXT_PARTS)
    return "\n".join(text for text in parts if isinstance(text, str))


def without_blocks(text: str) -> str:
    """`text` without any `<recalled_context>` element that was left in it. Takes time in proportion to the text, whatever it holds."""
    kept, start = [], 0
    while (opening := _OPENING.search(text, start)) and (closing := _CLOSING.search(text, opening.end())):
        kept.append(text[start : opening.start()])
        start = closing.end()
    return "".join((*kept, text[start:])) if kept else text


def last_user_text(messages: object) -> str:
    """The text of the last message of role `user`; "" when it has none. A tool-result turn keeps the user's question."""
    for message in reversed(messages) if isinstance(messages, list | tuple) else ():
        if isinstance(message, dict) and message.get("role") == "user":
            return without_blocks(text_of(message.get("content"))).strip()
    return ""


def recall_query(messages: object) -> str:
    """What to search for: the last user text, cut in the middle when it is very long (its ends say what is wanted)."""
    text = last_user_text(messages)
    if len(text) <= MAX_QUERY_CHARS:
        return text
    half = MAX_QUERY_CHARS // 2
    return f"{text[:half]}\n{text[-half:]}"
