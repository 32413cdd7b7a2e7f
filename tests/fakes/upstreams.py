"""Upstreams in memory, for tests of what stands before and behind them."""

import orjson

from gateway.errors import UpstreamBroken
from gateway.upstreams.base import UpstreamConfig


class FakeAnswer:
    """An answer from pieces; an exception among them is raised in its place."""

    def __init__(self, status, headers, pieces):
        self.status = status
        self.headers = headers
        self._pieces = list(pieces)
        self.closed = 0
        self.taken = 0

    async def read(self):
        return b"".join([piece async for piece in self.pieces()])

    async def pieces(self):
        for piece in self._pieces:
            if isinstance(piece, Exception):
                raise piece
            self.taken += 1
            yield piece

    def close(self):
        self.closed += 1


def plain(text="hello", status=200, headers=(), **extra):
    """A whole answer that says `text`."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    body = orjson.dumps({"choices": [choice], **extra})
    return FakeAnswer(status, [(b"content-type", b"application/json"), *headers], [body])


def refusal(status, message="no", headers=()):
    """An error answer."""
    body = orjson.dumps({"error": {"message": message}})
    return FakeAnswer(status, [(b"content-type", b"application/json"), *headers], [body])


def event(text=None, finish=None):
    """One event of a stream."""
    delta = {} if text is None else {"content": text}
    return b"data: %b\n\n" % orjson.dumps({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})


def streamed(*texts, broken=False, done=True):
    """A stream that says `texts` one by one."""
    pieces = [event(text) for text in texts]
    if broken:
        pieces.append(UpstreamBroken("The upstream closed the connection."))
    elif done:
        pieces += [event(None, "stop"), b"data: [DONE]\n\n"]
    return FakeAnswer(200, [(b"content-type", b"text/event-stream")], pieces)


class FakeUpstream:
    """Gives its answers one after the other (exceptions are raised) and keeps what it was sent."""

    def __init__(self, name, *answers, local=True, api_key=None, kind="openai", cloud_mode=None):
        self.config = UpstreamConfig(name, kind, "http://fake.invalid/v1", local=local, api_key=api_key, cloud_mode=cloud_mode)
        self.answers = list(answers)
        self.sent = []

    async def send(self, outbound):
        self.sent.append(outbound)
        answer = self.answers.pop(0) if self.answers else plain()
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def models(self):
        return []

    async def close(self):
        """Nothing to close."""

    @property
    def bodies(self):
        return [orjson.loads(outbound.body) for outbound in self.sent]
