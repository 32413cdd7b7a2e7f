"""Asking a server which models it offers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from gateway.errors import UpstreamError
from gateway.upstreams.base import ModelInfo, Timeouts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gateway.upstreams.base import Answer
    from gateway.upstreams.wire.client import Client

BODY_LIMIT = 8 * 1024 * 1024
"""Bytes of a list of models."""
TIMEOUTS = Timeouts(connect=5.0, first_byte=5.0, between=5.0, total=5.0)


async def list_models(client: Client, name: str, path: str, *, from_root: bool = False) -> list[ModelInfo]:
    """The models that upstream `name` lists at `path`. Raises UpstreamError when there is no such list, or none in time."""
    answer = await client.get(path, TIMEOUTS, from_root=from_root)
    try:
        body = await _read(answer, name)
    finally:
        answer.close()
    if answer.status != 200:
        message = f"Upstream {name!r} answered {answer.status} when asked for its models. Check its url and api_key."
        raise UpstreamError(message)
    return parse_models(body, name)


def parse_models(body: bytes, name: str) -> list[ModelInfo]:
    """Reads OpenAI's `{"data": [{"id"}]}`, Ollama's `{"models": [{"name"}]}`, or a bare list.

    Entries without a name are left out. Raises UpstreamError when it is no list of models at all.
    """
    try:
        listing = orjson.loads(body)
    except ValueError:
        listing = None
    if isinstance(listing, dict):
        listing = listing.get("data", listing.get("models"))
    if not isinstance(listing, list):
        message = f"Upstream {name!r} did not answer with a list of models. Check its url and kind."
        raise UpstreamError(message)
    entries = [{"id": entry} if isinstance(entry, str) else entry for entry in listing]
    named = [(_model_id(entry), entry) for entry in entries if isinstance(entry, dict)]
    return [ModelInfo(model, entry) for model, entry in named if model is not None]


def _model_id(entry: Mapping[str, object]) -> str | None:
    for key in ("id", "name", "model"):
        value = entry.get(key)
        if isinstance(value, str) and value:
            return value
    return None


async def _read(answer: Answer, name: str) -> bytes:
    parts, size = [], 0
    async for piece in answer.pieces():
        parts.append(piece)
        size += len(piece)
        if size > BODY_LIMIT:
            message = f"The list of models of upstream {name!r} is over {BODY_LIMIT // 1024 // 1024} MiB. Check its url."
            raise UpstreamError(message)
    return b"".join(parts)
