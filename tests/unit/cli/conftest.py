"""The command line run in this process, on an empty home folder, with a worker that answers at once."""

from __future__ import annotations

import io
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import orjson
import pytest
from structlog.testing import capture_logs

from gateway.cli.main import outcome

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Run:
    """How a command ended, and what it wrote."""

    code: int
    out: str
    err: str
    raw: bytes

    @property
    def json(self) -> Any:
        """Standard output as JSON."""
        return orjson.loads(self.raw)


class Cli(Protocol):
    """Runs `eluvix` with these arguments."""

    def __call__(self, *arguments: str, stdin: bytes = b"") -> Run: ...


class QuickWorker:
    """A worker that finds nothing sensitive but the word `secret`, and has no levels."""

    def __init__(self) -> None:
        self.pid = None

    async def call(self, task: str, payload: Mapping[str, Any], budget_s: float) -> dict[str, Any]:
        if task == "levels":
            return {"levels": [[None, None] for _ in payload["texts"]]}
        return {"verdicts": [_verdict(text) for text in payload["texts"]]}

    async def close(self) -> None:
        return


def _verdict(text: str) -> dict[str, Any]:
    high = "secret" in text
    return {"sensitivity": "high" if high else "none", "masked": "" if high else text, "policy": "test", "entities": ["WORD"] * high}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home folder that every command uses; nothing else of this machine configures them."""
    for name in list(os.environ):
        if name.startswith(("ELUVIX_", "OPENAI_")):
            monkeypatch.delenv(name)
    folder = tmp_path / "home"
    monkeypatch.setenv("ELUVIX_HOME", str(folder))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("ELUVIX_USER", "alice")
    monkeypatch.setenv("ELUVIX_DISCOVER", "off")
    monkeypatch.setenv("ELUVIX_CONTAINER", "0")
    return folder


@pytest.fixture
def cli(home: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Runs commands on `home`."""
    import gateway.cli.check
    import gateway.cli.desk
    import gateway.cli.serve

    monkeypatch.setattr(gateway.cli.desk, "Worker", QuickWorker)
    for module in (gateway.cli.desk, gateway.cli.check, gateway.cli.serve):
        monkeypatch.setattr(module, "configure_logging", lambda *_: None)

    def run(*arguments: str, stdin: bytes = b"") -> Run:
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="", write_through=True) for _ in range(2))
        with monkeypatch.context() as patch, capture_logs():
            patch.setattr(sys, "argv", ["eluvix", *arguments])
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8"))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            code = outcome()
        raw = out.buffer.getvalue()  # type: ignore[attr-defined]
        return Run(code, raw.decode(errors="replace"), err.buffer.getvalue().decode(), raw)  # type: ignore[attr-defined]

    return run


def problem_of(run: Run) -> str:
    """The message of a command that has failed as it should: one line on standard error, nothing on standard output, no traceback."""
    assert run.code == 1, (run.code, run.err)
    assert run.out == ""
    assert run.err.startswith("Error: "), run.err
    assert run.err.count("\n") == 1, run.err
    assert "Traceback" not in run.err
    return run.err.removeprefix("Error: ").strip()
