"""Who may use the memory API, and that nobody sees or changes what is another user's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from providers.base import NewMemory
from tests.fakes.parts import ANYONES_KEY, BOBS_KEY, PASSWORD, running
from tests.http.conftest import client_of, whole

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import httpx2

    from tests.fakes.parts import Running

MEMORY = "/api/v1/memory"
EVERY_CALL: list[tuple[str, str, dict[str, Any] | bytes | None]] = [
    ("GET", "", None),
    ("GET", "?query=secret", None),
    ("GET", "/preview?query=secret", None),
    ("GET", "/export", None),
    ("GET", "/m1", None),
    ("GET", "/commits/{commit}", None),
    ("PATCH", "/m1", {"text": "changed"}),
    ("DELETE", "/m1", None),
    ("POST", "", {"action": "add", "text": "added"}),
    ("POST", "", {"action": "commit", "messages": [{"role": "user", "content": "added"}]}),
    ("POST", "", {"action": "clear"}),
    ("POST", "/import", b'{"text": "added"}'),
]


@pytest.fixture
async def alices(gateway: Running) -> Running:
    """Alice has a memory, and a turn that waits to be committed."""
    await gateway.store.add("alice", [NewMemory("a secret of alice")])
    gateway.outbox.stuck = True
    async with client_of(whole(gateway)) as admin:
        body = {"action": "commit", "userId": "alice", "messages": [{"role": "user", "content": "alice waits"}]}
        await admin.post(MEMORY, json=body, headers={"authorization": f"Bearer {PASSWORD}"})
    return gateway


@pytest.fixture
async def bob(alices: Running) -> AsyncIterator[httpx2.AsyncClient]:
    """A client with the key that is bound to bob."""
    async with client_of(whole(alices)) as client:
        client.headers["authorization"] = f"Bearer {BOBS_KEY}"
        yield client


async def send(
    client: httpx2.AsyncClient, call: tuple[str, str, Any], user: str | None, headers: dict[str, str] | None = None
) -> httpx2.Response:
    """Sends one of EVERY_CALL for `user`, named where that call takes it."""
    method, path, body = call
    params = {}
    if user is not None and isinstance(body, dict) and method == "POST":
        body = {**body, "userId": user}
    elif user is not None:
        params = {"userId": user}
    path, _, query = path.partition("?")
    params |= dict(pair.split("=") for pair in query.split("&") if pair)
    content: dict[str, Any] = {"content": body} if isinstance(body, bytes) else {"json": body} if body else {}
    return await client.request(method, MEMORY + path, params=params, headers=headers or {}, **content)


def untouched(gateway: Running) -> bool:
    (exchange,) = [exchange for exchange, _ in gateway.outbox.rows.values() if exchange.user == "alice"]
    return [memory.text for memory in gateway.store.kept["alice"]] == ["a secret of alice"] and exchange.question == "alice waits"


def named(call: tuple[str, str, Any], gateway: Running) -> tuple[str, str, Any]:
    return (call[0], call[1].format(commit=next(iter(gateway.outbox.rows))), call[2])


@pytest.mark.parametrize("call", EVERY_CALL)
async def test_without_a_password_or_key_nothing_is_answered(call: tuple[str, str, Any], alices: Running) -> None:
    async with client_of(whole(alices)) as client:
        for headers in (
            {},
            {"authorization": "Bearer wrong"},
            {"authorization": "Bearer"},
            {"authorization": PASSWORD},
            {"authorization": f"Basic {PASSWORD}"},
        ):
            answer = await send(client, named(call, alices), "alice", headers)
            assert (answer.status_code, answer.json()["error"]["type"]) == (401, "authentication_error")
            assert answer.headers["www-authenticate"].startswith("Bearer")
            assert "secret" not in answer.text
    assert untouched(alices)


async def test_who_is_asking_is_settled_before_the_body_is_looked_at(anonymous: httpx2.AsyncClient) -> None:
    for answer in (await anonymous.post(MEMORY, content=b"{"), await anonymous.get(MEMORY, params={"limit": "many"})):
        assert answer.status_code == 401


@pytest.mark.parametrize("call", EVERY_CALL)
async def test_a_bound_key_that_names_another_user_is_forbidden(
    call: tuple[str, str, Any], bob: httpx2.AsyncClient, alices: Running
) -> None:
    for user, headers in (
        ("alice", {}),
        (None, {"x-eluvix-user": "alice"}),
        ("bob", {"x-eluvix-user": "alice"}),
        ("alice", {"x-eluvix-user": "bob"}),
    ):
        answer = await send(bob, named(call, alices), user, headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "other_user")
    assert untouched(alices)


@pytest.mark.parametrize("user", [None, "bob"])
@pytest.mark.parametrize("call", EVERY_CALL)
async def test_a_bound_key_reaches_nothing_of_another_user_not_even_by_a_guessed_id(
    call: tuple[str, str, Any], user: str | None, bob: httpx2.AsyncClient, alices: Running
) -> None:
    answer = await send(bob, named(call, alices), user)
    if "m1" in call[1] or "commits" in call[1]:
        assert answer.status_code == 404
    else:
        assert answer.status_code in {200, 202}
    assert "secret of alice" not in answer.text
    assert "alice" not in answer.text
    assert untouched(alices)


@pytest.mark.parametrize("user", ["Bob", "bob ", "BOB", "b%6Fb"])
async def test_names_that_look_like_the_keys_user_are_other_users(user: str, bob: httpx2.AsyncClient) -> None:
    assert (await bob.get(MEMORY, params={"userId": user})).status_code in {400, 403}


async def test_a_bound_key_manages_its_own_users_memories(bob: httpx2.AsyncClient) -> None:
    added = (await bob.post(MEMORY, json={"action": "add", "text": "bob likes tea"})).json()["memory"]
    assert added["userId"] == "bob"
    assert [memory["id"] for memory in (await bob.get(MEMORY)).json()["memories"]] == [added["id"]]
    assert (await bob.delete(f"{MEMORY}/{added['id']}")).status_code == 200


async def test_a_key_for_anyone_acts_for_the_user_that_it_names_in_either_way(alices: Running) -> None:
    async with client_of(whole(alices)) as client:
        client.headers["authorization"] = f"Bearer {ANYONES_KEY}"
        by_query = await client.get(MEMORY, params={"userId": "alice"})
        by_header = await client.get(MEMORY, headers={"x-eluvix-user": "alice"})
        nobody = await client.get(MEMORY)
    assert [len(answer.json()["memories"]) for answer in (by_query, by_header)] == [1, 1]
    assert nobody.status_code == 400


async def test_a_key_may_also_come_in_the_header_that_other_clients_use(alices: Running) -> None:
    async with client_of(whole(alices)) as client:
        assert (await client.get(MEMORY, headers={"x-api-key": BOBS_KEY})).json() == {"memories": []}


@pytest.mark.parametrize("call", EVERY_CALL)
async def test_without_any_key_configured_loopback_still_needs_the_admin_password(call: tuple[str, str, Any]) -> None:
    gateway = running(keys=())
    async with client_of(whole(gateway)) as client:
        assert (await send(client, call, "alice")).status_code == 401
        assert (await client.get(MEMORY, headers={"x-eluvix-user": "alice"})).status_code == 401
        assert (await client.get(MEMORY, params={"userId": "alice"}, headers={"authorization": f"Bearer {PASSWORD}"})).status_code == 200


async def test_using_a_key_never_counts_as_a_wrong_password(bob: httpx2.AsyncClient) -> None:
    for _ in range(20):
        assert (await bob.get(MEMORY)).status_code == 200
    assert (await bob.get(MEMORY, params={"userId": "bob"}, headers={"authorization": f"Bearer {PASSWORD}"})).status_code == 200


async def test_after_many_wrong_passwords_the_address_has_to_wait(anonymous: httpx2.AsyncClient) -> None:
    wrong = {"authorization": "Bearer wrong"}
    statuses = [(await anonymous.get(MEMORY, headers=wrong)).status_code for _ in range(11)]
    assert statuses == [401] * 10 + [429]
    right = await anonymous.get(MEMORY, params={"userId": "u1"}, headers={"authorization": f"Bearer {PASSWORD}"})
    assert right.status_code == 429
    assert int(right.headers["retry-after"]) > 0


async def test_one_users_commit_is_unknown_to_another(alices: Running, bob: httpx2.AsyncClient) -> None:
    commit = next(iter(alices.outbox.rows))
    admin = {"authorization": f"Bearer {PASSWORD}"}
    assert (await bob.get(f"{MEMORY}/commits/{commit}", params={"userId": "alice"}, headers=admin)).json()["status"] == "pending"
    assert (await bob.get(f"{MEMORY}/commits/{commit}", params={"userId": "u2"}, headers=admin)).status_code == 404
