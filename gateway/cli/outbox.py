"""`eluvix outbox`: finished turns that wait for memory."""

from __future__ import annotations

from dataclasses import asdict

from gateway.cli.common import ConfigOption, JsonOption, new_commands
from gateway.cli.screen import show, show_json
from gateway.cli.state import opened_state, run
from gateway.commit.outbox import Counts, Outbox

app = new_commands("Finished turns that wait for memory, or were given up: show, retry.")


@app.command("show")
def show_(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """How many turns wait, and how many were given up."""

    async def work() -> Counts:
        async with opened_state(config) as (_, state):
            return await Outbox(state).counts()

    counts = run(work())
    if as_json:
        show_json(asdict(counts))
        return
    oldest = f" (the oldest for {counts.oldest_s:.0f} s)" if counts.pending else ""
    show(f"{counts.pending} turns wait{oldest}, {counts.dead} were given up.")


@app.command()
def retry(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Give turns that were given up another chance. One whose outcome is unknown may then be stored twice."""

    async def work() -> int:
        async with opened_state(config) as (_, state):
            return await Outbox(state).revive()

    count = run(work())
    if as_json:
        show_json({"retried": count})
        return
    show(f"{count} turns wait again. A running gateway takes them up within seconds.")
