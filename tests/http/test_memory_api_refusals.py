"""What the memory API refuses, and how it says so: the field, the reason, the fix; never what was sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import httpx2

    from tests.fakes.parts import Running

MEMORY = "/api/v1/memory"
ADD = {"action": "add", "userId": "u1", "text": "likes tea"}
COMMIT = {"action": "commit", "userId": "u1"}


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "empty_body"),
        (b"  \n", "empty_body"),
        (b"{", "invalid_json"),
        (b"action=add&userId=u1", "invalid_json"),
        (b'{"action": "add", "n": NaN}', "invalid_json"),
        (b'{"text": "\xff"}', "invalid_json"),
        (b"[" * 100_000, "invalid_json"),
        (b"[]", "invalid_json"),
        (b'"add"', "invalid_json"),
        (b"null", "invalid_json"),
        (b"{}", "unknown_action"),
        (b'{"action": 3}', "unknown_action"),
        (b'{"action": "Add"}', "unknown_action"),
        (b'{"action": ["add"]}', "unknown_action"),
    ],
)
async def test_a_body_that_is_no_action_is_a_bad_request(body: bytes, code: str, admin: httpx2.AsyncClient) -> None:
    answer = await admin.post(MEMORY, content=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, code)
    assert answer.json()["error"]["type"] == "invalid_request_error"


async def test_an_unknown_action_is_told_the_actions_there_are(admin: httpx2.AsyncClient) -> None:
    error = (await admin.post(MEMORY, json={"action": "remember"})).json()["error"]
    assert error["message"] == "`action` is not known. Send one of `add`, `commit`, `clear`."
    assert error["param"] == "action"


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({**ADD, "text": 3}, "text"),
        ({**ADD, "text": " \n"}, "text"),
        ({**ADD, "text": "x" * 65_537}, "text"),
        ({**ADD, "category": ""}, "category"),
        ({**ADD, "category": "a\nb"}, "category"),
        ({**ADD, "category": None}, "category"),
        ({**ADD, "metadata": []}, "metadata"),
        ({**ADD, "createdAt": 1769860800}, "createdAt"),
        ({**ADD, "createdAt": "yesterday"}, "createdAt"),
        ({**ADD, "userId": 7}, "userId"),
        ({**ADD, "userId": "../bob"}, "userId"),
        ({**ADD, "userId": "*"}, "userId"),
        ({**ADD, "userId": ""}, "userId"),
        ({**ADD, "tags": ["a"]}, "tags"),
        ({**ADD, "user_id": "u1"}, "user_id"),
        ({"action": "add", "userId": "u1"}, "text"),
        ({"action": "add", "text": "tea"}, "userId"),
        ({"action": "clear", "userId": "u1", "text": "x"}, "text"),
        (COMMIT, "messages"),
        ({**COMMIT, "messages": []}, "messages"),
        ({**COMMIT, "messages": "hello"}, "messages"),
        ({**COMMIT, "messages": [3]}, "messages.0"),
        ({**COMMIT, "messages": [{"content": "a"}]}, "messages.0"),
        ({**COMMIT, "messages": [{"role": "user", "content": 3}]}, "messages.0"),
        ({**COMMIT, "messages": [{"role": "user", "content": ["a"]}]}, "messages.0"),
        ({**COMMIT, "messages": [{"role": "assistant", "content": "hello"}]}, "messages"),
        ({**COMMIT, "sessionId": 3, "messages": [{"role": "user", "content": "a"}]}, "sessionId"),
    ],
)
async def test_a_field_that_is_not_right_is_named(body: dict[str, Any], param: str, admin: httpx2.AsyncClient, gateway: Running) -> None:
    answer = await admin.post(MEMORY, json=body)
    assert (answer.status_code, answer.json()["error"]["param"]) == (400, param)
    assert f"`{param}`" in answer.json()["error"]["message"]
    assert gateway.store.kept == {}


async def test_a_mistyped_field_is_told_the_one_that_was_meant(admin: httpx2.AsyncClient) -> None:
    error = (await admin.post(MEMORY, json={**ADD, "categories": "x"})).json()["error"]
    assert error["message"] == "`categories` is not known here. Did you mean `category`?"


@pytest.mark.parametrize(
    ("params", "param"),
    [
        ({"limit": "0"}, "limit"),
        ({"limit": "101"}, "limit"),
        ({"limit": "many"}, "limit"),
        ({"userid": "u1"}, "userid"),
        ({"query": "tea", "cursor": "1"}, "cursor"),
        ({"cursor": "made up"}, "cursor"),
    ],
)
async def test_a_query_that_is_not_right_is_a_bad_request(params: dict[str, str], param: str, admin: httpx2.AsyncClient) -> None:
    answer = await admin.get(MEMORY, params={"userId": "u1"} | params)
    assert (answer.status_code, answer.json()["error"]["param"]) == (400, param)


@pytest.mark.parametrize("path", ["", "/export", "/m1", "/preview?query=tea", "/commits/abc"])
async def test_a_user_must_be_named(path: str, admin: httpx2.AsyncClient) -> None:
    answer = await admin.get(MEMORY + path)
    assert (answer.status_code, answer.json()["error"]["param"]) == (400, "userId")


async def test_two_users_at_once_are_a_bad_request(admin: httpx2.AsyncClient) -> None:
    answer = await admin.get(MEMORY, params={"userId": "u1"}, headers={"x-eluvix-user": "u2"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "ambiguous_user")


@pytest.mark.parametrize(
    "body", [{}, {"text": None}, {"text": ""}, {"metadata": 3}, {"userId": "u2", "text": "x"}, {"id": "m2", "text": "x"}]
)
async def test_a_change_that_changes_nothing_or_too_much_is_a_bad_request(body: dict[str, Any], admin: httpx2.AsyncClient) -> None:
    answer = await admin.patch(f"{MEMORY}/m1", params={"userId": "u1"}, json=body)
    assert (answer.status_code, answer.json()["error"]["type"]) == (400, "invalid_request_error")


@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_an_unknown_id_is_not_found(method: str, admin: httpx2.AsyncClient) -> None:
    assert (await admin.request(method, f"{MEMORY}/m9", params={"userId": "u1"})).status_code == 404
    assert (await admin.patch(f"{MEMORY}/m9", params={"userId": "u1"}, json={"text": "x"})).status_code == 404


async def test_what_was_sent_is_never_quoted(admin: httpx2.AsyncClient) -> None:
    words = "the sea is wide"
    for body in ({**ADD, "text": [words]}, {**ADD, "createdAt": words}, {**ADD, "metadata": words}, {"action": words}):
        assert words not in (await admin.post(MEMORY, json=body)).text
    assert words not in (await admin.post(MEMORY, content=words.encode())).text
    assert words not in (await admin.get(MEMORY, params={"userId": "u1", "limit": words})).text


async def test_a_body_over_the_limit_is_refused(admin: httpx2.AsyncClient) -> None:
    answer = await admin.post(MEMORY, json={**ADD, "text": "x" * 2**20})
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "request_too_large")


async def test_a_body_over_the_limit_without_a_length_is_refused_too(admin: httpx2.AsyncClient) -> None:
    async def pieces() -> Any:
        for _ in range(1025):
            yield b" " * 1024

    assert (await admin.post(MEMORY, content=pieces())).status_code == 413
