"""What the end-to-end tests ask a running gateway about: its memories and its figures."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import httpx

    from tests.e2e.gateway_process import GatewayProcess

QUEUED = 'eluvix_outbox_turns{state="pending"}'
DEAD = 'eluvix_outbox_turns{state="dead"}'


def figures(client: httpx.Client) -> dict[str, float]:
    """Every sample of /metrics by its full name, labels included."""
    lines = client.get("/metrics").raise_for_status().text.splitlines()
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines if line and line[0] != "#")}


def wait_until_committed(gateway: GatewayProcess, seconds: float = 60.0) -> None:
    """Returns when no finished turn waits for being stored any more."""
    deadline = time.monotonic() + seconds
    with gateway.client() as client:
        while figures(client).get(QUEUED, 0.0) > 0:
            assert time.monotonic() < deadline, "turns still wait in the outbox"
            time.sleep(0.05)
        assert figures(client).get(DEAD, 0.0) == 0, "turns were given up"


def every_memory(client: httpx.Client, user: str) -> list[dict[str, Any]]:
    """All memories of one user, page by page."""
    found: list[dict[str, Any]] = []
    cursor: str | None = None
    while True:
        asked = {"userId": user, "limit": "100"} | ({"cursor": cursor} if cursor else {})
        page = client.get("/api/v1/memory", params=asked).raise_for_status().json()
        found += page["memories"]
        cursor = page.get("cursor")
        if cursor is None:
            return found
