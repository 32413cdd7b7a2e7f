"""What starting the gateway costs: the heavy libraries belong to the worker, which loads them at first need."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("presidio_analyzer", "spacy", "numpy", "openai", "tiktoken")


def test_the_serving_process_does_not_load_what_only_the_worker_needs() -> None:
    program = f"import sys, gateway.cli.serve; print(*(name for name in {HEAVY!r} if name in sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert loaded == []
