"""Writing and reading memories: what the memory API, the command line and the drain share.

Levels and the guard's verdict are computed when a memory is written, so that a request only looks them up.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

import orjson
import structlog

from gateway.errors import BadRequest
from providers.base import KeepsVerdicts, MemoryPatch, NewMemory

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence

    from providers.base import Memory, MemoryProvider, Page, TurnRecord, Verdict

    Classify = Callable[[Sequence[str]], Awaitable[list[Verdict]]]
    Levels = Callable[[Sequence[str]], Awaitable[list[tuple[str | None, str | None]]]]

log = structlog.get_logger()

MAX_TEXT = 65_536
"""Characters of one memory."""
_GENERAL = "general"
_PAGE, _BATCH, _STALE = 200, 100, 32
_FIRST_YEAR, _LAST_YEAR = 1900, 9998
_MAX_DEPTH = 32
_MAX_LABEL = 256
"""Characters of a category or a session's name."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did. `problems` are (line number from 1, what is wrong and how to mend it)."""

    added: int
    problems: tuple[tuple[int, str], ...]


class Memories:
    """The memories of users, with everything that belongs to writing one. Raises ProviderError where the provider fails."""

    def __init__(self, provider: MemoryProvider, classify: Classify, levels: Levels, forgotten: Callable[[str], Awaitable[object]]) -> None:
        self._provider = provider
        self._classify = classify
        self._levels = levels
        self._forgotten = forgotten

    async def add(self, user: str, memories: Sequence[NewMemory]) -> Sequence[Memory]:
        """Stores memories with levels and verdicts. For a provider that is not local they are masked before they leave, and highly
        sensitive ones are not sent."""
        for memory in memories:
            _refuse(problem_of(memory.created_at, memory.metadata))
        ready = await self._ready(memories) if memories else []
        return await self._provider.add(user, ready) if ready else []

    async def leaving(self, turn: TurnRecord) -> TurnRecord | None:
        """A turn as the provider may have it: as it is, masked where the provider is not local, or None when it is highly sensitive.

        Raises what the classifier raises: nobody has judged the turn then, and it must wait.
        """
        if self._provider.local:
            return turn
        verdicts = await self._classify([turn.question, turn.answer])
        if any(verdict.sensitivity == "high" for verdict in verdicts):
            return None
        return replace(turn, question=verdicts[0].masked, answer=verdicts[1].masked)

    async def edit(
        self,
        user: str,
        memory_id: str,
        text: str | None = None,
        category: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Memory | None:
        """Changes a memory; a new text gets new levels and a new verdict. None when this user has none of that id."""
        _refuse(problem_of(None, metadata))
        patch = MemoryPatch(category=category, metadata=metadata)
        if text is not None or not self._provider.local:
            ready = await self._ready([NewMemory(text or "", category or _GENERAL, metadata or {})])
            if not ready:
                return None
            patch = _patch(ready[0], patch, text)
        try:
            return await self._provider.update(user, memory_id, patch)
        finally:
            await self._forgotten(user)  # also after a failure: it may have been done

    async def delete(self, user: str, memory_id: str) -> bool:
        """Forgets one memory; False when this user has none of that id."""
        try:
            return await self._provider.delete(user, memory_id)
        finally:
            await self._forgotten(user)

    async def clear(self, user: str) -> int:
        """Forgets all memories of the user; how many there were."""
        try:
            return await self._provider.clear(user)
        finally:
            await self._forgotten(user)

    async def reclassify(self, policy: str) -> int:
        """Judges memories again whose verdict is missing or of another policy than `policy`, as far as the provider keeps verdicts.

        Returns how many. Raises what the classifier or the provider raises; what was judged before is kept.
        """
        done: set[str] = set()
        if not isinstance(self._provider, KeepsVerdicts):
            return 0
        while batch := [memory for memory in await self._provider.stale(policy, _STALE) if memory.id not in done]:
            verdicts = await self._classify([memory.text for memory in batch])
            await self._provider.stamp(list(zip(batch, verdicts, strict=True)))
            done.update(memory.id for memory in batch)
        return len(done)

    async def get(self, user: str, memory_id: str) -> Memory | None:
        """That memory, or None when this user has none of that id."""
        return await self._provider.get(user, memory_id)

    async def list(self, user: str, limit: int, cursor: str | None = None) -> Page:
        """The user's memories, newest first."""
        return await self._provider.list(user, limit, cursor)

    async def search(self, user: str, query: str, limit: int) -> Sequence[Memory]:
        """The memories relevant to `query`, best first."""
        return await self._provider.search(user, query, limit)

    async def export(self, user: str) -> AsyncIterator[dict[str, Any]]:
        """Every memory of the user as `import_` takes it, newest first."""
        cursor: str | None = None
        while True:
            page = await self._provider.list(user, _PAGE, cursor)
            for memory in page.memories:
                yield exported(memory)
            cursor = page.cursor
            if cursor is None:
                return

    async def import_(self, user: str, lines: Iterable[str | bytes]) -> Imported:
        """Adds the memories of an export. Lines that make no sense are reported and the others are stored."""
        added, problems, batch = 0, [], []
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                batch.append(parsed(line))
            except ValueError as error:
                problems.append((number, str(error)))
            if len(batch) == _BATCH:
                added += len(await self.add(user, batch))
                batch = []
        added += len(await self.add(user, batch))
        return Imported(added, tuple(problems))

    async def _ready(self, memories: Sequence[NewMemory]) -> Sequence[NewMemory]:
        """The memories as they are stored: with verdict and levels, and masked where the provider is not local."""
        local = self._provider.local
        labels = () if local else filter(None, map(_label, memories))
        given = (level for memory in memories for level in (memory.l0, memory.l1) if level)
        verdicts = await self._verdicts([*(memory.text for memory in memories), *given, *labels])
        levels = await self._computed_levels([memory.text for memory in memories if memory.l0 is None and memory.l1 is None])
        ready = []
        for memory in memories:
            l0, l1 = levels.get(memory.text) or (_harmless(memory.l0, verdicts), _harmless(memory.l1, verdicts))
            complete = replace(memory, verdict=verdicts.get(memory.text), l0=l0, l1=l1)
            kept = complete if local else _leaving(complete, verdicts)
            if kept is not None:
                ready.append(kept)
        return ready

    async def _verdicts(self, texts: Sequence[str]) -> Mapping[str, Verdict]:
        """Without a verdict a memory is stored all the same, and the guard keeps it from cloud models until it has one."""
        different = list(dict.fromkeys(texts))
        try:
            return dict(zip(different, await self._classify(different), strict=True))
        except Exception as error:
            log.warning("memories are stored without a verdict", count=len(texts), error=type(error).__name__)
            return {}

    async def _computed_levels(self, texts: Sequence[str]) -> Mapping[str, tuple[str | None, str | None]]:
        different = list(dict.fromkeys(texts))
        try:
            return dict(zip(different, await self._levels(different), strict=True)) if different else {}
        except Exception as error:
            log.warning("memories are stored without levels", count=len(texts), error=type(error).__name__)
            return {}


def _refuse(problem: tuple[str, str] | None) -> None:
    if problem:
        field, sentence = problem
        message = f"{sentence}."
        raise BadRequest(message, code="invalid_value", param=field)


def exported(memory: Memory) -> dict[str, Any]:
    """A memory as JSON can carry it, with the field names of the memory API."""
    return {
        "text": memory.text,
        "category": memory.category,
        "metadata": dict(memory.metadata),
        "createdAt": memory.created_at.isoformat(),
        "sessionId": memory.session,
    }


def parsed(line: str | bytes) -> NewMemory:
    """A memory from a line of an export. Raises ValueError that says what is wrong and how to mend it."""
    try:
        data = orjson.loads(line)
    except orjson.JSONDecodeError:
        message = "this is no JSON object; write one memory a line"
        raise ValueError(message) from None
    text = data.get("text") if isinstance(data, dict) else None
    if not isinstance(text, str) or not text.strip():
        message = '`text` is missing or empty; a line looks like {"text": "..."}'
        raise ValueError(message)
    if len(text) > MAX_TEXT:
        message = f"`text` is longer than {MAX_TEXT} characters; split it"
        raise ValueError(message)
    metadata = {} if data.get("metadata") is None else data["metadata"]
    if not isinstance(metadata, dict):
        message = "`metadata` must be an object"
        raise ValueError(message)  # noqa: TRY004 - one kind of error for one kind of problem
    category, session = _label_in(data, "category") or _GENERAL, _label_in(data, "sessionId")
    memory = NewMemory(text, category, metadata, _when(data.get("createdAt")), session=session)
    if problem := problem_of(memory.created_at, metadata):
        raise ValueError(problem[1])
    return memory


def problem_of(created_at: datetime | None, metadata: Mapping[str, Any] | None) -> tuple[str, str] | None:
    """What no store could give back: (field, what is wrong and how to mend it); None when all is well."""
    if created_at is not None and not _FIRST_YEAR <= created_at.year <= _LAST_YEAR:
        return "createdAt", f"`createdAt` must lie between the years {_FIRST_YEAR} and {_LAST_YEAR}"
    if metadata and _depth(metadata) > _MAX_DEPTH:
        return "metadata", f"`metadata` is nested more than {_MAX_DEPTH} levels deep; make it flatter"
    return None


def _depth(value: object, level: int = 1) -> int:
    """How deep a value is nested, counted no further than needed."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return level if level > _MAX_DEPTH else max((_depth(item, level + 1) for item in inner), default=level)


def _label_in(data: Mapping[str, Any], field: str) -> str | None:
    value = data.get(field)
    if value is not None and (not isinstance(value, str) or len(value) > _MAX_LABEL):
        message = f"`{field}` must be a string of at most {_MAX_LABEL} characters"
        raise ValueError(message)
    return value


def _when(value: object) -> datetime | None:
    if value is None:
        return None
    try:
        when = datetime.fromisoformat(str(value))
    except ValueError:
        message = "`createdAt` is no ISO 8601 time; write 2026-01-31T12:00:00Z"
        raise ValueError(message) from None
    if when.tzinfo is None:
        message = "`createdAt` has no time zone; add Z or an offset"
        raise ValueError(message)
    return when


def _leaving(memory: NewMemory, verdicts: Mapping[str, Verdict]) -> NewMemory | None:
    """A memory as it may go to a provider elsewhere: masked, its levels (made from the unmasked text) left behind; or not at all.

    Category and metadata go along only when nothing is found in them.
    """
    verdict = memory.verdict
    if verdict is None or verdict.sensitivity == "high":
        return None
    label = _label(memory)
    if label and (label not in verdicts or verdicts[label].sensitivity != "none"):
        memory = replace(memory, category=_GENERAL, metadata={})
    return memory if verdict.sensitivity == "none" else replace(memory, text=verdict.masked, l0=None, l1=None)


def _harmless(level: str | None, verdicts: Mapping[str, Verdict]) -> str | None:
    """A level that came with the memory (a model wrote it), unless something is found in it: the verdict on the text says nothing of it."""
    return level if level and level in verdicts and verdicts[level].sensitivity == "none" else None


def _label(memory: NewMemory) -> str:
    """What a memory says besides its text, as one text to judge; "" when that is nothing."""
    if not memory.metadata and memory.category == _GENERAL:
        return ""
    return f"{memory.category} {orjson.dumps(memory.metadata, default=str).decode()}"


def _patch(ready: NewMemory, wanted: MemoryPatch, text: str | None) -> MemoryPatch:
    """The changes that were asked for, with what became of them."""
    patch = MemoryPatch(None, wanted.category and ready.category, None if wanted.metadata is None else ready.metadata)
    return patch if text is None else replace(patch, text=ready.text, l0=ready.l0, l1=ready.l1, verdict=ready.verdict)
