"""`/v1/models`: what can be asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fakes.parts import ANYONES_KEY, BOBS_KEY, running
from tests.http.conftest import client_of, whole

if TYPE_CHECKING:
    import httpx2

    from tests.fakes.parts import Running

KEY = {"authorization": f"Bearer {ANYONES_KEY}"}


async def test_the_list_has_openais_shape(anonymous: httpx2.AsyncClient) -> None:
    answer = await anonymous.get("/v1/models", headers=KEY)
    assert answer.json()["object"] == "list"
    assert [model["id"] for model in answer.json()["data"]] == ["small", "meta/llama-3:8b"]


@pytest.mark.parametrize("written", ["meta/llama-3:8b", "meta%2Fllama-3%3A8b", "meta%2fllama-3:8b"])
async def test_a_model_whose_id_has_slashes_is_found_however_they_are_written(written: str, anonymous: httpx2.AsyncClient) -> None:
    answer = await anonymous.get(f"/v1/models/{written}", headers=KEY)
    assert (answer.status_code, answer.json()["id"]) == (200, "meta/llama-3:8b")


async def test_an_unknown_model_is_not_found_in_openais_shape(anonymous: httpx2.AsyncClient) -> None:
    answer = await anonymous.get("/v1/models/meta", headers=KEY)
    error = answer.json()["error"]
    assert (answer.status_code, error["type"], error["code"], error["param"]) == (404, "invalid_request_error", "model_not_found", "model")


async def test_a_model_that_is_served_without_being_listed_is_found_too(anonymous: httpx2.AsyncClient) -> None:
    answer = await anonymous.get("/v1/models/glob-7", headers=KEY)
    assert answer.json() == {"id": "glob-7", "object": "model", "created": 0, "owned_by": "home"}


@pytest.mark.parametrize("path", ["/v1/models", "/v1/models/small"])
async def test_with_keys_configured_a_key_is_needed(path: str, anonymous: httpx2.AsyncClient) -> None:
    answers = [await anonymous.get(path), await anonymous.get(path, headers={"authorization": "Bearer wrong"})]
    assert [(answer.status_code, answer.json()["error"]["code"]) for answer in answers] == [(401, "invalid_api_key")] * 2


async def test_a_bound_key_may_not_name_another_user(anonymous: httpx2.AsyncClient) -> None:
    headers = {"authorization": f"Bearer {BOBS_KEY}", "x-eluvix-user": "alice"}
    assert (await anonymous.get("/v1/models", headers=headers)).status_code == 403


async def test_without_keys_configured_anyone_on_this_machine_may_ask() -> None:
    async with client_of(whole(running(keys=()))) as client:
        assert (await client.get("/v1/models")).status_code == 200


async def test_a_reload_is_seen_by_the_next_request(gateway: Running) -> None:
    now = [gateway.parts]
    gateway.current = lambda: now[0]  # type: ignore[method-assign]
    async with client_of(whole(gateway)) as client:
        assert (await client.get("/v1/models")).status_code == 401
        now[0] = running(keys=()).parts
        assert (await client.get("/v1/models")).status_code == 200
