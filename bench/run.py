"""Measures the gateway on this machine beside a direct connection and a naive proxy. README.md says how to read what it prints.

.venv/bin/python bench/run.py [--rounds 3] [--cells c16_1k,c16_mem] [--json results.json]
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.cells import CELLS, Cell, Run
from bench.memories import COUNT, USER, remember
from bench.processes import Bench, Server


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the tables: a server and the headers that each of its requests carries."""

    name: str
    server: Server
    headers: tuple[str, ...] = ()


Results = dict[str, dict[str, list[Run]]]
"""Row -> cell -> the runs, one for each round."""


def main() -> None:
    """Starts everything, runs the rounds, prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cells", default=",".join(cell.name for cell in CELLS))
    parser.add_argument("--json", type=Path, help="also write every run there")
    options = parser.parse_args()
    wanted = options.cells.split(",")
    unknown = set(wanted) - {cell.name for cell in CELLS}
    if unknown:
        parser.error(f"no such cell: {', '.join(sorted(unknown))}; there are {', '.join(cell.name for cell in CELLS)}")
    with tempfile.TemporaryDirectory(prefix="eluvix-bench-") as folder, Bench(Path(folder)) as bench:
        rows = start(bench)
        results = measure(bench, rows, [cell for cell in CELLS if cell.name in wanted], options.rounds)
        print("\n".join(tables(rows, results)))
    if options.json:
        runs = {row: {cell: [asdict(run) for run in each] for cell, each in cells.items()} for row, cells in results.items()}
        options.json.write_text(json.dumps(runs, indent=1))


def start(bench: Bench) -> list[Row]:
    """The rows, each with its server up and idle."""
    mock = bench.mock()
    upstream = f"http://127.0.0.1:{mock.port}/v1"
    naive = bench.naive(upstream)
    gateway, password = bench.gateway(upstream)
    gateway.settle()
    print(f"idle: eluvix {gateway.memory()[0]:.0f} MiB, ready in {gateway.ready_s:.2f} s; naive {naive.memory()[0]:.0f} MiB")
    status = remember(gateway.port, password)
    print(f"{COUNT} memories of one user; a first request says x-eluvix-memory: {status}", flush=True)
    if not status.startswith("hit"):
        msg = "The memories are not recalled: the memory rows would measure nothing."
        raise SystemExit(msg)
    gateway.settle()
    user = (f"x-eluvix-user: {USER}",)
    return [Row("direct", mock), Row("naive", naive), Row("eluvix", gateway), Row("eluvix, memory on", gateway, user)]


def measure(bench: Bench, rows: list[Row], cells: list[Cell], rounds: int) -> Results:
    """All cells against all rows, the order of the rows turned round every second time."""
    results: Results = {row.name: {} for row in rows}
    for number in range(rounds):
        for cell in cells:
            for row in rows if number % 2 == 0 else rows[::-1]:
                run = once(bench, row, cell)
                results[row.name].setdefault(cell.name, []).append(run)
            print(f"round {number + 1}/{rounds}: {cell.name}", file=sys.stderr, flush=True)
    return results


def once(bench: Bench, row: Row, cell: Cell) -> Run:
    """One run: a short one to find the rate, then the one that counts, then whatever goes on in the background."""
    headers = list(row.headers)
    probe = bench.load(cell, row.server.port, headers, min(cell.most, max(cell.clients, 60)))
    row.server.settle()
    count = cell.most if cell.stream else int(min(cell.most, max(cell.clients * 3, probe["per_s"] * cell.seconds)))
    serving, worker = row.server.cpu()
    seen = bench.load(cell, row.server.port, headers, count)
    during = row.server.cpu()[0]
    row.server.settle()
    after, worker_after = row.server.cpu()
    return Run(
        answered=seen["n"],
        failed=seen["errors"] + seen["refused"] + int(seen["timed_out"]),
        p50_ms=seen["p50_ms"],
        p99_ms=seen["p99_ms"],
        first_p50_ms=seen["first_p50_ms"],
        events_per_s=seen["events_per_s"],
        wall_s=seen["wall_s"],
        serving_cpu_s=during - serving,
        after_cpu_s=after - during,
        worker_cpu_s=worker_after - worker,
    )


def tables(rows: list[Row], results: Results) -> list[str]:
    """Two Markdown tables: plain answers, then streams. Medians of the rounds."""
    cells = [cell for cell in CELLS if cell.name in results[rows[0].name]]
    lines = _plain([cell for cell in cells if not cell.stream], rows, results)
    return lines + _streams([cell for cell in cells if cell.stream], rows, results)


def _plain(cells: list[Cell], rows: list[Row], results: Results) -> list[str]:
    head = ("cell", "row", "CPU s per 1,000", "then in the background", "worker", "p50 ms", "added p50 ms", "p99 ms", "failed")
    lines = _head(head) if cells else []
    for cell in cells:
        direct = _median([run.p50_ms for run in results["direct"][cell.name]])
        for row in rows:
            runs = results[row.name][cell.name]
            cpu = [_median([run.per_thousand(part) for run in runs for part in (run.serving_cpu_s,)])]
            cpu.append(_median([run.per_thousand(run.after_cpu_s) for run in runs]))
            cpu.append(_median([run.per_thousand(run.worker_cpu_s) for run in runs]))
            p50, p99 = _median([run.p50_ms for run in runs]), _median([run.p99_ms for run in runs])
            figures = [f"{value:.3f}" for value in (*cpu, p50, p50 - direct, p99)]
            lines.append(_line(cell.name, row.name, *figures, str(sum(run.failed for run in runs))))
    return lines


def _streams(cells: list[Cell], rows: list[Row], results: Results) -> list[str]:
    head = ("cell", "row", "CPU s per 1,000", "cores", "events/s", "first chunk p50 ms", "added", "worker", "failed")
    lines = ["", *_head(head)] if cells else []
    for cell in cells:
        direct = _median([run.first_p50_ms for run in results["direct"][cell.name]])
        for row in rows:
            runs = results[row.name][cell.name]
            cpu = _median([run.per_thousand(run.serving_cpu_s) for run in runs])
            first = _median([run.first_p50_ms for run in runs])
            figures = [f"{cpu:.3f}", f"{_median([run.cores for run in runs]):.3f}", f"{_median([run.events_per_s for run in runs]):.0f}"]
            figures += [f"{first:.3f}", f"{first - direct:.3f}", f"{_median([run.per_thousand(run.worker_cpu_s) for run in runs]):.3f}"]
            lines.append(_line(cell.name, row.name, *figures, str(sum(run.failed for run in runs))))
    return lines


def _median(values: list[float]) -> float:
    return statistics.median(values)


def _head(names: tuple[str, ...]) -> list[str]:
    return [_line(*names), _line(*("---" for _ in names))]


def _line(*fields: str) -> str:
    return f"| {' | '.join(fields)} |"


if __name__ == "__main__":
    main()
