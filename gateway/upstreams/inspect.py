"""Kind `inspect`: built-in models that answer with the very request that an upstream would have received.

`eluvix/inspect` counts as local and `eluvix/inspect-cloud` as cloud: they show what recall adds and the guard takes away.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from gateway.errors import BadRequest
from gateway.upstreams.answers import BufferedAnswer
from gateway.upstreams.base import ModelInfo, UpstreamConfig

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gateway.turn import Outbound
    from gateway.upstreams.base import Answer

_ID = "chatcmpl-eluvix-inspect"
_PIECE = 1024
"""Characters of content in a chunk."""


def inspect_configs() -> list[UpstreamConfig]:
    """The two built-in upstreams, `inspect` and `inspect-cloud`. Their models are `eluvix/` and that name."""
    return [UpstreamConfig(name, "inspect", "inspect:", local=name == "inspect") for name in ("inspect", "inspect-cloud")]


class InspectUpstream:
    """Answers chat requests without a model: the content is the JSON text of the request's body. Keeps and sends nothing."""

    __slots__ = ("config",)

    def __init__(self, config: UpstreamConfig) -> None:
        self.config = config

    async def send(self, outbound: Outbound) -> Answer:
        """A completion, or chunks when the request asks for a stream; 400 for anything but chat."""
        if outbound.endpoint != "/chat/completions":
            return _only_chat(outbound.model)
        reply = _Reply(outbound.model, int(time.time()), outbound.body.decode())
        if not outbound.stream:
            return BufferedAnswer(200, [(b"content-type", b"application/json")], [orjson.dumps(reply.completion())])
        options = orjson.loads(outbound.body).get("stream_options")
        with_usage = isinstance(options, dict) and options.get("include_usage") is True
        events = [b"data: %b\n\n" % orjson.dumps(chunk) for chunk in reply.chunks(with_usage=with_usage)]
        headers = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"cache-control", b"no-cache")]
        return BufferedAnswer(200, headers, [*events, b"data: [DONE]\n\n"])

    async def models(self) -> list[ModelInfo]:
        """The one model."""
        model = f"eluvix/{self.config.name}"
        return [ModelInfo(model, {"id": model, "object": "model", "created": 0, "owned_by": "eluvix"})]

    async def close(self) -> None:
        """Nothing to close."""


@dataclass(frozen=True, slots=True)
class _Reply:
    model: str
    created: int
    content: str

    def completion(self) -> dict[str, Any]:
        message = {"role": "assistant", "content": self.content, "refusal": None}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
        return self._frame("chat.completion", [choice]) | {"usage": self._usage()}

    def chunks(self, *, with_usage: bool) -> Iterator[dict[str, Any]]:
        usage = {"usage": None} if with_usage else {}
        for delta, reason in self._deltas():
            choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
            yield self._frame("chat.completion.chunk", [choice]) | usage
        if with_usage:
            yield self._frame("chat.completion.chunk", []) | {"usage": self._usage()}

    def _deltas(self) -> Iterator[tuple[dict[str, str], str | None]]:
        yield {"role": "assistant", "content": ""}, None
        for start in range(0, len(self.content), _PIECE):
            yield {"content": self.content[start : start + _PIECE]}, None
        yield {}, "stop"

    def _frame(self, kind: str, choices: list[dict[str, Any]]) -> dict[str, Any]:
        return {"id": _ID, "object": kind, "created": self.created, "model": self.model, "choices": choices}

    def _usage(self) -> dict[str, int]:
        """Four characters to the token: no model has counted them."""
        count = -(-len(self.content) // 4)
        return {"prompt_tokens": count, "completion_tokens": count, "total_tokens": 2 * count}


def _only_chat(model: str) -> BufferedAnswer:
    message = f"The model {model!r} only answers chat requests. Use /v1/chat/completions."
    error = BadRequest(message, code="unsupported_endpoint", param="model")
    return BufferedAnswer(error.status, [(b"content-type", b"application/json")], [orjson.dumps(error.to_json())])
