"""What is measured: the cells, their request bodies, and how one run of a cell is summed up."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

WORDS = (
    "the weekly report shows that response times fell although more people came in and none of the usual causes fits "
    "so the team wants to know which of the changes of the last days made the difference and whether it will last "
)
MARK = "#" * 8
"""The load generator puts a number of its own here, for each request another."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One kind of load. `size` is that of the request body in bytes, `seconds` how long one run should take."""

    name: str
    clients: int
    size: int
    model: str = "mock-200-0"
    stream: bool = False
    own_text: bool = False
    seconds: float = 1.2
    most: int = 12_000

    def body(self) -> bytes:
        """The request body: a system message, a long question before, and a short last one."""
        question = "What should we look at next?"
        if self.own_text:
            question = f"Ticket {MARK}: {question}"
        messages = [
            {"role": "system", "content": "You are a careful analyst."},
            {"role": "user", "content": ""},
            {"role": "user", "content": question},
        ]
        request: dict[str, Any] = {"model": self.model, "messages": messages, "temperature": 0.2}
        if self.stream:
            request["stream"] = True
        room = max(0, self.size - len(json.dumps(request)))
        messages[1]["content"] = (WORDS * (room // len(WORDS) + 1))[:room]
        return json.dumps(request).encode()


CELLS = (
    Cell("c1_1k", 1, 1_000, seconds=1.0, most=3_000),
    Cell("c16_1k", 16, 1_000),
    Cell("c64_1k", 64, 1_000),
    Cell("c1_mem", 1, 1_000, own_text=True, seconds=1.0, most=3_000),
    Cell("c16_mem", 16, 1_000, own_text=True),
    Cell("c1_50k", 1, 50_000, seconds=1.0, most=2_000),
    Cell("c16_50k", 16, 50_000, seconds=1.0, most=8_000),
    Cell("c64_50k", 64, 50_000, seconds=1.0, most=8_000),
    Cell("ttfc_c1", 1, 1_000, "mock-20-5000", stream=True, seconds=1.7, most=15),
    Cell("ttfc_c1_50k", 1, 50_000, "mock-20-5000", stream=True, seconds=1.7, most=15),
    Cell("unpaced_c64", 64, 1_000, stream=True, seconds=1.5, most=640),
    Cell("paced20_c64", 64, 1_000, "mock-200-20000", stream=True, seconds=4.0, most=64),
)
"""cN = N clients at once; 1k, 50k = size of the body; mem = each request with a text of its own; ttfc = time to the first chunk."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run of one cell against one row. CPU in seconds: `serving` while it ran, `after` until the process was idle again."""

    answered: int
    failed: int
    p50_ms: float
    p99_ms: float
    first_p50_ms: float
    events_per_s: float
    wall_s: float
    serving_cpu_s: float
    after_cpu_s: float
    worker_cpu_s: float

    def per_thousand(self, cpu_s: float) -> float:
        """CPU seconds for 1,000 requests."""
        return cpu_s / max(1, self.answered) * 1_000

    @property
    def cores(self) -> float:
        """How much of one CPU the serving process took while the cell ran."""
        return self.serving_cpu_s / self.wall_s if self.wall_s else 0.0
