"""Requests to a Mem0 server: the only place that knows httpx. Answers become JSON, failures become provider errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx

from providers.base import ProviderRefused, ProviderUnavailable, ProviderUnclear

if TYPE_CHECKING:
    from collections.abc import Mapping

_CONNECT_TIMEOUT = 5.0
_ADVICE = {
    401: "check memory.mem0.api_key",
    403: "the key may not do this; use an admin's key",
    404: "check memory.mem0.url: it must be that of a self-hosted Mem0 server, without a path",
    405: "check memory.mem0.url: it must be that of a self-hosted Mem0 server, without a path",
}
_WRONG_DIALECT = (
    ("Top-level entity parameters", "oss2"),
    ("'run_id' must be provided", "oss1"),
)


class NotThere(ProviderRefused):
    """The server has no such memory (404, or 500 from the older ones)."""


class Mem0Client:
    """One connection pool to one server. It follows no redirects, reads no proxy settings and never repeats a request."""

    def __init__(
        self, url: str, *, api_key: str | None = None, timeout: float = 120.0, transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        """`timeout` is in seconds, for each wait; `transport` replaces the network."""
        try:
            base = httpx.URL(url)
        except httpx.InvalidURL:
            message = "mem0: memory.mem0.url is not a URL"
            raise ProviderRefused(message) from None
        self._where = f"mem0 at {base.scheme}://{base.netloc.decode()}"
        self._client = httpx.AsyncClient(
            base_url=base,
            headers={"X-API-Key": api_key} if api_key else {},
            timeout=httpx.Timeout(timeout, connect=min(timeout, _CONNECT_TIMEOUT)),
            trust_env=False,
            follow_redirects=False,
            transport=transport,
        )

    async def close(self) -> None:
        """Closes the pool."""
        await self._client.aclose()

    async def call(self, method: str, path: str, *, json: object = None, query: Mapping[str, str] | None = None) -> Any:
        """Sends one request and returns the answer's JSON. Raises NotThere, ProviderRefused, ProviderUnavailable or, when it was sent
        and no answer came, ProviderUnclear."""
        if self._client.is_closed:
            message = f"{self._where}: the provider is closed"
            raise ProviderUnavailable(message)
        try:
            response = await self._client.request(method, path, json=json, params=query)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol) as error:
            message = f"{self._where} cannot be reached ({type(error).__name__}); start it, or check memory.mem0.url"
            raise ProviderUnavailable(message) from None
        except httpx.TimeoutException:
            message = f"{self._where} did not answer in time; see whether it and its models are busy"
            raise ProviderUnclear(message) from None
        except httpx.HTTPError as error:
            message = f"{self._where} broke off ({type(error).__name__}); see its log"
            raise ProviderUnclear(message) from None
        if response.status_code != httpx.codes.OK:
            raise self._failure(response)
        return self._parsed(response)

    def _parsed(self, response: httpx.Response) -> Any:
        try:
            return response.json()
        except ValueError:
            message = f"{self._where} answered something that is not JSON; check memory.mem0.url"
            raise ProviderUnavailable(message) from None

    def _failure(self, response: httpx.Response) -> ProviderRefused | ProviderUnavailable:
        """What a status means. The server's own words may quote memories, so they are looked at and not passed on."""
        status, words = response.status_code, response.text[:2000]
        for phrase, dialect in _WRONG_DIALECT:
            if status == httpx.codes.INTERNAL_SERVER_ERROR and phrase in words:
                return ProviderRefused(f"{self._where} speaks another dialect; set memory.mem0.dialect to {dialect}")
        if status in (httpx.codes.NOT_FOUND, httpx.codes.INTERNAL_SERVER_ERROR) and "with id" in words and "not found" in words:
            return NotThere(f"{self._where} has no such memory")
        if status >= httpx.codes.INTERNAL_SERVER_ERROR or status == httpx.codes.TOO_MANY_REQUESTS:
            return ProviderUnavailable(f"{self._where} failed ({status}); see its log")
        advice = _ADVICE.get(status, "see its log")
        return ProviderRefused(f"{self._where} refused ({status}); {advice}")
