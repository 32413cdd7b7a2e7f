from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from providers.base import MemoryPatch, NewMemory, ProviderRefused, ProviderUnavailable, ProviderUnclear, TurnRecord
from providers.mem0.provider import Mem0Provider
from providers.mem0.rows import memory_of
from tests.fakes.mem0 import FakeMem0

if TYPE_CHECKING:
    from collections.abc import Callable

TURN = TurnRecord("key-1", "I grow tomatoes.", "Good for you.", datetime(2025, 1, 1, tzinfo=UTC), "s1")
SECRET = "tulip"


def speak(server: FakeMem0, **options: Any) -> Mem0Provider:
    return Mem0Provider("http://mem0.test:8888", transport=httpx.ASGITransport(server), dialect=server.dialect, **options)


def answering(answer: Callable[[httpx.Request], httpx.Response], **options: Any) -> Mem0Provider:
    return Mem0Provider("http://mem0.test:8888", transport=httpx.MockTransport(answer), **options)


def row(text: str, user: Any = "alice", **more: Any) -> dict[str, Any]:
    return {"id": text.replace(" ", "-"), "memory": text, "user_id": user, "metadata": None, "score": 0.4, **more}


# What is sent


async def test_a_turn_is_one_request_with_both_texts_the_user_and_where_it_comes_from() -> None:
    server = FakeMem0()
    await speak(server).commit("alice", TURN)
    ((method, path, _, body, _),) = server.requests
    assert (method, path) == ("POST", "/memories")
    assert body == {
        "messages": [{"role": "user", "content": "I grow tomatoes."}, {"role": "assistant", "content": "Good for you."}],
        "user_id": "alice",
        "metadata": {"source": "eluvix", "key": "key-1", "session": "s1", "created_at": "2025-01-01T00:00:00+00:00"},
        "infer": True,
    }


async def test_infer_can_be_switched_off_and_explicit_memories_are_always_kept_word_for_word() -> None:
    server = FakeMem0()
    provider = speak(server, infer=False)
    committed = await provider.commit("alice", TURN)
    assert [memory.text for memory in committed] == ["I grow tomatoes.", "Good for you."]
    (added,) = await speak(server).add("alice", [NewMemory("I ski. I sail.", "fact")])
    assert added.text == "I ski. I sail."
    posts = [request[3]["infer"] for request in server.requests if request[0] == "POST"]
    assert posts == [False, False]


async def test_empty_halves_of_a_turn_are_left_out_and_an_empty_turn_is_not_sent() -> None:
    server = FakeMem0()
    provider = speak(server)
    await provider.commit("alice", TurnRecord("k", "  ", "Only this.", TURN.created_at))
    assert server.requests[0][3]["messages"] == [{"role": "assistant", "content": "Only this."}]
    assert await provider.commit("alice", TurnRecord("k", "", "\n", TURN.created_at)) == []
    assert len(server.requests) == 1


async def test_a_server_that_finds_nothing_worth_keeping_has_succeeded() -> None:
    assert await speak(FakeMem0(extracts=False)).commit("alice", TURN) == []


@pytest.mark.parametrize(
    ("dialect", "body"),
    [
        ("oss1", {"query": "cat", "user_id": "alice", "limit": 3}),
        ("oss2", {"query": "cat", "filters": {"user_id": "alice"}, "top_k": 3}),
        ("oss3", {"query": "cat", "filters": {"user_id": "alice"}, "top_k": 3}),
    ],
)
async def test_each_dialect_names_the_user_and_the_limit_in_its_way(dialect: str, body: dict[str, Any]) -> None:
    server = FakeMem0(dialect)
    await speak(server).search("alice", " cat\n", 3)
    assert server.requests[0][1] == "/search"
    assert server.requests[0][3] == body


async def test_lists_ask_for_as_many_as_the_server_shows() -> None:
    server = FakeMem0()
    await speak(server).list("a+b@c:d", 5)
    assert server.requests[0][2] == {"user_id": "a+b@c:d", "top_k": "1000"}


async def test_the_key_goes_in_its_own_header_and_nothing_else_does() -> None:
    key = "m0sk_" + "x" * 12
    server = FakeMem0(api_key=key)
    provider = speak(server, api_key=key)
    assert (await provider.health()).ok
    await provider.add("alice", [NewMemory("One.")])
    assert all(headers["x-api-key"] == key and "authorization" not in headers for *_, headers in server.requests)
    assert "x-api-key" not in (await _headers_without_key())


async def _headers_without_key() -> dict[str, str]:
    server = FakeMem0()
    await speak(server).search("alice", "x", 1)
    return server.requests[0][4]


# Whose memories


@pytest.mark.parametrize("user", ["*", "", " ", "al ice", "alice ", "a\n", "a*", "x" * 129])
async def test_names_that_the_server_would_take_for_more_than_one_user_are_never_sent(user: str) -> None:
    server = FakeMem0()
    provider = speak(server)
    await provider.add("alice", [NewMemory("One.")])
    before = len(server.requests)
    for call in (
        provider.search(user, "one", 5),
        provider.list(user, 5),
        provider.clear(user),
        provider.add(user, [NewMemory("x")]),
        provider.commit(user, TURN),
        provider.get(user, "1"),
        provider.update(user, "1", MemoryPatch(text="x")),
        provider.delete(user, "1"),
    ):
        with pytest.raises(ProviderRefused):
            await call
    assert len(server.requests) == before
    assert len(server.rows) == 1


