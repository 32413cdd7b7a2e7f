"""The child process: reads a task, runs it, writes its result, until its parent closes the pipe."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, BinaryIO

import orjson

from gateway.worker.frames import LENGTH, frame

if TYPE_CHECKING:
    from collections.abc import Callable

    Task = Callable[[dict[str, Any]], dict[str, Any]]

TASKS = {
    "classify": "gateway.egress.classify:classify",
    "digest": "gateway.facts.digest:digest",
    "levels": "gateway.facts.digest:levels",
}
"""Task -> `module:function`, imported when it is first asked for. A task takes and returns what JSON can carry."""

_LOOK_S = 0.5
_GRACE_S = 1.0
"""The parent kills a child that overruns; only where the parent is gone does the child's own alarm, so much later, end it."""


def serve(requests: BinaryIO, answers: BinaryIO, tasks: dict[str, str]) -> None:
    """Answers one request after the other; returns when there are no more, or nobody is there to read the answer."""
    with suppress(BrokenPipeError):
        while len(head := requests.read(LENGTH.size)) == LENGTH.size:
            request = orjson.loads(requests.read(LENGTH.unpack(head)[0]))
            _alarm(request["budget"] + _GRACE_S)
            answer = frame(_answer(request, tasks))
            _alarm(0)
            answers.write(answer)
            answers.flush()


def _answer(request: dict[str, Any], tasks: dict[str, str]) -> dict[str, Any]:
    """The result, or the class of what went wrong: never its message, which may quote somebody's text."""
    try:
        return {"result": _task(tasks[request["task"]])(request["payload"])}
    except Exception as error:
        return {"error": type(error).__name__}


def _alarm(seconds: float) -> None:
    """The system ends this process after so many seconds, whatever it is doing then; 0 = no more."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _end_with(parent: int) -> None:
    """Ends this process soon after its parent, also in the middle of a task: a killed gateway leaves nothing running behind."""
    while os.getppid() == parent:
        time.sleep(_LOOK_S)
    os._exit(0)


def _task(name: str) -> Task:
    module, _, function = name.partition(":")
    task: Task = getattr(import_module(module), function)
    return task


def main() -> None:
    """Serves standard input and output. Tasks that print go to standard error, since standard output is the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    answers, sys.stdout = sys.stdout.buffer, sys.stderr
    serve(sys.stdin.buffer, answers, TASKS)


if __name__ == "__main__":
    main()
