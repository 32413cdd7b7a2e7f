"""How parent and child speak: a four-byte length, then JSON."""

from __future__ import annotations

import struct
from typing import Any

import orjson

LENGTH = struct.Struct("!I")
MAX_FRAME = 64 * 1024 * 1024
"""Bytes of JSON in one frame."""


class TooLong(Exception):
    """A message is longer than MAX_FRAME."""


def frame(message: dict[str, Any]) -> bytes:
    """A message as it travels. Lone surrogates, which JSON cannot carry, become `?`. Raises TooLong."""
    try:
        body = orjson.dumps(message)
    except TypeError:
        body = orjson.dumps(_sendable(message))
    if len(body) > MAX_FRAME:
        raise TooLong
    return LENGTH.pack(len(body)) + body


def _sendable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_sendable(key): _sendable(item) for key, item in value.items()}
    return [_sendable(item) for item in value] if isinstance(value, list | tuple) else value
