"""The memories that the benchmark's user has: facts as people tell them, some of which fit the question of the memory cells."""

from __future__ import annotations

import httpx

USER = "bench"
COUNT = 600

FACTS = (
    "When a ticket about service {n} comes in we look at the dashboard of region {n} next.",
    "The backup of host {n} runs at {h}:15 and takes about forty minutes.",
    "I prefer tabs over spaces in the repository of project {n}.",
    "My colleague on team {n} is on holiday until the {d}th.",
    "The staging database {n} speaks PostgreSQL and keeps thirty days of data.",
    "We decided against microservices for product {n} after the outage of day {d}.",
    "I drink my coffee black and never more than {n} cups a month.",
    "Release {n} has to pass the load test with two hundred connections.",
    "The customer with contract {n} wants invoices on the {d}th of the month.",
    "My favourite editor theme is number {n}, with a dark background.",
    "The build of branch {n} uses the cache of the nightly job at {h}:30.",
    "I am learning Portuguese and have reached lesson {n}.",
)
"""One in twelve shares words with the question: recall has to tell it from the others."""

QUESTION = "Ticket 7: What should we look at next?"


def texts() -> list[str]:
    """All of them; no two are alike."""
    return [FACTS[n % len(FACTS)].format(n=n, d=n % 28 + 1, h=n % 12 + 7) for n in range(COUNT)]


def remember(port: int, password: str) -> str:
    """Stores them for USER; returns the `x-eluvix-memory` of a first request that recalls some. Raises httpx.HTTPStatusError."""
    headers = {"authorization": f"Bearer {password}"}
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=60, trust_env=False) as client:
        for text in texts():
            add = {"action": "add", "userId": USER, "text": text}
            client.post("/api/v1/memory", json=add).raise_for_status()
        ask = {"model": "mock-200-0", "messages": [{"role": "user", "content": QUESTION}]}
        answer = client.post("/v1/chat/completions", json=ask, headers={"x-eluvix-user": USER, "authorization": ""})
    status: str = answer.raise_for_status().headers.get("x-eluvix-memory", "")
    return status
