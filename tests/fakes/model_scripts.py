"""What the scripted models do: the model's name says how one behaves."""

from __future__ import annotations

import base64
import struct
from typing import TYPE_CHECKING, Any

from tests.fakes.model_server import Cut, Received, Wire

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

VECTOR = (0.5, -1.0, 2.0)
USAGE = {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}
TOOL_CALL = {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Bern"}'}}


def last_text(body: Mapping[str, Any]) -> str:
    """The text of the last message, "" where it has none."""
    content = body["messages"][-1].get("content")
    return content if isinstance(content, str) else ""


def completion(model: str, message: Mapping[str, Any], finish: str = "stop") -> dict[str, Any]:
    """A plain chat answer."""
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1700000000,
        "model": model,
        "choices": [choice],
        "usage": USAGE,
    }


def chunk(model: str, delta: Mapping[str, Any], finish: str | None = None) -> dict[str, Any]:
    """One event of a streamed chat answer."""
    choice = {"index": 0, "delta": dict(delta), "finish_reason": finish}
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1700000000, "model": model, "choices": [choice]}


async def answer(wire: Wire, body: Mapping[str, Any], text: str) -> None:
    """`text` as the request wants it: whole, or word by word with the usage at the end if it was asked for."""
    model = str(body["model"])
    if not body.get("stream"):
        await wire.send_json(completion(model, {"content": text}))
        return
    await wire.start_events()
    await wire.event(chunk(model, {"role": "assistant", "content": ""}))
    for word in text.split(" "):
        await wire.event(chunk(model, {"content": word + " "}))
    await wire.event(chunk(model, {}, "stop"))
    if (body.get("stream_options") or {}).get("include_usage"):
        await wire.event({**chunk(model, {}), "choices": [], "usage": USAGE})
    await wire.event("[DONE]")
    await wire.end_events()


async def _echo(wire: Wire, request: Received) -> None:
    await answer(wire, request.body, f"You said: {last_text(request.body)}")


async def _tools(wire: Wire, request: Received) -> None:
    body = request.body
    last = body["messages"][-1]
    if last["role"] == "tool":
        await answer(wire, body, f"It is {last['content']} in Bern.")
        return
    await wire.send_json(completion(body["model"], {"content": None, "tool_calls": [TOOL_CALL]}, "tool_calls"))


async def _limited(wire: Wire, request: Received) -> None:
    error = {"message": "Too many requests.", "type": "requests", "param": None, "code": "rate_limit_exceeded"}
    await wire.send_json({"error": error}, 429, {"retry-after": "7", "x-ratelimit-remaining-requests": "0"})


async def _drops(wire: Wire, request: Received) -> None:
    raise Cut


async def _stalls(wire: Wire, request: Received) -> None:
    await wire.start_events()
    await wire.event(chunk(request.body["model"], {"role": "assistant", "content": "Once upon"}))
    await wire.peer_left()


def _floats(encoding: str) -> object:
    return list(VECTOR) if encoding == "float" else base64.b64encode(struct.pack(f"<{len(VECTOR)}f", *VECTOR)).decode()


async def _embeds(wire: Wire, request: Received) -> None:
    body = request.body
    texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
    vector = _floats(body.get("encoding_format", "float"))
    rows = [{"object": "embedding", "index": n, "embedding": vector} for n in range(len(texts))]
    await wire.send_json({"object": "list", "model": body["model"], "data": rows, "usage": {"prompt_tokens": 2, "total_tokens": 2}})


MODELS: dict[str, Callable[[Wire, Received], Awaitable[None]]] = {
    "echo": _echo,
    "tools": _tools,
    "limited": _limited,
    "drops": _drops,
    "stalls": _stalls,
    "embeds": _embeds,
}


async def by_model(wire: Wire, request: Received) -> None:
    """The script that plays each model of MODELS, and lists them."""
    if request.method == "GET":
        rows = [{"id": name, "object": "model", "created": 1700000000, "owned_by": "tests"} for name in MODELS]
        await wire.send_json({"object": "list", "data": rows})
        return
    await MODELS[str(request.body["model"])](wire, request)