async def test_rows_of_anybody_else_are_dropped_whatever_was_asked() -> None:
    rows = [row("mine"), row("theirs", "bob"), row("case", "Alice"), row("none", None), row("gone"), {"memory": "bare"}, None, "text"]
    del rows[4]["user_id"]  # type: ignore[union-attr]
    provider = answering(lambda _: httpx.Response(200, json={"results": rows}))
    assert [memory.text for memory in await provider.search("alice", "x", 9)] == ["mine"]
    assert [memory.text for memory in (await provider.list("alice", 9)).memories] == ["mine"]


async def test_an_id_that_would_change_the_path_is_not_a_memory() -> None:
    assert memory_of(row("x") | {"id": "../../reset"}, "alice") is None
    server = FakeMem0()
    assert await speak(server).get("alice", "../configure") is None
    assert server.requests == []


async def test_clearing_deletes_one_by_one_until_the_server_shows_no_more() -> None:
    server = FakeMem0(shown=10)
    provider = speak(server)
    await provider.add("alice", [NewMemory(f"Note {n}.") for n in range(25)])
    await provider.add("bob", [NewMemory("Bob's.")])
    server.requests.clear()
    assert await provider.clear("alice") == 25
    assert [memory["user_id"] for memory in server.rows.values()] == ["bob"]
    assert ("DELETE", "/memories") not in [(method, path) for method, path, *_ in server.requests]


async def test_clearing_a_server_that_forgets_nothing_ends_with_an_error() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.method == "DELETE":
            return httpx.Response(404, json={"detail": "Memory with id 1 not found"})
        return httpx.Response(200, json={"results": [row("one")]})

    with pytest.raises(ProviderUnavailable, match="still shows"):
        await answering(answer).clear("alice")


# What comes back


async def test_scores_are_the_servers_own() -> None:
    found = [row("a", score=0.45), row("b", score=1.7), row("c", score=None), row("d", score=-1)]
    provider = answering(lambda _: httpx.Response(200, json={"results": found}))
    assert [memory.score for memory in await provider.search("alice", "x", 9)] == [0.45, 1.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("value", "time"),
    [
        ("2026-12-01T00:08:46.856597+00:00", datetime(2026, 12, 1, 0, 8, 46, 856597, UTC)),
        ("2026-11-30T16:34:33-08:00", datetime(2026, 11, 30, 16, 34, 33, tzinfo=timezone(timedelta(hours=-8)))),
        ("2026-12-01T00:08:46Z", datetime(2026, 12, 1, 0, 8, 46, tzinfo=UTC)),
        ("2026-12-01T00:08:46", datetime(2026, 12, 1, 0, 8, 46, tzinfo=UTC)),
        (1_700_000_000, datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)),
        ("soon", datetime(1970, 1, 1, tzinfo=UTC)),
        (10**30, datetime(1970, 1, 1, tzinfo=UTC)),
        (None, datetime(1970, 1, 1, tzinfo=UTC)),
    ],
)
def test_times_are_read_leniently_and_are_always_aware(value: Any, time: datetime) -> None:
    memory = memory_of(row("x", created_at=value, updated_at=None), "alice")
    assert memory is not None
    assert memory.created_at == memory.updated_at == time
    assert memory.created_at.tzinfo is not None


def test_a_row_of_a_real_answer_becomes_a_memory() -> None:
    found = memory_of(
        {
            "id": "5f0c1d7e-1111-4222-8333-944445555666",
            "memory": "Prefers trains.",
            "hash": "0f",
            "metadata": {"category": "preferences", "source": "eluvix", "session": "s7", "lang": "en"},
            "score": 0.31,
            "created_at": "2026-12-01T00:08:46.856597+00:00",
            "updated_at": "2026-12-02T00:00:00+00:00",
            "user_id": "alice",
            "run_id": "r1",
            "attributed_to": "user",
        },
        "alice",
    )
    assert found is not None
    assert (found.text, found.category, found.session, found.score) == ("Prefers trains.", "preferences", "s7", 0.31)
    assert found.metadata == {"source": "eluvix", "lang": "en"}
    assert found.updated_at == datetime(2026, 12, 2, tzinfo=UTC)
    assert found.verdict is None


async def test_a_bare_array_is_a_list_of_rows_too() -> None:
    provider = answering(lambda _: httpx.Response(200, json=[row("one")]))
    assert [memory.text for memory in await provider.search("alice", "x", 5)] == ["one"]


# What goes wrong


