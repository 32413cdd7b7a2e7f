"""kill -9 at random moments under load: what a client was given is remembered, once, and the databases stay whole."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import random
import re
import sqlite3
from collections import Counter
from typing import TYPE_CHECKING

import httpx
import psutil  # type: ignore[import-untyped]
import pytest

from tests.e2e.gateway_process import GatewayProcess
from tests.e2e.memory_api import every_memory, wait_until_committed
from tests.fakes.model_scripts import answer
from tests.fakes.model_server import ModelServer, Received, Script, Wire

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ROUNDS = int(os.environ.get("KILL_ROUNDS", "100"))
USERS = tuple(f"user-{n}" for n in range(8))
WORD = re.compile(r"plum\d{6}")
LONGEST_S = 0.8
"""A round ends by SIGKILL after at most this many seconds of load."""

pytestmark = [pytest.mark.long, pytest.mark.timeout(240 + 20 * ROUNDS)]


def _each_its_own() -> Script:
    numbers = itertools.count(1)

    async def script(wire: Wire, request: Received) -> None:
        await answer(wire, request.body, f"Noted as number {next(numbers)}.")

    return script


@pytest.fixture(scope="module")
def models() -> Iterator[ModelServer]:
    with ModelServer(_each_its_own()) as server:
        yield server


@pytest.fixture(scope="module")
def gateway(models: ModelServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[GatewayProcess]:
    config = {
        "upstreams": {"scripted": {"url": models.url, "local": True, "models": ["any"]}},
        "egress": {"ner": "off"},  # thousands of turns pile up over the rounds, and names take most of the time to judge
    }
    running = GatewayProcess(tmp_path_factory.mktemp("killed"), config)
    yield running
    running.stop()


class Load:
    """Users who each state one fact after the other. `answered` holds (user, word) whose last byte a client got."""

    def __init__(self, url: str) -> None:
        self.answered: list[tuple[str, str]] = []
        self._url = url
        self._count = 0

    async def until_killed(self, gateway: GatewayProcess, seconds: float) -> None:
        """All users at once; after `seconds` the gateway is killed, which ends each of them."""
        async with httpx.AsyncClient(base_url=self._url, trust_env=False, timeout=20) as client:
            users = [asyncio.create_task(self._states_facts(client, user)) for user in USERS]
            await asyncio.sleep(seconds)  # the moment of the crash is what is varied
            gateway.kill()
            await asyncio.gather(*users)

    async def _states_facts(self, client: httpx.AsyncClient, user: str) -> None:
        while True:
            self._count += 1
            word = f"plum{self._count:06d}"
            body = {"model": "any", "messages": [{"role": "user", "content": fact(word)}], "stream": self._count % 2 == 0}
            try:
                if await self._last_byte_came(client, user, body):
                    self.answered.append((user, word))
            except httpx.TransportError:
                return

    async def _last_byte_came(self, client: httpx.AsyncClient, user: str, body: dict[str, object]) -> bool:
        got = b""
        async with client.stream("POST", "/v1/chat/completions", json=body, headers={"x-eluvix-user": user}) as response:
            try:
                async for piece in response.aiter_raw():
                    got += piece
            except httpx.TransportError:
                return b"data: [DONE]" in got
        assert response.status_code == 200, got
        return True


def fact(word: str) -> str:
    """A statement that the rules keep as a memory."""
    return f"I prefer the colour {word} for my garden shed."


def _whole(database: Path) -> bool:
    with contextlib.closing(sqlite3.connect(database)) as connection:
        (verdict,) = connection.execute("PRAGMA integrity_check").fetchone()
    return bool(verdict == "ok")


@pytest.fixture(scope="module")
def load(gateway: GatewayProcess) -> Load:
    """All rounds, then a last start that finishes what was left."""
    chance = random.Random(7)
    made = Load(gateway.url)
    for _ in range(ROUNDS):
        gateway.start()
        asyncio.run(made.until_killed(gateway, chance.uniform(0.02, LONGEST_S)))
    gateway.start()
    wait_until_committed(gateway, seconds=120 + 5 * ROUNDS)
    return made


def test_every_turn_that_a_client_was_given_is_remembered_once(load: Load, gateway: GatewayProcess) -> None:
    with gateway.client() as client:
        texts = {user: [memory["text"] for memory in every_memory(client, user)] for user in USERS}
    kept = Counter((user, word) for user in USERS for text in texts[user] for word in WORD.findall(text))
    lost = [pair for pair in load.answered if kept[pair] == 0]
    assert len(load.answered) > ROUNDS
    assert not lost, f"{len(lost)} of {len(load.answered)} answered turns are gone"
    assert {pair: count for pair, count in kept.items() if count > 1} == {}


def test_both_databases_are_whole(load: Load, gateway: GatewayProcess) -> None:
    assert _whole(gateway.home / "memory.db")
    assert _whole(gateway.home / "state.db")


def test_a_killed_gateway_leaves_no_child_behind(load: Load, gateway: GatewayProcess) -> None:
    children = psutil.Process(gateway.pid).children(recursive=True)
    gateway.kill()
    _, alive = psutil.wait_procs(children, timeout=15)
    gateway.start()
    assert alive == []
