"""One child process for work that would hold up the event loop: classification, facts, levels."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
import structlog

from gateway.worker.frames import LENGTH, MAX_FRAME, TooLong, frame

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import Mapping, Sequence

__all__ = ["Worker", "WorkerFailed"]

log = structlog.get_logger()

MAX_WAITING = 64
_STOP_S = 2.0
_ROOT = str(Path(__file__).parents[2])
CHILD = (sys.executable, "-P", "-c", f"import sys; sys.path.append({_ROOT!r}); from gateway.worker.child import main; main()")
"""Runs this package and no other: `-m` would look in the working directory first."""


class WorkerFailed(Exception):
    """The worker gave no result: it failed, took too long, died, or has too much to do. Says which, never what it worked on."""


class Worker:
    """Starts the child at the first call and keeps it. A task that overruns its budget kills it; the next call starts another."""

    def __init__(self, command: Sequence[str] = CHILD, max_waiting: int = MAX_WAITING) -> None:
        self._command = command
        self._max_waiting = max_waiting
        self._calls: set[asyncio.Task[dict[str, Any]]] = set()
        self._running: asyncio.Task[dict[str, Any]] | None = None
        self._turn = asyncio.Lock()
        self._process: Process | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The child's process id while it lives."""
        return self._process.pid if self._process and self._process.returncode is None else None

    async def call(self, task: str, payload: Mapping[str, Any], budget_s: float) -> dict[str, Any]:
        """The task's result. `budget_s` counts from when its turn comes. Raises WorkerFailed.

        A caller that is cancelled meanwhile does not stop a task that has begun: the child has loaded what it needs, and keeps it.
        """
        if len(self._calls) >= self._max_waiting:
            message = f"the worker has {len(self._calls)} tasks waiting"
            raise WorkerFailed(message)
        call = asyncio.create_task(self._in_turn(task, payload, budget_s))
        self._calls.add(call)
        call.add_done_callback(self._calls.discard)
        try:
            return await asyncio.shield(call)
        except asyncio.CancelledError:
            if call is not self._running:
                call.cancel()
            raise

    async def close(self) -> None:
        """Ends the child, politely, then firmly. Calls that still wait fail."""
        self._closed = True
        if self._process is not None and self._process.returncode is None:
            await _end(self._process)
        if self._calls:
            await asyncio.wait(self._calls)

    async def _in_turn(self, task: str, payload: Mapping[str, Any], budget_s: float) -> dict[str, Any]:
        async with self._turn:
            self._running = asyncio.current_task()
            try:
                return await self._run(task, payload, budget_s)
            finally:
                self._running = None

    async def _run(self, task: str, payload: Mapping[str, Any], budget_s: float) -> dict[str, Any]:
        try:
            async with asyncio.timeout(budget_s):
                answer = await self._exchange({"task": task, "payload": payload, "budget": budget_s})
        except TimeoutError:
            await self._kill()
            message = f"{task} took more than {budget_s:g} s"
            raise WorkerFailed(message) from None
        except TooLong:
            message = f"{task} was given more than {MAX_FRAME} bytes"
            raise WorkerFailed(message) from None
        except (OSError, EOFError, ValueError) as error:
            await self._kill()
            message = f"the worker died during {task} ({type(error).__name__})"
            raise WorkerFailed(message) from None
        if "error" in answer:
            message = f"{task} failed ({answer['error']})"
            raise WorkerFailed(message)
        result: dict[str, Any] = answer["result"]
        return result

    async def _exchange(self, request: dict[str, Any]) -> dict[str, Any]:
        sent = frame(request)
        process = await self._started()
        assert process.stdin is not None  # noqa: S101 - both are pipes
        assert process.stdout is not None  # noqa: S101
        process.stdin.write(sent)
        await process.stdin.drain()
        length = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))[0]
        answer: dict[str, Any] = orjson.loads(await process.stdout.readexactly(length))
        return answer

    async def _started(self) -> Process:
        if not self._closed and (self._process is None or self._process.returncode is not None):
            self._process = await asyncio.create_subprocess_exec(
                *self._command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, start_new_session=True
            )
            log.info("worker started", pid=self._process.pid)
        if self._closed or self._process is None:
            await self._kill()
            message = "the worker is closed"
            raise WorkerFailed(message)
        return self._process

    async def _kill(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()


async def _end(process: Process) -> None:
    if process.stdin:
        process.stdin.close()
    try:
        async with asyncio.timeout(_STOP_S):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
