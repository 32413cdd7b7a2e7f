"""Asking an upstream through a wire client, as the tests of its parts do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gateway.upstreams.wire.client import Client

if TYPE_CHECKING:
    from gateway.upstreams.wire.exchange import Exchange

MakeClient = Callable[..., Client]
"""The `client` fixture: from a url and settings to a client that is closed in the end."""
CHAT = "/chat/completions"


async def ask(client: Client, body: bytes = b"{}") -> Exchange:
    """Sends a request; the answer is the caller's to close."""
    return await client.post(CHAT, body, {})


async def whole(client: Client, body: bytes = b"{}") -> bytes:
    """The body of the answer."""
    answer = await ask(client, body)
    try:
        return await answer.read()
    finally:
        answer.close()
