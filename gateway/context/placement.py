"""Where the block goes in a chat body. Bodies are never changed in place; messages that stay the same stay the same objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gateway.context.query import without_blocks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gateway.turn import Placement

_SYSTEM = ("system", "developer")
_EMPTY = ({"type": "text", "text": ""}, {"type": "input_text", "text": ""})


def with_block(body: Mapping[str, Any], block: str, placement: Placement) -> dict[str, Any] | None:
    """A copy of `body` with `block` in its place and blocks that were left in its messages removed; None when nothing changes."""
    messages = body.get("messages")
    if not isinstance(messages, list):
        return None
    cleaned = [_cleaned(message) for message in messages]
    changed = any(new is not old for new, old in zip(cleaned, messages, strict=True))
    if block:
        cleaned = _at_last_user(cleaned, block) if placement == "last_user" else _at_head(cleaned, block)
    return {**body, "messages": cleaned} if block or changed else None


def _cleaned(message: Any) -> Any:
    """The message without blocks of an earlier turn; the same object when there is none."""
    if not isinstance(message, dict) or message.get("role") not in (*_SYSTEM, "user"):
        return message
    content = message.get("content")
    if isinstance(content, str):
        text = without_blocks(content)
        return message if text is content else {**message, "content": text}
    if not isinstance(content, list):
        return message
    parts = [_cleaned_part(part) for part in content]
    same = all(new is old for new, old in zip(parts, content, strict=True))
    return message if same else {**message, "content": [part for part in parts if part not in _EMPTY]}


def _cleaned_part(part: Any) -> Any:
    if not isinstance(part, dict) or not isinstance(part.get("text"), str):
        return part
    text = without_blocks(part["text"])
    return part if text is part["text"] else {**part, "text": text}


def _at_head(messages: list[Any], block: str) -> list[Any]:
    first = messages[0] if messages else None
    if not isinstance(first, dict) or first.get("role") not in _SYSTEM or not _can_take_text(first):
        return [{"role": "system", "content": block}, *messages]
    return [_prefixed(first, block), *messages[1:]]


def _at_last_user(messages: list[Any], block: str) -> list[Any]:
    for index in range(len(messages) - 1, -1, -1):
        message = messages[index]
        if isinstance(message, dict) and message.get("role") == "user" and _can_take_text(message):
            return [*messages[:index], _prefixed(message, block), *messages[index + 1 :]]
    return _at_head(messages, block)


def _can_take_text(message: dict[str, Any]) -> bool:
    content = message.get("content")
    return content is None or isinstance(content, str | list)


def _prefixed(message: dict[str, Any], block: str) -> dict[str, Any]:
    """The message with the block in front; behind the last part that has `cache_control`, so that the client's cached prefix stays."""
    content = message.get("content")
    if isinstance(content, list):
        marked = [index for index, part in enumerate(content) if isinstance(part, dict) and "cache_control" in part]
        place = marked[-1] + 1 if marked else 0
        part = {"type": _text_type(content), "text": f"{block}\n\n"}
        return {**message, "content": [*content[:place], part, *content[place:]]}
    return {**message, "content": f"{block}\n\n{content}" if content else block}


def _text_type(content: list[Any]) -> str:
    """The type of text parts as this client writes them."""
    types = (part.get("type") for part in content if isinstance(part, dict))
    return "input_text" if "input_text" in types else "text"
