"""Memories in a self-hosted Mem0 server."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any, ClassVar

from providers.base import (
    Health,
    Memory,
    MemoryPatch,
    MemoryProvider,
    NewMemory,
    Page,
    ProviderError,
    ProviderRefused,
    ProviderUnavailable,
    TurnRecord,
)
from providers.mem0.client import Mem0Client, NotThere
from providers.mem0.dialects import DIALECTS
from providers.mem0.listing import page_of
from providers.mem0.rows import SOURCE, checked_metadata, checked_text, is_id, memory_of, metadata_of, rows_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import httpx

_TITLE = "Mem0 REST APIs"  # other products listen on the same port
_USER = re.compile(r"[^\s*]{1,128}")  # `*` would mean everybody
_NOBODY = "eluvix-health"
_LONGEST_QUERY = 8_000  # characters; embedding models take no more
_AT_ONCE = 8


class Mem0Provider(MemoryProvider):
    """Speaks to one server in one `dialect` (a name in DIALECTS). Nothing is sent twice: an add that timed out may have been stored.

    `infer` lets the server draw facts out of turns with its own model; without it, turns are stored word for word.
    """

    name: ClassVar[str] = "mem0"
    digests_turns: ClassVar[bool] = True

    def __init__(  # noqa: PLR0913 (all but the first have defaults and are named)
        self,
        url: str,
        *,
        api_key: str | None = None,
        dialect: str = "oss3",
        infer: bool = True,
        local: bool = True,
        timeout: float = 120.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """`timeout` is in seconds. Raises ProviderRefused for an unknown dialect."""
        if dialect not in DIALECTS:
            message = f"mem0: unknown dialect; memory.mem0.dialect is one of {', '.join(DIALECTS)}"
            raise ProviderRefused(message)
        self.local = local
        self._dialect = DIALECTS[dialect]
        self._infer = infer
        self._client = Mem0Client(url, api_key=api_key, timeout=timeout, transport=transport)

    async def open(self) -> None:
        """Nothing is asked yet: a server that starts later is found then."""

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.close()

    async def search(self, user: str, query: str, limit: int) -> list[Memory]:
        """What the server finds; its scores. Rows of anybody else are dropped."""
        _check(user)
        asked = query.strip().encode(errors="replace").decode().replace("\0", " ").strip()[:_LONGEST_QUERY]
        if not asked or limit <= 0:
            return []
        answer = await self._client.call("POST", "/search", json=self._dialect.search_body(user, asked, limit))
        return _owned(answer, user)[:limit]

    async def add(self, user: str, memories: Sequence[NewMemory]) -> list[Memory]:
        """Stores texts word for word, each as one memory. When one fails, those before it are taken back."""
        _check(user)
        bodies = [self._body(user, [("user", memory.text)], metadata_of(memory), infer=False) for memory in memories]
        stored: list[Memory] = []
        try:
            for body, memory in zip(bodies, memories, strict=True):
                stored.append(await self._add_one(user, body, memory))
        except ProviderError:
            await self._take_back(user, stored)
            raise
        return stored

    async def commit(self, user: str, turn: TurnRecord) -> list[Memory]:
        """Sends a turn in one request. [] when the server found nothing worth keeping."""
        _check(user)
        said = [(role, text) for role, text in (("user", turn.question), ("assistant", turn.answer)) if text.strip("\0 \t\r\n")]
        if not said:
            return []
        metadata = {"source": SOURCE, "key": turn.key, "created_at": turn.created_at.isoformat()}
        if turn.session is not None:
            metadata["session"] = turn.session
        answer = await self._client.call("POST", "/memories", json=self._body(user, said, metadata, infer=self._infer))
        rows = [row for row in rows_of(answer) if isinstance(row, dict) and row.get("event") in ("ADD", "UPDATE")]
        found = [memory_of({**row, "user_id": user, "metadata": metadata}, user) for row in rows]
        return [memory for memory in found if memory is not None]

    async def get(self, user: str, memory_id: str) -> Memory | None:
        """That memory of that user."""
        _check(user)
        if not is_id(memory_id):
            return None
        try:
            return memory_of(await self._client.call("GET", f"/memories/{memory_id}"), user)
        except NotThere:
            return None

    async def update(self, user: str, memory_id: str, patch: MemoryPatch) -> Memory | None:
        """Changes text, category and metadata; metadata is merged. Levels and verdicts have no place here."""
        found = await self.get(user, memory_id)
        body = self._changes(found, patch) if found is not None else {}
        if found is None or not body:
            return found
        try:
            await self._client.call("PUT", f"/memories/{memory_id}", json=body)
        except NotThere:
            return None
        return await self.get(user, memory_id)

    async def delete(self, user: str, memory_id: str) -> bool:
        """Forgets one memory, after a look at whose it is."""
        if await self.get(user, memory_id) is None:
            return False
        return await self._delete(memory_id)

    async def clear(self, user: str) -> int:
        """Deletes one by one until the server shows no more: its own bulk delete has emptied other users, and has stopped at 100."""
        _check(user)
        removed = 0
        while rows := await self._rows(user):
            before = removed
            for start in range(0, len(rows), _AT_ONCE):
                part = rows[start : start + _AT_ONCE]
                removed += await self._delete_all(part)
            if removed == before:
                message = "mem0: the server still shows memories that it says are gone; try again later"
                raise ProviderUnavailable(message)
        return removed

    async def users(self) -> list[str]:
        """Unknown: the server does not tell reliably."""
        return []

    async def health(self) -> Health:
        """Whether a Mem0 server answers, and takes the key."""
        try:
            page = await self._client.call("GET", "/openapi.json")
            title = page.get("info", {}).get("title") if isinstance(page, dict) else None
            if title != _TITLE:
                return Health(ok=False, detail="mem0: another program answers there; check memory.mem0.url")
            await self._client.call("GET", "/memories", query={"user_id": _NOBODY})
        except ProviderError as error:
            return Health(ok=False, detail=str(error))
        return Health(ok=True, detail=f"mem0: dialect {self._dialect.name}")

    async def list(self, user: str, limit: int, cursor: str | None = None) -> Page:
        """One page, newest first, out of the at most 1000 memories that the server shows."""
        _check(user)
        return page_of(await self._rows(user), limit, cursor)

    async def _rows(self, user: str) -> Sequence[Memory]:
        return _owned(await self._client.call("GET", "/memories", query=self._dialect.list_query(user)), user)

    async def _add_one(self, user: str, body: dict[str, Any], memory: NewMemory) -> Memory:
        rows = rows_of(await self._client.call("POST", "/memories", json=body))
        row = next((row for row in rows if isinstance(row, dict)), {})
        made = memory_of({**row, "user_id": user, "metadata": body["metadata"], "memory": row.get("memory", memory.text)}, user)
        if made is None:
            message = "mem0: the server kept nothing of the memory; it may be too old to store texts as they are"
            raise ProviderRefused(message)
        return await self.get(user, made.id) or made

    async def _take_back(self, user: str, stored: Sequence[Memory]) -> None:
        for memory in stored:
            try:
                await self.delete(user, memory.id)
            except ProviderError:
                return

    async def _delete_all(self, memories: Sequence[Memory]) -> int:
        outcomes = await asyncio.gather(*(self._delete(memory.id) for memory in memories), return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                raise outcome
        return sum(outcome is True for outcome in outcomes)

    async def _delete(self, memory_id: str) -> bool:
        try:
            await self._client.call("DELETE", f"/memories/{memory_id}")
        except NotThere:
            return False
        return True

    def _body(self, user: str, said: Sequence[tuple[str, str]], metadata: dict[str, Any], *, infer: bool) -> dict[str, Any]:
        messages = [{"role": role, "content": checked_text(text)} for role, text in said]
        return {"messages": messages, "user_id": user, "metadata": metadata, "infer": infer}

    def _changes(self, found: Memory, patch: MemoryPatch) -> dict[str, Any]:
        body: dict[str, Any] = {}
        if patch.category is not None or patch.metadata is not None:
            body["metadata"] = checked_metadata({**(patch.metadata or {}), "category": patch.category or found.category})
        if patch.text is not None or (body and not self._dialect.partial_update):
            body["text"] = checked_text(patch.text if patch.text is not None else found.text)
        return body


def _check(user: str) -> None:
    if not _USER.fullmatch(user):
        message = "mem0: this is not the name of one user"
        raise ProviderRefused(message)


def _owned(answer: object, user: str) -> list[Memory]:
    return [memory for row in rows_of(answer) if (memory := memory_of(row, user)) is not None]
