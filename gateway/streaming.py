"""The tee: reads a copy of an answer while its bytes go on unchanged, and holds back only the event that ends a stream."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from typing import Any

import orjson

_DONE = re.compile(rb"(?:^|(?<=[\r\n]))data: ?\[DONE\]")
_MARKS = (b"data: [DONE]", b"data:[DONE]")
_LINE_END = re.compile(rb"\r\n|\r|\n")
_PARSE_AT = 65_536
MAX_TEXT_CHARS = 1_048_576
_READABLE = frozenset({"", "identity", "gzip", "x-gzip", "deflate"})


@dataclass(frozen=True, slots=True)
class Said:
    """What an answer said. `complete` only when it ended as it should, without an error in it."""

    text: str
    complete: bool
    finish: str | None = None
    calls_tools: bool = False
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def final(self) -> bool:
        """Whether this ends the turn: a complete answer that is not the middle of a tool loop."""
        return self.complete and bool(self.text) and not self.calls_tools and self.finish not in {"tool_calls", "function_call"}


NOTHING_SAID = Said("", complete=False)


def said_plainly(body: bytes, encoding: str = "") -> Said:
    """What a whole JSON answer said."""
    try:
        document = orjson.loads(_Decoder(encoding).feed(body))
    except (orjson.JSONDecodeError, zlib.error):
        return NOTHING_SAID
    reader = _Reader()
    if isinstance(document, dict):
        reader.take(document, "message")
    return reader.said(ended=reader.seen)


class StreamTee:
    """Takes an event stream's pieces as they come and gives back what may be passed on at once.

    Everything is passed on at once but the `[DONE]` event and what follows it (and, for a moment, the beginning of a line that may
    become it); `held` returns that when the stream has ended.
    """

    def __init__(self, encoding: str = "", keep_bytes: int = 0) -> None:
        self._decoder = _Decoder(encoding)
        self._plain = encoding in {"", "identity"}
        self._kept: list[bytes] = []
        self._room = keep_bytes
        self._held = b""
        self.ended = False
        """Whether the end mark has come."""
        self._at_line_start = True
        self._copy: list[bytes] = []
        self._size = 0
        self._events = _Events()

    def feed(self, piece: bytes) -> bytes:
        """Takes the next piece; what may go on to the client now (b"" = nothing)."""
        self._read(piece)
        if self.ended or not self._plain:
            return self._hold(piece)
        data = self._held + piece if self._held else piece
        start = self._end_mark(data)
        self._held = data[start:]
        released = data[:start]
        if released:
            self._at_line_start = released[-1] in b"\r\n"
        return released

    def held(self) -> bytes:
        """What was held back. Nothing is afterwards."""
        held, self._held = self._held, b""
        return held

    def copy(self) -> bytes | None:
        """All bytes of the stream as they came; None when they were more than `keep_bytes`."""
        return b"".join(self._kept) if self._room > 0 else None

    def said(self, *, ended: bool = True) -> Said:
        """What the stream said up to now; `ended` is False when it was cut short."""
        self._parse()
        if self._decoder.broken:
            return NOTHING_SAID
        return self._events.said(ended=ended)

    def _hold(self, piece: bytes) -> bytes:
        """After the end mark everything is held; a compressed stream cannot be looked into byte by byte and is passed on."""
        if not self.ended:
            return piece
        self._held += piece
        return b""

    def _end_mark(self, data: bytes) -> int:
        """Where the `[DONE]` event, or what may become one, begins in `data`; its length when there is none."""
        if b"[DONE]" in data:
            found = _DONE.search(data)
            if found and (found.start() > 0 or self._at_line_start):
                self.ended = True
                return found.start()
        line = max(data.rfind(b"\n"), data.rfind(b"\r")) + 1
        rest = data[line:]
        may_become = 0 < len(rest) < len(_MARKS[0]) and (line > 0 or self._at_line_start)
        return line if may_become and any(mark.startswith(rest) for mark in _MARKS) else len(data)

    def _read(self, piece: bytes) -> None:
        self._copy.append(piece)
        self._size += len(piece)
        if self._room > 0:
            self._kept.append(piece)
            self._room -= len(piece)
            if self._room <= 0:
                self._kept = []
        if self._size >= _PARSE_AT:
            self._parse()

    def _parse(self) -> None:
        data, self._copy, self._size = b"".join(self._copy), [], 0
        self._events.feed(self._decoder.feed(data))


class _Decoder:
    """Undoes gzip and deflate; another encoding makes it `broken`, and nothing is read."""

    def __init__(self, encoding: str) -> None:
        self.broken = encoding not in _READABLE
        self._inflate = None if encoding in {"", "identity"} or self.broken else zlib.decompressobj(47)

    def feed(self, data: bytes) -> bytes:
        if self.broken:
            return b""
        if self._inflate is None:
            return data
        try:
            return self._inflate.decompress(data)
        except zlib.error:
            self.broken = True
            return b""


class _Events:
    """Splits an event stream by its grammar (LF, CRLF or CR; comments; several data lines) and reads its chunks."""

    def __init__(self) -> None:
        self._rest = b""
        self._data: list[bytes] = []
        self._reader = _Reader()
        self._done = False

    def feed(self, data: bytes) -> None:
        data = self._rest + data
        keep = 1 if data.endswith(b"\r") else 0  # its LF may come with the next piece
        *lines, self._rest = _LINE_END.split(data[: len(data) - keep])
        self._rest += data[len(data) - keep :]
        for line in lines:
            self._line(line)

    def said(self, *, ended: bool) -> Said:
        if self._rest:
            self._line(self._rest.rstrip(b"\r"))
            self._rest = b""
        self._event()
        return self._reader.said(ended=ended and (self._done or self._reader.finish is not None))

    def _line(self, line: bytes) -> None:
        if line.startswith(b"data:"):
            self._data.append(line[6:] if line[5:6] == b" " else line[5:])
        elif not line:
            self._event()

    def _event(self) -> None:
        data, self._data = b"\n".join(self._data), []
        if data.strip() == b"[DONE]":
            self._done = True
        elif data:
            self._chunk(data)

    def _chunk(self, data: bytes) -> None:
        try:
            chunk = orjson.loads(data)
        except orjson.JSONDecodeError:
            self._reader.failed = True
            return
        if isinstance(chunk, dict):
            self._reader.take(chunk, "delta")


class _Reader:
    """Gathers the first choice of an answer from a `message` or from its `delta`s."""

    def __init__(self) -> None:
        self.seen = False
        self.failed = False
        self.finish: str | None = None
        self._texts: list[str] = []
        self._length = 0
        self._calls_tools = False
        self._usage: dict[str, Any] = {}

    def take(self, document: dict[str, Any], part: str) -> None:
        """Reads one chunk or one whole answer; anything of an unexpected shape is passed over."""
        self.failed = self.failed or bool(document.get("error"))
        usage = document.get("usage")
        if isinstance(usage, dict):
            self._usage = usage
        choices = document.get("choices")
        for choice in choices if isinstance(choices, list) else ():
            if isinstance(choice, dict) and choice.get("index", 0) == 0:
                self._choice(choice, part)

    def said(self, *, ended: bool) -> Said:
        return Said(
            text="".join(self._texts),
            complete=ended and not self.failed,
            finish=self.finish,
            calls_tools=self._calls_tools,
            prompt_tokens=_count(self._usage.get("prompt_tokens")),
            completion_tokens=_count(self._usage.get("completion_tokens")),
        )

    def _choice(self, choice: dict[str, Any], part: str) -> None:
        self.seen = True
        finish = choice.get("finish_reason")
        self.finish = finish if isinstance(finish, str) else self.finish
        message = choice.get(part)
        if not isinstance(message, dict):
            return
        self._calls_tools = self._calls_tools or bool(message.get("tool_calls") or message.get("function_call"))
        content = message.get("content")
        if isinstance(content, str) and self._length < MAX_TEXT_CHARS:
            self._texts.append(content)
            self._length += len(content)


def _count(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0
