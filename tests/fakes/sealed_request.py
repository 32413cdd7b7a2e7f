"""A request that is sealed without a guard, for tests of what comes after it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gateway.turn import Injected, Outbound

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gateway.turn import Endpoint


@dataclass(frozen=True, slots=True)
class SealedRequest(Outbound):
    """An Outbound with a body of the test's choice."""

    upstream: str = "ollama"
    url: str = "http://127.0.0.1:11434/v1"
    endpoint: Endpoint = "/chat/completions"
    body: bytes = b'{"model":"llama3","messages":[]}'
    model: str = "llama3"
    stream: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)
    injected: Injected = field(default_factory=Injected)

    def _sealed_by_the_guard(self) -> None:
        """Made by a test."""
