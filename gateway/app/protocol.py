"""uvicorn's HTTP protocol with two things mended: a request head has a limit, and an offer to upgrade to HTTP/2 is passed over."""

from __future__ import annotations

import re
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MAX_HEAD = 128 * 1024
"""Bytes of a request line and its headers."""
_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
_UPGRADE = re.compile(rb"\r\nupgrade:[ \t]*h2c[ \t]*(?=\r\n)", re.IGNORECASE)


class GatewayProtocol(HttpToolsProtocol):
    """One client's connection.

    httptools takes heads of any size, and takes everything behind an `Upgrade` for another protocol, the body included: Java's client
    offers h2c on every plain request.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._in_head = self._in_body = False
        self._head = 0

    def data_received(self, data: bytes) -> None:
        """Takes the next bytes; ends the connection with 431 when a head does not end."""
        if self._in_head:
            self._head += len(data)
            if self._head > MAX_HEAD:
                self.transport.write(_TOO_LARGE)
                self.transport.close()
                return
        super().data_received(data if self._in_body or b"h2c" not in data else _without_upgrade(data))

    def on_message_begin(self) -> None:
        """A head begins."""
        self._in_head, self._head = True, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head has ended."""
        self._in_head, self._in_body = False, True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The body has ended."""
        self._in_body = False
        super().on_message_complete()


def _without_upgrade(data: bytes) -> bytes:
    """The bytes with the offer taken out of the head that they begin with."""
    head, separator, rest = data.partition(b"\r\n\r\n")
    return _UPGRADE.sub(b"", head + b"\r\n")[:-2] + separator + rest