@pytest.mark.parametrize(
    ("status", "kind", "words"),
    [
        (500, ProviderUnavailable, "failed (500)"),
        (502, ProviderUnavailable, "failed (502)"),
        (503, ProviderUnavailable, "failed (503)"),
        (429, ProviderUnavailable, "failed (429)"),
        (400, ProviderRefused, "refused (400)"),
        (401, ProviderRefused, "check memory.mem0.api_key"),
        (403, ProviderRefused, "refused (403)"),
        (404, ProviderRefused, "check memory.mem0.url"),
        (422, ProviderRefused, "refused (422)"),
        (307, ProviderRefused, "refused (307)"),
    ],
)
async def test_failures_are_sorted_and_quote_nothing_that_was_sent_or_answered(status: int, kind: type[Exception], words: str) -> None:
    def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(status, json={"detail": f"about {SECRET}"}, headers={"location": "http://elsewhere.test/"})

    provider = answering(answer)
    for call in (provider.search("alice", SECRET, 5), provider.add("alice", [NewMemory(SECRET)]), provider.list("alice", 5)):
        with pytest.raises(kind) as failure:
            await call
        assert words in str(failure.value)
        assert "mem0 at http://mem0.test:8888" in str(failure.value)
        assert SECRET not in str(failure.value)
    assert not (await provider.health()).ok


@pytest.mark.parametrize(
    ("error", "words", "kind"),
    [
        (httpx.ConnectError("x"), "cannot be reached", ProviderUnavailable),
        (httpx.ConnectTimeout("x"), "cannot be reached", ProviderUnavailable),
        (httpx.ReadTimeout("x"), "in time", ProviderUnclear),
        (httpx.ReadError("x"), "broke off", ProviderUnclear),
        (httpx.RemoteProtocolError("x"), "broke off", ProviderUnclear),
    ],
)
async def test_a_failure_says_whether_the_turn_may_have_arrived_and_nothing_is_sent_twice(
    error: Exception, words: str, kind: type[ProviderUnavailable]
) -> None:
    sent: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        raise error

    provider = answering(answer)
    with pytest.raises(ProviderUnavailable, match=words) as caught:
        await provider.commit("alice", TURN)
    assert type(caught.value) is kind
    assert len(sent) == 1
    assert not (await provider.health()).ok


@pytest.mark.parametrize("raw", [b"", b"<html>", b"\xff\xfe", b"{"])
async def test_an_answer_that_is_not_json_is_unavailable(raw: bytes) -> None:
    with pytest.raises(ProviderUnavailable, match="not JSON"):
        await answering(lambda _: httpx.Response(200, content=raw)).search("alice", "x", 5)


@pytest.mark.parametrize("answer", [None, {}, {"results": None}, {"results": "x"}, [], "text", 7])
async def test_an_answer_of_another_shape_holds_no_memories(answer: Any) -> None:
    provider = answering(lambda _: httpx.Response(200, content=json.dumps(answer).encode()))
    assert await provider.search("alice", "x", 5) == []
    assert (await provider.list("alice", 5)).memories == ()
    assert await provider.get("alice", "x") is None


@pytest.mark.parametrize(("server", "spoken", "advice"), [("oss2", "oss1", "to oss2"), ("oss1", "oss3", "to oss1")])
async def test_a_wrong_dialect_is_named_with_the_right_one(server: str, spoken: str, advice: str) -> None:
    provider = Mem0Provider("http://mem0.test", dialect=spoken, transport=httpx.ASGITransport(FakeMem0(server)))
    with pytest.raises(ProviderRefused, match=advice):
        await provider.search("alice", "x", 5)


def test_an_unknown_dialect_and_a_broken_url_are_refused_at_once() -> None:
    with pytest.raises(ProviderRefused, match="oss1, oss2, oss3"):
        Mem0Provider("http://mem0.test", dialect="oss9")
    with pytest.raises(ProviderRefused, match="not a URL"):
        Mem0Provider("http://mem0.test:port")


async def test_when_one_of_several_texts_fails_those_before_it_are_taken_back() -> None:
    server = FakeMem0()
    provider = speak(server)
    original = server._add

    def second_fails(body: dict[str, Any]) -> Any:
        if server.rows:
            server.failures["POST /memories"] = (503, {"detail": "busy"})
        return original(body)

    server._add = second_fails  # type: ignore[method-assign]
    with pytest.raises(ProviderUnavailable):
        await provider.add("alice", [NewMemory("One."), NewMemory("Two."), NewMemory("Three.")])
    assert server.rows == {}


@pytest.mark.parametrize("title", ["Hindsight", ""])
async def test_another_product_on_the_same_port_is_not_healthy(title: str) -> None:
    health = await speak(FakeMem0(title=title)).health()
    assert not health.ok
    assert "another program" in health.detail


async def test_a_wrong_key_is_not_healthy() -> None:
    server = FakeMem0(api_key="right" + "-key")
    health = await speak(server, api_key="wrong").health()
    assert not health.ok
    assert "api_key" in health.detail
    assert "wrong" not in health.detail


async def test_credentials_in_the_url_are_not_told() -> None:
    password = "pass" + "word"
    provider = Mem0Provider(f"http://someone:{password}@mem0.test", transport=httpx.MockTransport(lambda _: httpx.Response(500)))
    with pytest.raises(ProviderUnavailable) as failure:
        await provider.search("alice", "x", 5)
    assert password not in str(failure.value)
