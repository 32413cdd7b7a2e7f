"""The memory API does what the document says."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from providers.base import NewMemory

if TYPE_CHECKING:
    import httpx2

    from tests.fakes.parts import Running

MEMORY = "/api/v1/memory"


async def post(client: httpx2.AsyncClient, **body: Any) -> httpx2.Response:
    return await client.post(MEMORY, json=body)


async def test_adding_a_memory_answers_with_it_and_a_search_finds_it(admin: httpx2.AsyncClient) -> None:
    text = "Always use pgx pool with max 20 connections for backend services."
    added = await post(admin, action="add", userId="user_dev", text=text, category="preferences")
    assert added.status_code == 200
    memory = added.json()["memory"]
    found = await admin.get(MEMORY, params={"userId": "user_dev", "query": "pgx pooling", "limit": 5})
    assert found.json() == {"memories": [{**memory, "score": 0.5}]}
    assert set(memory) == {"id", "userId", "text", "category", "metadata", "createdAt", "score"}
    assert (memory["userId"], memory["text"], memory["category"], memory["metadata"]) == ("user_dev", text, "preferences", {})


async def test_metadata_and_time_are_kept(admin: httpx2.AsyncClient) -> None:
    body = {
        "action": "add",
        "userId": "u1",
        "text": "likes tea",
        "metadata": {"Source": {"n": [1, None]}},
        "createdAt": "2026-01-31T12:00:00+02:00",
    }
    memory = (await admin.post(MEMORY, json=body)).json()["memory"]
    assert (memory["metadata"], memory["createdAt"]) == ({"Source": {"n": [1, None]}}, "2026-01-31T10:00:00.000Z")


async def test_a_search_gives_five_unless_asked_for_more(admin: httpx2.AsyncClient, gateway: Running) -> None:
    await gateway.store.add("u1", [NewMemory(f"tea number {number}") for number in range(9)])
    found = [await admin.get(MEMORY, params={"userId": "u1", "query": "tea"} | more) for more in ({}, {"limit": 7})]
    assert [len(answer.json()["memories"]) for answer in found] == [5, 7]


async def test_without_a_query_everything_is_listed_newest_first_page_by_page(admin: httpx2.AsyncClient, gateway: Running) -> None:
    await gateway.store.add("u1", [NewMemory(f"number {number}") for number in range(60)])
    first = (await admin.get(MEMORY, params={"userId": "u1", "query": " "})).json()
    second = (await admin.get(MEMORY, params={"userId": "u1", "cursor": first["cursor"]})).json()
    texts = [memory["text"] for page in (first, second) for memory in page["memories"]]
    assert texts == [f"number {number}" for number in reversed(range(60))]
    assert len(first["memories"]) == 50
    assert "cursor" not in second


async def test_a_conversation_is_committed_turn_by_turn(admin: httpx2.AsyncClient, gateway: Running) -> None:
    answer = await post(
        admin,
        action="commit",
        userId="user_dev",
        sessionId="sess_workspace_123",
        messages=[
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": [{"type": "text", "text": "I prefer using Tailwind CSS."}, {"type": "image_url", "image_url": {}}]},
            {"role": "assistant", "content": "Got it."},
            {"role": "user", "content": "And pnpm."},
            {"role": "assistant", "content": None, "tool_calls": [{}]},
            {"role": "tool", "content": "done"},
            {"role": "assistant", "content": "Noted."},
            {"role": "user", "content": "Thanks, that is all."},
        ],
    )
    assert answer.status_code == 200
    body = answer.json()
    exchanges = [exchange for exchange, _ in gateway.outbox.rows.values()]
    assert [(e.question, e.answer, e.session) for e in exchanges] == [
        ("I prefer using Tailwind CSS.", "Got it.", "sess_workspace_123"),
        ("And pnpm.", "Noted.", "sess_workspace_123"),
        ("Thanks, that is all.", "", "sess_workspace_123"),
    ]
    assert body["status"] == "committed"
    assert [turn["id"] for turn in body["turns"]] == list(gateway.outbox.rows)
    assert sorted(body["memoryIds"]) == ["m1", "m2", "m3"]


async def test_the_same_conversation_again_is_stored_once_and_has_the_same_id(admin: httpx2.AsyncClient, gateway: Running) -> None:
    messages = [{"role": "user", "content": "I like tea."}, {"role": "assistant", "content": "Good."}]
    first, second = [(await post(admin, action="commit", userId="u1", messages=messages)).json() for _ in range(2)]
    assert first["id"] == second["id"]
    assert len(gateway.store.kept["u1"]) == 1


async def test_a_commit_that_takes_longer_says_so_and_can_be_asked_about(admin: httpx2.AsyncClient, gateway: Running) -> None:
    gateway.outbox.stuck = True
    answer = await post(admin, action="commit", userId="u1", messages=[{"role": "user", "content": "I like tea."}])
    assert (answer.status_code, answer.json()["status"]) == (202, "pending")
    status = await admin.get(f"{MEMORY}/commits/{answer.json()['id']}", params={"userId": "u1"})
    assert status.json() == {"id": answer.json()["id"], "status": "pending"}


async def test_a_commit_that_memory_refuses_fails_loudly(admin: httpx2.AsyncClient, gateway: Running) -> None:
    gateway.outbox.refused = True
    answer = await post(admin, action="commit", userId="u1", messages=[{"role": "user", "content": "I like tea."}])
    assert (answer.status_code, answer.json()["error"]["code"]) == (502, "memory_refused")


async def test_clearing_says_how_many_there_were_and_what_waits_goes_too(admin: httpx2.AsyncClient, gateway: Running) -> None:
    await gateway.store.add("u1", [NewMemory("a"), NewMemory("b")])
    await gateway.store.add("u2", [NewMemory("c")])
    gateway.outbox.stuck = True
    await post(admin, action="commit", userId="u1", messages=[{"role": "user", "content": "I like tea."}])
    answer = await post(admin, action="clear", userId="u1")
    assert answer.json() == {"cleared": 2}
    assert gateway.outbox.rows == {}
    assert [memory.text for memory in gateway.store.kept["u2"]] == ["c"]


async def test_one_memory_is_read_changed_and_forgotten_by_its_id(admin: httpx2.AsyncClient, gateway: Running) -> None:
    await gateway.store.add("u1", [NewMemory("likes tea", "drinks", {"a": 1})])
    one, whose = f"{MEMORY}/m1", {"userId": "u1"}
    assert (await admin.get(one, params=whose)).json()["memory"]["text"] == "likes tea"
    changed = (await admin.patch(one, params=whose, json={"text": "likes coffee"})).json()["memory"]
    assert (changed["text"], changed["category"], changed["metadata"]) == ("likes coffee", "drinks", {"a": 1})
    assert (await admin.delete(one, params=whose)).json() == {"deleted": "m1"}
    gone = await admin.get(one, params=whose)
    assert (gone.status_code, gone.json()["error"]["code"]) == (404, "memory_not_found")


async def test_ids_may_hold_slashes_and_be_percent_encoded(admin: httpx2.AsyncClient, gateway: Running) -> None:
    await gateway.store.add("u1", [NewMemory("likes tea")])
    (memory,) = gateway.store.kept["u1"]
    gateway.store.kept["u1"] = [
        type(memory)("viking://user/u1/memories/7", "u1", "likes tea", "general", datetime.now(UTC), datetime.now(UTC))
    ]
    for written in ("viking://user/u1/memories/7", "viking%3A%2F%2Fuser%2Fu1%2Fmemories%2F7"):
        assert (await admin.get(f"{MEMORY}/{written}", params={"userId": "u1"})).status_code == 200


async def test_an_export_is_lines_that_an_import_takes(admin: httpx2.AsyncClient, gateway: Running) -> None:
    await gateway.store.add("u1", [NewMemory(f"naïve {number}", "notes", {"n": number}) for number in range(3)])
    exported = await admin.get(f"{MEMORY}/export", params={"userId": "u1"})
    assert exported.headers["content-type"] == "application/x-ndjson"
    lines = [json.loads(line) for line in exported.text.splitlines()]
    assert [line["text"] for line in lines] == ["naïve 2", "naïve 1", "naïve 0"]
    imported = await admin.post(f"{MEMORY}/import", params={"userId": "u2"}, content=exported.content)
    assert imported.json() == {"added": 3, "problems": []}
    assert {(m.text, m.category, m.metadata["n"]) for m in gateway.store.kept["u2"]} == {(f"naïve {n}", "notes", n) for n in range(3)}


async def test_an_export_of_nothing_is_empty(admin: httpx2.AsyncClient) -> None:
    exported = await admin.get(f"{MEMORY}/export", params={"userId": "nobody"})
    assert (exported.status_code, exported.content) == (200, b"")


async def test_an_import_stores_the_good_lines_and_names_the_bad_ones(admin: httpx2.AsyncClient, gateway: Running) -> None:
    body = b'\xef\xbb\xbf{"text": "one"}\r\n\nnot json\n{"category": "x"}\n{"text": "two"}'
    answer = (await admin.post(f"{MEMORY}/import", params={"userId": "u1"}, content=body)).json()
    assert answer["added"] == 2
    assert [problem["line"] for problem in answer["problems"]] == [3, 4]
    assert [memory.text for memory in gateway.store.kept["u1"]] == ["one", "two"]


async def test_a_preview_passes_on_what_it_is_asked(admin: httpx2.AsyncClient, gateway: Running) -> None:
    params = {"userId": "u1", "query": "tea?", "maxTokens": 120, "upstream": "openai"}
    answer = await admin.get(f"{MEMORY}/preview", params=params)
    assert answer.json()["egress"]["upstream"] == "openai"
    assert gateway.pipeline.asked == [("u1", "tea?", 120, "openai")]


async def test_a_provider_that_is_down_is_said_loudly(admin: httpx2.AsyncClient, gateway: Running) -> None:
    gateway.store.down = True
    for answer in (
        await admin.get(MEMORY, params={"userId": "u1", "query": "tea"}),
        await admin.get(f"{MEMORY}/export", params={"userId": "u1"}),
        await post(admin, action="add", userId="u1", text="tea"),
    ):
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "memory_unavailable")
        assert answer.headers["retry-after"] == "5"


async def test_a_text_too_sensitive_for_a_provider_elsewhere_is_not_stored_and_that_is_said(
    admin: httpx2.AsyncClient, gateway: Running
) -> None:
    gateway.store.local = False
    answer = await post(admin, action="add", userId="u1", text="the password is hunter2")
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "too_sensitive")
    await gateway.store.add("u1", [NewMemory("fine")])
    changed = await admin.patch(f"{MEMORY}/m1", params={"userId": "u1"}, json={"text": "the password is hunter2"})
    assert (changed.status_code, changed.json()["error"]["code"]) == (400, "too_sensitive")


@pytest.mark.parametrize(
    "header", ["application/json", "application/json; charset=utf-8", "text/plain", "application/x-www-form-urlencoded", None]
)
async def test_a_body_is_json_whatever_its_content_type_says(header: str | None, admin: httpx2.AsyncClient) -> None:
    headers = {"content-type": header} if header else {}
    answer = await admin.post(MEMORY, content=b' {"action": "add", "text": "tea", "userId": "u1"}\n', headers=headers)
    assert answer.status_code == 200
