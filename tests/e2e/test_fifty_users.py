"""Fifty users at once, some of whom hang up, before a model server that drops, stalls and refuses: nobody sees another's memories."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections import Counter
from dataclasses import dataclass, field
from statistics import mean
from typing import TYPE_CHECKING

import httpx
import psutil  # type: ignore[import-untyped]
import pytest

from tests.e2e.gateway_process import GatewayProcess
from tests.e2e.memory_api import wait_until_committed
from tests.fakes.model_scripts import answer, chunk
from tests.fakes.model_server import Cut, ModelServer, Received, Script, Wire

if TYPE_CHECKING:
    from collections.abc import Iterator

USERS = 50
REQUESTS = 1_000
MARK = re.compile(r"mark-of-(\d{2})")
OWN = ("The garden shed of mark-of-{} is green.", "mark-of-{} waters the roses in the garden.", "The garden of mark-of-{} has a pond.")
PATIENCE_S = 3.0
"""How long a client waits for the next byte of a stream before it hangs up."""

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]


def _unreliable() -> Script:
    """Of 100 answers 3 are dropped connections, 3 stall for good after the first word, 4 are refusals."""
    numbers = itertools.count()

    async def script(wire: Wire, request: Received) -> None:
        turn = next(numbers) % 100
        if turn in {11, 44, 77}:
            raise Cut
        if turn in {22, 55, 88}:
            await _stall(wire, request)
        if turn in {5, 30, 60, 90}:
            await wire.send_json({"error": {"message": "Slow down.", "type": "requests", "code": "rate_limit_exceeded"}}, 429)
            return
        await answer(wire, request.body, f"Answer {turn} with a few words in it.")

    return script


async def _stall(wire: Wire, request: Received) -> None:
    if request.body.get("stream"):
        await wire.start_events()
        await wire.event(chunk("any", {"role": "assistant", "content": "Well"}))
    await wire.peer_left()


@dataclass(slots=True)
class Seen:
    """What the clients got, and the serving process' resident memory along the way, in bytes."""

    outcomes: Counter[str] = field(default_factory=Counter)
    resident: list[int] = field(default_factory=list)
    files: list[int] = field(default_factory=list)
    """Open files and sockets of the serving process when it was idle: after the first half, after the second."""


@pytest.fixture(scope="module")
def models() -> Iterator[ModelServer]:
    with ModelServer(_unreliable()) as server:
        yield server


@pytest.fixture(scope="module")
def gateway(models: ModelServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[GatewayProcess]:
    config = {"upstreams": {"scripted": {"url": models.url, "local": True, "models": ["any"]}}}
    with GatewayProcess(tmp_path_factory.mktemp("fifty"), config) as running:
        yield running


def _remember(gateway: GatewayProcess) -> None:
    """Three memories for each user; every one carries its owner's mark."""
    texts = (
        "The garden shed of mark-of-{} is green.",
        "mark-of-{} waters the roses in the garden.",
        "The garden of mark-of-{} has a pond.",
    )
    with gateway.client() as client:
        for user, text in itertools.product(range(USERS), texts):
            add = {"action": "add", "userId": f"user-{user:02d}", "text": text.format(f"{user:02d}")}
            client.post("/api/v1/memory", json=add).raise_for_status()


async def _ask(client: httpx.AsyncClient, user: int, number: int) -> str:
    """One question; what became of it: a status, or that the client hung up."""
    question = f"I am mark-of-{user:02d}. What about my garden shed and the pond, number {number}?"
    body = {"model": "any", "messages": [{"role": "user", "content": question}], "stream": number % 2 == 0}
    leaves = (user + number) % 20 == 0
    try:
        async with client.stream("POST", "/v1/chat/completions", json=body, headers={"x-eluvix-user": f"user-{user:02d}"}) as response:
            async for _ in response.aiter_raw():
                if leaves:
                    return "left"
            return str(response.status_code)
    except httpx.ReadTimeout:
        return "hung up"
    except httpx.RemoteProtocolError:
        return "broken off"


async def _half(gateway: GatewayProcess, seen: Seen, numbers: range) -> None:
    process = psutil.Process(gateway.pid)
    timeout = httpx.Timeout(30, read=PATIENCE_S)
    limits = httpx.Limits(max_connections=USERS)

    async def one_user(client: httpx.AsyncClient, user: int) -> None:
        for number in numbers:
            seen.outcomes[await _ask(client, user, number)] += 1
            if user == 0:
                seen.resident.append(process.memory_info().rss)

    async with httpx.AsyncClient(base_url=gateway.url, trust_env=False, timeout=timeout, limits=limits) as client:
        await asyncio.gather(*(one_user(client, user) for user in range(USERS)))


@pytest.fixture(scope="module")
def seen(gateway: GatewayProcess) -> Seen:
    """The whole load, in two halves with a pause between."""
    _remember(gateway)
    result, each = Seen(), REQUESTS // USERS
    for numbers in (range(each // 2), range(each // 2, each)):
        asyncio.run(_half(gateway, result, numbers))
        wait_until_committed(gateway)
        result.files.append(psutil.Process(gateway.pid).num_fds())
    return result


def test_every_request_ends_in_a_way_that_a_client_understands(seen: Seen) -> None:
    assert sum(seen.outcomes.values()) == REQUESTS
    assert set(seen.outcomes) <= {"200", "429", "502", "left", "hung up"}
    assert seen.outcomes["200"] > REQUESTS * 0.7
    assert min(seen.outcomes["left"], seen.outcomes["429"], seen.outcomes["hung up"]) > 0


def test_no_request_carries_what_belongs_to_another_user(seen: Seen, models: ModelServer) -> None:
    with_memories = 0
    for request in models.chats():
        text = request.raw.decode()
        owner = MARK.findall(request.body["messages"][-1]["content"])
        assert set(MARK.findall(text)) == set(owner)
        with_memories += "<recalled_context" in text
    assert with_memories > REQUESTS * 0.9, "hardly anything was recalled: this proves nothing"


def test_the_model_server_was_told_of_every_client_that_hung_up(seen: Seen, models: ModelServer) -> None:
    stalled = [request for request in models.chats() if request.left.is_set()]
    assert len(stalled) >= seen.outcomes["hung up"]


def test_nothing_stays_open(seen: Seen, gateway: GatewayProcess, models: ModelServer) -> None:
    inbound = [
        link for link in psutil.Process(gateway.pid).net_connections() if link.laddr.port == gateway.port and link.status == "ESTABLISHED"
    ]
    assert inbound == []
    assert models.open_connections <= USERS
    first, second = seen.files
    assert second <= first + 5, f"{first} open files after the first half, {second} after the second"


def test_memory_stays_flat(seen: Seen) -> None:
    third = len(seen.resident) // 3
    middle, last = mean(seen.resident[third : 2 * third]), mean(seen.resident[2 * third :])
    assert last <= middle * 1.15, f"{middle / 2**20:.0f} MiB, then {last / 2**20:.0f} MiB"
