"""The processes of a benchmark: built, started, pinned, measured and stopped."""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from bench.cells import Cell

HERE = Path(__file__).parent
GATEWAY_CPU, LOAD_CPU = 0, 1
READY_SECONDS = 60
IDLE_SECONDS = 120


def build(folder: Path) -> None:
    """Compiles the model server and the load generator into `folder`; needs gcc."""
    for name in ("mock", "loadgen"):
        subprocess.run(["gcc", "-O2", "-o", str(folder / name), str(HERE / f"{name}.c")], check=True)


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def pinned(command: list[str], cpu: int) -> list[str]:
    """The command bound to one CPU, where there are two and taskset."""
    if (os.cpu_count() or 1) < 2 or not Path("/usr/bin/taskset").exists():
        return command
    return ["taskset", "-c", str(cpu), *command]


@dataclass(slots=True)
class Server:
    """A process that answers on `port`. CPU figures are in seconds, memory in MiB."""

    name: str
    port: int
    process: subprocess.Popen[bytes]
    ready_s: float = 0.0

    def cpu(self) -> tuple[float, float]:
        """CPU so far: of the process itself, and of its children together."""
        main = psutil.Process(self.process.pid)
        return _cpu(main), sum(_cpu(child) for child in main.children(recursive=True))

    def memory(self) -> tuple[float, float]:
        """Proportional memory now: of the process itself, and of its children together."""
        main = psutil.Process(self.process.pid)
        return _pss(main), sum(_pss(child) for child in main.children(recursive=True))

    def settle(self) -> None:
        """Returns when the process has been idle for a second: what it does in the background belongs to the load before."""
        before, deadline = sum(self.cpu()), time.monotonic() + IDLE_SECONDS
        while time.monotonic() < deadline:
            time.sleep(1)
            now = sum(self.cpu())
            if now - before < 0.02:
                return
            before = now


def _cpu(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    return float(times.user + times.system)


def _pss(process: psutil.Process) -> float:
    try:
        return float(process.memory_full_info().pss) / 2**20
    except psutil.NoSuchProcess:
        return 0.0


@dataclass(slots=True)
class Bench:
    """Everything that runs, in one temporary folder. Use it as a context: leaving it stops all of it."""

    folder: Path
    stack: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> Bench:
        build(self.folder)
        return self

    def __exit__(self, *exc: object) -> None:
        self.stack.close()

    def start(self, name: str, port: int, command: list[str], cpu: int, env: dict[str, str] | None = None) -> Server:
        """Starts a server and returns when it answers on its port. Its output goes to a file in the folder."""
        log = self.stack.enter_context((self.folder / f"{name}.log").open("wb"))
        began = time.monotonic()
        process = subprocess.Popen(pinned(command, cpu), env={**os.environ, **(env or {})}, stdout=log, stderr=log, cwd=self.folder)
        self.stack.callback(_stop, process)
        server = Server(name, port, process)
        while not _answers(port):
            if process.poll() is not None or time.monotonic() - began > READY_SECONDS:
                msg = f"{name} did not start:\n{(self.folder / f'{name}.log').read_text(errors='replace')[-2000:]}"
                raise SystemExit(msg)
            time.sleep(0.01)
        server.ready_s = time.monotonic() - began
        return server

    def mock(self) -> Server:
        """The model server."""
        port = free_port()
        return self.start("mock", port, [str(self.folder / "mock"), str(port)], LOAD_CPU)

    def naive(self, upstream: str) -> Server:
        """The naive proxy of naive.py."""
        port = free_port()
        quiet = ["--no-access-log", "--log-level", "warning"]
        command = [sys.executable, "-m", "uvicorn", "--factory", "bench.naive:naive_proxy", "--port", str(port), *quiet]
        return self.start("naive", port, command, GATEWAY_CPU, {"UPSTREAM_URL": upstream, "PYTHONPATH": str(HERE.parent)})

    def gateway(self, upstream: str) -> tuple[Server, str]:
        """The gateway on an empty home, and its admin password; everything as by default but the access log."""
        port, password = free_port(), secrets.token_hex(12)
        home = self.folder / "home"
        home.mkdir()
        config = {"upstreams": {"mock": {"url": upstream, "local": True, "models": ["mock-*"]}}, "log": {"access": False}}
        (home / "config.yaml").write_text(json.dumps(config))
        command = [str(Path(sys.executable).with_name("eluvix")), "serve", "--config", str(home / "config.yaml"), "--http"]
        env = {"ELUVIX_HOME": str(home), "ELUVIX_ADMIN_PASSWORD": password}
        return self.start("eluvix", port, [*command, "--port", str(port)], GATEWAY_CPU, env), password

    def load(self, cell: Cell, port: int, headers: list[str], requests: int) -> dict[str, Any]:
        """Runs the load generator once; what it printed."""
        body = self.folder / f"{cell.name}.json"
        body.write_bytes(cell.body())
        command = [str(self.folder / "loadgen"), "-p", str(port), "-b", str(body), "-c", str(cell.clients), "-n", str(requests)]
        command += [word for header in headers for word in ("-H", header)] + (["-s"] if cell.stream else [])
        done = subprocess.run(pinned(command, LOAD_CPU), capture_output=True, check=True)
        result: dict[str, Any] = json.loads(done.stdout)
        return result


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
