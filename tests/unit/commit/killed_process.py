"""Runs as a program: for each point of the way from a finished turn to memory, a process of its own that kills itself there.

`python killed_process.py FOLDER`: for point n, everything is in FOLDER/n. The file `acked` lists the numbers of the turns whose append
had returned, `handed` the keys that a provider that takes whole turns was given.
"""

import asyncio
import itertools
import os
import pathlib
import signal
import sys

from prometheus_client import CollectorRegistry

from gateway.commit.drain import Drain
from gateway.commit.outbox import Outbox
from gateway.memories import Memories
from gateway.storage import state_database
from gateway.telemetry import Metrics
from providers.base import NewMemory
from providers.sqlite import SqliteProvider
from tests.fakes.exchanges import an_exchange
from tests.fakes.provider import DictProvider

WAVES, WAVE = 3, 4
STORING = (
    *itertools.product(("write",), ("before", "inside", "after"), range(1, 5)),
    *itertools.product(("due", "digest", "add", "done"), ("before", "after"), (1, 2)),
)
HANDING = tuple(itertools.product(("begin", "commit", "done"), ("before", "after"), (1, 2)))
POINTS = (*(("sqlite", *point) for point in STORING), *(("handed", *point) for point in HANDING))
"""(provider, method, when, at which call)."""


class WholeTurns(DictProvider):
    """Writes down the key of each turn that it is given."""

    def __init__(self, folder):
        super().__init__(digests_turns=True)
        self._file = os.open(folder / "handed", os.O_CREAT | os.O_WRONLY | os.O_APPEND)

    async def commit(self, user, turn):
        os.write(self._file, turn.key.encode() + b"\n")
        return await super().commit(user, turn)


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def deadly(method, when, at):
    """The same method, which is the end of the process at its call number `at`."""
    calls = itertools.count(1)

    async def call(*args):
        last = next(calls) == at
        if last and when == "before":
            die()
        if last and when == "inside":
            work = args[0]
            args = (lambda connection: (work(connection), die()), *args[1:])
        result = await method(*args)
        if last and when == "after":
            die()
        return result

    return call


async def classify(texts):
    raise RuntimeError("nobody is there to judge")


async def levels(texts):
    return [(None, None)] * len(texts)


async def forgotten(user):
    return 0


async def digest(exchanges):
    return [[NewMemory(exchange.question)] for exchange in exchanges]


def drain_of(outbox, provider, digesting=digest):
    """A drain that keeps each question as a memory."""
    drain = Drain(outbox, provider, Metrics(CollectorRegistry()))
    drain.use(Memories(provider, classify, levels, forgotten), digesting)
    return drain


async def run(folder, kind, name, when, at):
    """Appends turns while the drain works, until the process ends."""
    state = state_database(folder)
    provider = SqliteProvider(folder / "memory.db") if kind == "sqlite" else WholeTurns(folder)
    await state.open()
    await provider.open()
    outbox = Outbox(state)
    owner = {"write": state, "add": provider, "commit": provider}.get(name, outbox)
    if name != "digest":
        setattr(owner, name, deadly(getattr(owner, name), when, at))
    drain = drain_of(outbox, provider, deadly(digest, when, at) if name == "digest" else digest)
    drain.start()
    acked = os.open(folder / "acked", os.O_CREAT | os.O_WRONLY | os.O_APPEND)

    async def append(number):
        await outbox.append(an_exchange(number))
        os.write(acked, b"%d\n" % number)

    for wave in range(WAVES):
        numbers = range(wave * WAVE, (wave + 1) * WAVE)
        await asyncio.gather(*map(append, numbers))
        await outbox.wait(an_exchange(numbers[0]).key, 10)
    await drain.stop(10)


def main(folder):
    """Prints for each point by which signal its process ended."""
    for number, point in enumerate(POINTS):
        place = folder / str(number)
        place.mkdir()
        child = os.fork()
        if child == 0:
            asyncio.run(run(place, *point))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        print(os.WTERMSIG(status))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
