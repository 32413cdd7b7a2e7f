"""What every kind of upstream does, and what is particular to each."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from gateway.errors import ConfigError, UpstreamError, UpstreamUnavailable
from gateway.upstreams import UPSTREAMS, connect, is_local
from gateway.upstreams.base import UpstreamConfig
from gateway.upstreams.inspect import InspectUpstream, inspect_configs
from tests.fakes.scripted_upstream import CHUNKED_HEAD, Play, ScriptedUpstream, chunk, plain
from tests.fakes.sealed_request import SealedRequest

if TYPE_CHECKING:
    from gateway.turn import Endpoint
    from gateway.upstreams.base import Upstream

KEY = "sk-" + "test" * 5
MODELS = plain(b'{"object":"list","data":[{"id":"m1","owned_by":"me"}],"models":[{"name":"m1"}]}')
BODY = json.dumps({"model": "m", "messages": [{"role": "user", "content": "h\u00e9llo " * 400}]}, ensure_ascii=False).encode()


def upstream(kind: str, url: str = "http://127.0.0.1:9/v1", **settings: Any) -> Upstream:
    return connect(UpstreamConfig("up", kind, url, **settings))


@pytest.mark.parametrize("kind", sorted(UPSTREAMS))
async def test_every_kind_answers_chat_lists_models_and_closes(kind: str) -> None:
    async with ScriptedUpstream([plain(b'{"object":"chat.completion"}')], [MODELS]) as server:
        up = upstream(kind, server.url)
        answer = await up.send(SealedRequest(body=BODY))
        assert answer.status == 200
        assert dict(answer.headers)[b"content-type"] == b"application/json"
        assert json.loads(await answer.read())["object"] == "chat.completion"
        answer.close()
        answer.close()
        models = await up.models()
        assert models
        assert all(model.id and model.raw for model in models)
        await up.close()
        await up.close()
    assert up.config.name == "up"


def test_an_unknown_kind_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(ConfigError, match="openai, ollama, inspect"):
        upstream("mystery")


def test_a_configuration_that_cannot_work_is_an_error_at_once() -> None:
    with pytest.raises(ConfigError):
        upstream("openai", "nonsense")


@pytest.mark.parametrize("endpoint", ["/chat/completions", "/completions", "/embeddings"])
async def test_each_endpoint_lies_below_the_base_url(endpoint: Endpoint) -> None:
    async with ScriptedUpstream([plain(b"{}")]) as server:
        up = upstream("openai", server.url, api_key=KEY)
        answer = await up.send(SealedRequest(endpoint=endpoint, headers={"openai-beta": "b"}))
        answer.close()
        await up.close()
    request = server.requests[0]
    assert request.target == f"/v1{endpoint}"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["openai-beta"] == "b"


async def test_models_of_an_openai_server_are_asked_for_with_the_key() -> None:
    async with ScriptedUpstream([MODELS]) as server:
        up = upstream("openai", server.url, api_key=KEY)
        assert [(model.id, model.raw["owned_by"]) for model in await up.models()] == [("m1", "me")]
        await up.close()
    assert (server.requests[0].method, server.requests[0].target) == ("GET", "/v1/models")
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("answer", [plain(b'{"error":{}}', 401), plain(b"<html>"), plain(b"{}"), plain(b"[1"), plain(b'"x"')])
async def test_what_is_no_list_of_models_is_an_upstream_error(answer: bytes) -> None:
    async with ScriptedUpstream([answer]) as server:
        up = upstream("openai", server.url, api_key=KEY)
        with pytest.raises(UpstreamError) as caught:
            await up.models()
        assert KEY not in str(caught.value)
        await up.close()


async def test_a_list_of_models_that_never_ends_is_cut_off() -> None:
    megabyte = chunk(bytes(1024 * 1024))
    async with ScriptedUpstream([CHUNKED_HEAD, *[megabyte] * 12]) as server:
        up = upstream("openai", server.url)
        with pytest.raises(UpstreamError, match="8 MiB"):
            await up.models()
        await server.peer_gone.wait()
        await up.close()


@pytest.mark.parametrize(
    ("body", "names"),
    [
        (b'{"data":[{"id":"a"},{"id":""},{"id":7},{},"b",null]}', ["a", "b"]),
        (b'{"data":[]}', []),
        (b'{"models":[{"name":"a:latest"},{"model":"b"}]}', ["a:latest", "b"]),
        (b'[{"id":"a"}]', ["a"]),
    ],
)
async def test_lists_of_models_are_read_leniently(body: bytes, names: list[str]) -> None:
    async with ScriptedUpstream([plain(body)]) as server:
        up = upstream("openai", server.url)
        assert [model.id for model in await up.models()] == names
        await up.close()


@pytest.mark.parametrize("suffix", ["", "/", "/v1", "/v1/"])
async def test_ollama_is_found_with_or_without_v1_in_its_url(suffix: str) -> None:
    tags = plain(b'{"models":[{"name":"llama3:8b","size":1},{"name":"glm-5:cloud","remote_host":"https://ollama.com"}]}')
    async with ScriptedUpstream([tags], [plain(b"{}")]) as server:
        up = upstream("ollama", f"http://127.0.0.1:{server.port}{suffix}")
        assert [model.id for model in await up.models()] == ["llama3:8b", "glm-5:cloud"]
        answer = await up.send(SealedRequest())
        answer.close()
        await up.close()
    assert [request.target for request in server.requests] == ["/api/tags", "/v1/chat/completions"]


async def test_ollama_without_its_own_list_is_asked_for_openais() -> None:
    async with ScriptedUpstream([plain(b"not found", 404)], [MODELS]) as server:
        up = upstream("ollama", server.url)
        assert [model.id for model in await up.models()] == ["m1"]
        await up.close()
    assert [request.target for request in server.requests] == ["/api/tags", "/v1/models"]


async def test_ollama_that_does_not_answer_is_asked_only_once() -> None:
    async with ScriptedUpstream([Play.CLOSE]) as server:
        up = upstream("ollama", server.url)
        with pytest.raises(UpstreamUnavailable):
            await up.models()
        await up.close()
    assert len(server.requests) == 1


def test_the_built_in_models_are_one_local_and_one_cloud() -> None:
    assert [(config.name, config.kind, config.local) for config in inspect_configs()] == [
        ("inspect", "inspect", True),
        ("inspect-cloud", "inspect", False),
    ]
    for config in inspect_configs():
        assert isinstance(connect(config), InspectUpstream)


@pytest.mark.parametrize("name", ["inspect", "inspect-cloud"])
async def test_the_model_of_inspect_has_its_name(name: str) -> None:
    config = next(config for config in inspect_configs() if config.name == name)
    assert [model.id for model in await connect(config).models()] == [f"eluvix/{name}"]


async def test_inspect_answers_with_the_request_as_it_would_have_been_sent() -> None:
    answer = await connect(inspect_configs()[0]).send(SealedRequest(model="eluvix/inspect", body=BODY))
    completion = json.loads(await answer.read())
    assert completion["choices"][0]["message"]["content"].encode() == BODY
    assert completion["choices"][0]["finish_reason"] == "stop"
    assert completion["model"] == "eluvix/inspect"
    assert completion["usage"]["total_tokens"] > 0


async def events(body: dict[str, Any]) -> list[dict[str, Any]]:
    raw = json.dumps(body).encode()
    answer = await connect(inspect_configs()[0]).send(SealedRequest(model="m", body=raw, stream=True))
    assert dict(answer.headers)[b"content-type"].startswith(b"text/event-stream")
    pieces = [piece async for piece in answer.pieces()]
    assert pieces[-1] == b"data: [DONE]\n\n"
    assert b"".join(pieces) == await answer.read()
    return [json.loads(piece.removeprefix(b"data: ")) for piece in pieces[:-1]]


async def test_inspect_streams_the_same_content_in_chunks() -> None:
    body = {"model": "m", "stream": True, "messages": [{"role": "user", "content": "\U0001f600" * 3000}]}
    chunks = await events(body)
    text = "".join(choice["delta"].get("content", "") for chunk in chunks for choice in chunk["choices"])
    assert text == json.dumps(body)
    assert chunks[0]["choices"][0]["delta"]["role"] == "assistant"
    assert [chunk["choices"][0]["finish_reason"] for chunk in chunks][-2:] == [None, "stop"]
    assert len(chunks) > 5
    assert not any("usage" in chunk for chunk in chunks)


async def test_inspect_adds_a_chunk_with_usage_when_asked() -> None:
    chunks = await events({"model": "m", "stream": True, "stream_options": {"include_usage": True}})
    assert chunks[-1]["choices"] == []
    assert chunks[-1]["usage"]["total_tokens"] > 0
    assert all(chunk["usage"] is None for chunk in chunks[:-1])


@pytest.mark.parametrize("endpoint", ["/completions", "/embeddings"])
async def test_inspect_only_does_chat(endpoint: Endpoint) -> None:
    answer = await connect(inspect_configs()[0]).send(SealedRequest(endpoint=endpoint, body=BODY))
    assert answer.status == 400
    error = json.loads(await answer.read())["error"]
    assert set(error) == {"message", "type", "param", "code"}
    assert "chat" in error["message"]


CLOUD = ("*-cloud", "*:cloud")


@pytest.mark.parametrize(
    ("local", "model", "expected"),
    [
        (True, "llama3:8b", True),
        (True, "gpt-oss:120b-cloud", False),
        (True, "glm-5:cloud", False),
        (True, "GLM-5:CLOUD", False),
        (True, "cloudy", True),
        (False, "llama3:8b", False),
    ],
)
def test_a_model_is_local_when_its_upstream_is_and_does_not_run_it_in_a_cloud(local: bool, model: str, expected: bool) -> None:
    assert is_local(UpstreamConfig("up", "ollama", "http://h", local=local, cloud_models=CLOUD), model) is expected
