"""The official Python client, unmodified, against a running gateway."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx2
import openai
import pytest

from tests.e2e.conftest import CLIENT_KEY
from tests.e2e.memory_api import wait_until_committed
from tests.fakes.model_scripts import TOOL_CALL, USAGE, VECTOR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.e2e.gateway_process import GatewayProcess
    from tests.fakes.model_server import ModelServer

pytestmark = pytest.mark.long

HELLO: Any = [{"role": "user", "content": "hello there"}]
CITY = {"type": "object", "properties": {"city": {"type": "string"}}}
TOOLS: Any = [{"type": "function", "function": {"name": "weather", "parameters": CITY}}]


@pytest.fixture
def client(gateway: GatewayProcess) -> Iterator[openai.OpenAI]:
    verify = gateway.trust() if gateway.scheme == "https" else True
    with openai.OpenAI(
        base_url=f"{gateway.url}/v1",
        api_key=CLIENT_KEY,
        max_retries=0,
        http_client=httpx2.Client(verify=verify, trust_env=False),
    ) as made:
        yield made


def test_a_chat_is_answered(client: openai.OpenAI) -> None:
    answer = client.chat.completions.create(model="echo", messages=HELLO)
    assert answer.choices[0].message.content == "You said: hello there"
    assert answer.usage is not None and answer.usage.total_tokens == USAGE["total_tokens"]


def test_a_stream_brings_every_word_and_the_finish_reason(client: openai.OpenAI) -> None:
    with client.chat.completions.create(model="echo", messages=HELLO, stream=True) as stream:
        chunks = list(stream)
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == "You said: hello there "
    assert chunks[-1].choices[0].finish_reason == "stop"
    assert all(chunk.usage is None for chunk in chunks)


def test_the_usage_chunk_comes_when_it_is_asked_for(client: openai.OpenAI) -> None:
    with client.chat.completions.create(model="echo", messages=HELLO, stream=True, stream_options={"include_usage": True}) as stream:
        last = list(stream)[-1]
    assert last.choices == []
    assert last.usage is not None and last.usage.total_tokens == USAGE["total_tokens"]


def test_a_tool_call_makes_the_round_trip(client: openai.OpenAI) -> None:
    asked: Any = [{"role": "user", "content": "What is the weather in Bern?"}]
    first = client.chat.completions.create(model="tools", messages=asked, tools=TOOLS)
    message = first.choices[0].message
    assert first.choices[0].finish_reason == "tool_calls"
    assert message.tool_calls is not None and message.tool_calls[0].id == TOOL_CALL["id"]
    result = {"role": "tool", "tool_call_id": message.tool_calls[0].id, "content": "sunny"}
    conversation: Any = [*asked, message.model_dump(exclude_none=True), result]
    second = client.chat.completions.create(model="tools", messages=conversation, tools=TOOLS)
    assert second.choices[0].message.content == "It is sunny in Bern."


def test_an_unknown_model_is_a_404_that_names_it(client: openai.OpenAI) -> None:
    with pytest.raises(openai.NotFoundError) as caught:
        client.chat.completions.create(model="no-such-model", messages=HELLO)
    assert caught.value.code == "model_not_found"
    assert "no-such-model" in str(caught.value)


def test_a_wrong_key_is_a_401_that_does_not_repeat_it(client: openai.OpenAI) -> None:
    wrong = "wrong" + CLIENT_KEY
    with pytest.raises(openai.AuthenticationError) as caught:
        client.with_options(api_key=wrong).chat.completions.create(model="echo", messages=HELLO)
    assert caught.value.code == "invalid_api_key"
    assert wrong not in str(caught.value)


def test_a_rate_limit_arrives_with_its_headers(client: openai.OpenAI) -> None:
    with pytest.raises(openai.RateLimitError) as caught:
        client.chat.completions.create(model="limited", messages=HELLO)
    assert caught.value.response.headers["retry-after"] == "7"
    assert caught.value.response.headers["x-ratelimit-remaining-requests"] == "0"
    assert caught.value.code == "rate_limit_exceeded"


def test_a_model_server_that_hangs_up_is_a_server_error_in_the_same_shape(client: openai.OpenAI) -> None:
    with pytest.raises(openai.InternalServerError) as caught:
        client.chat.completions.create(model="drops", messages=HELLO)
    assert caught.value.status_code == 502
    assert caught.value.type == "upstream_error"


def test_models_are_listed_and_each_can_be_retrieved(client: openai.OpenAI) -> None:
    names = {model.id for model in client.models.list()}
    assert {"echo", "tools", "embeds"} <= names
    assert client.models.retrieve("echo").id == "echo"
    with pytest.raises(openai.NotFoundError):
        client.models.retrieve("no-such-model")


@pytest.mark.parametrize("encoding", ["float", "base64", None])
def test_embeddings_arrive_in_each_encoding(client: openai.OpenAI, encoding: str | None) -> None:
    asked: Any = {} if encoding is None else {"encoding_format": encoding}
    answer = client.embeddings.create(model="embeds", input=["a", "b"], **asked)
    assert len(answer.data) == 2
    if encoding != "base64":  # the client hands base64 back as it is only when it was asked for by name
        assert tuple(answer.data[0].embedding) == VECTOR


async def test_the_async_client_is_served_as_well(gateway: GatewayProcess) -> None:
    verify = gateway.trust() if gateway.scheme == "https" else True
    transport = httpx2.AsyncClient(verify=verify, trust_env=False)
    async with openai.AsyncOpenAI(base_url=f"{gateway.url}/v1", api_key=CLIENT_KEY, max_retries=0, http_client=transport) as client:
        whole = await client.chat.completions.create(model="echo", messages=HELLO)
        async with await client.chat.completions.create(model="echo", messages=HELLO, stream=True) as stream:
            words = [chunk.choices[0].delta.content or "" async for chunk in stream]
    assert whole.choices[0].message.content == "You said: hello there"
    assert "".join(words) == "You said: hello there "


def test_a_client_that_leaves_a_stream_ends_it_at_the_model_server(client: openai.OpenAI, models: ModelServer) -> None:
    with client.chat.completions.create(model="stalls", messages=HELLO, stream=True) as stream:
        assert next(iter(stream)).choices[0].delta.content == "Once upon"
    assert models.chats()[-1].left.wait(10), "the model server went on for nobody"


def test_what_a_user_told_is_there_in_the_next_conversation(client: openai.OpenAI, gateway: GatewayProcess, models: ModelServer) -> None:
    user = {"x-eluvix-user": "alice"}
    told: Any = [{"role": "user", "content": "I live in Lisbon and I prefer tea over coffee."}]
    client.chat.completions.create(model="echo", messages=told, extra_headers=user)
    wait_until_committed(gateway)
    asked: Any = [{"role": "user", "content": "What do I prefer, tea or coffee?"}]
    answer = client.chat.completions.with_raw_response.create(model="echo", messages=asked, extra_headers=user)
    assert answer.headers["x-eluvix-memory"].startswith("hit;")
    system = models.chats()[-1].body["messages"][0]
    assert system["role"] == "system"
    assert system["content"].startswith("<recalled_context")
    assert "tea" in system["content"]
