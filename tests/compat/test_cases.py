"""The catalogue of compat cases that may lie beside the repository: what goes wrong in other gateways must not go wrong here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.long, pytest.mark.timeout(420)]

ROOT = Path(__file__).parents[2]
RUNNER = ROOT.parent / "shared" / "cases" / "run_cases.py"

ANTHROPIC = "needs an Anthropic upstream, which there is not yet"
RESPONSES = "needs /v1/responses, which there is not yet"
EXCUSED = {
    **dict.fromkeys(("056", "057", "058", "062", "064", "065", "066", "068", "069", "070"), ANTHROPIC),
    "077": RESPONSES,
}
"""Cases that may fail, each with its reason. One that passes after all has to leave this list."""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Case id -> what the runner says about it."""
    if not RUNNER.exists():
        pytest.skip("the catalogue is not beside this repository")
    folder = tmp_path_factory.mktemp("cases")
    found = folder / "results.json"
    command = [sys.executable, str(RUNNER), "--mode", "spawn", "--cmd", f"{sys.executable} tests/compat/serve.py", "--json", str(found)]
    env = {**os.environ, "TMPDIR": str(folder), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=400, check=False)
    assert found.exists(), f"the runner broke off:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return {result["id"]: result for result in json.loads(found.read_text(encoding="utf-8"))}


def test_no_case_fails_but_those_with_a_reason(results: dict[str, dict[str, Any]]) -> None:
    failed = {name: result["fails"] for name, result in results.items() if result["verdict"] == "FAIL" and name not in EXCUSED}
    assert not failed, json.dumps(failed, indent=1)


def test_every_case_runs(results: dict[str, dict[str, Any]]) -> None:
    skipped = {name: result["fails"] for name, result in results.items() if result["verdict"] == "SKIP"}
    assert not skipped
    assert len(results) > len(EXCUSED)


def test_no_reason_is_given_for_a_case_that_passes(results: dict[str, dict[str, Any]]) -> None:
    stale = {name: why for name, why in EXCUSED.items() if name in results and results[name]["verdict"] == "PASS"}
    assert not stale
