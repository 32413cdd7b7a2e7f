"""`eluvix memory`: what is remembered of a user."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import orjson
import typer

from gateway.cli.common import ConfigOption, JsonOption, UserOption, YesOption, acting_user, new_commands
from gateway.cli.desk import opened
from gateway.cli.files import written
from gateway.cli.memory_text import Lines, checked, checked_input, not_leaving, unknown
from gateway.cli.memory_view import details, show_memories
from gateway.cli.progress import counted, working
from gateway.cli.screen import must_confirm, say, show, show_json
from gateway.cli.state import run
from gateway.errors import BadRequest
from providers.base import NewMemory

if TYPE_CHECKING:
    from typing import BinaryIO

    from gateway.cli.desk import Desk
    from gateway.memories import Imported
    from providers.base import Memory

app = new_commands("Memories of a user: add, search, list, show, edit, forget, clear, export, import.")

IdArgument = Annotated[str, typer.Argument(help="The memory's id.")]
_PAGE = 200


@app.command()
def add(
    text: Annotated[str, typer.Argument(help="What to remember; - reads standard input.")],
    category: Annotated[str, typer.Option(help="For example preferences, decisions, facts.")] = "general",
    user: UserOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Remember something."""
    name = acting_user(user)
    new = NewMemory(checked_input(text), checked(category, "category"))

    async def work() -> Memory:
        async with opened(config) as desk:
            stored = await desk.memories.add(name, [new])
            if not stored:
                raise not_leaving()
            return stored[0]

    with working("Looking for what must not leave"):
        stored = run(work())
    if stored.verdict is None:
        say("Nobody could judge it now: until that is done it is kept from cloud models.")
    show_memories([stored], as_json=as_json)


@app.command()
def search(
    query: str,
    limit: Annotated[int, typer.Option(min=1, max=100)] = 5,
    user: UserOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find what recall would find."""
    name, asked = acting_user(user), checked(query, "query")

    async def work() -> list[Memory]:
        async with opened(config) as desk:
            return list(await desk.memories.search(name, asked, limit))

    show_memories(run(work()), as_json=as_json)


@app.command("list")
def list_(
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 50,
    user: UserOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show memories, newest first."""
    name = acting_user(user)

    async def work() -> list[Memory]:
        async with opened(config) as desk:
            return await _newest(desk, name, limit)

    found = run(work())
    show_memories(found, as_json=as_json)
    if len(found) == limit and not as_json:
        say(f"These are the newest {limit}; --limit shows more.")


@app.command("show")
def show_(memory_id: IdArgument, user: UserOption = None, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Show one memory with its levels and what the guard thinks of it."""
    name = acting_user(user)

    async def work() -> Memory:
        async with opened(config) as desk:
            return _found(await desk.memories.get(name, memory_id), memory_id)

    values = details(run(work()))
    if as_json:
        show_json(values)
        return
    for field, value in values.items():
        show(f"{field}: {value}")


@app.command()
def edit(
    memory_id: IdArgument,
    text: Annotated[str | None, typer.Option(help="The new text.")] = None,
    category: Annotated[str | None, typer.Option(help="The new category.")] = None,
    user: UserOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Change a memory."""
    name = acting_user(user)
    if text is None and category is None:
        message = "Nothing to change: give --text or --category."
        raise BadRequest(message)
    content = None if text is None else checked_input(text)
    kind = None if category is None else checked(category, "category")

    async def work() -> Memory:
        async with opened(config) as desk:
            _found(await desk.memories.get(name, memory_id), memory_id)
            changed = await desk.memories.edit(name, memory_id, content, kind)
            if changed is None:
                raise not_leaving()
            return changed

    show_memories([run(work())], as_json=as_json)


@app.command()
def forget(memory_id: IdArgument, user: UserOption = None, config: ConfigOption = None) -> None:
    """Forget one memory."""
    name = acting_user(user)

    async def work() -> bool:
        async with opened(config) as desk:
            return await desk.memories.delete(name, memory_id)

    if not run(work()):
        raise unknown(memory_id)
    say("Forgotten.")


@app.command()
def clear(user: UserOption = None, yes: YesOption = False, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Forget every memory of a user."""
    name = acting_user(user)
    must_confirm(f"Forget every memory of {name}?", yes=yes)

    async def work() -> int:
        async with opened(config) as desk:
            return await desk.memories.clear(name)

    count = run(work())
    if as_json:
        show_json({"user": name, "forgotten": count})
        return
    say(f"Forgotten: {count} memories of {name}.")


@app.command("export")
def export_(
    file: Annotated[Path | None, typer.Argument(help="Where to write; - or nothing is standard output.", allow_dash=True)] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
    user: UserOption = None,
    config: ConfigOption = None,
) -> None:
    """Write every memory of a user as JSONL."""
    name = acting_user(user)

    async def work(target: BinaryIO) -> int:
        count = 0
        async with opened(config) as desk:
            async for memory in desk.memories.export(name):
                target.write(orjson.dumps(memory, option=orjson.OPT_APPEND_NEWLINE))
                count += 1
        return count

    with written(file, force=force) as target, working("Exporting"):
        count = run(work(target))
    say(f"Exported: {count} memories of {name}.")


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="A JSONL file such as export writes; - reads standard input.", allow_dash=True)],
    user: UserOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add memories from JSONL. Lines that make no sense are reported and skipped."""
    name = acting_user(user)
    lines = Lines(file)

    async def work() -> Imported:
        async with opened(config) as desk:
            return await desk.memories.import_(name, counted(lines, "lines"))

    result = run(work())
    problems = [{"line": number, "problem": lines.problem(number, problem)} for number, problem in result.problems]
    if as_json:
        show_json({"added": result.added, "problems": problems})
    else:
        for problem in problems:
            say(f"line {problem['line']}: {problem['problem']}")
        say(f"Imported: {result.added} memories, {len(problems)} lines skipped.")
    if problems:
        raise typer.Exit(1)


async def _newest(desk: Desk, user: str, limit: int) -> list[Memory]:
    found: list[Memory] = []
    cursor: str | None = None
    while len(found) < limit:
        page = await desk.memories.list(user, min(_PAGE, limit - len(found)), cursor)
        found += page.memories
        cursor = page.cursor
        if cursor is None:
            break
    return found


def _found(found: Memory | None, memory_id: str) -> Memory:
    if found is None:
        raise unknown(memory_id)
    return found
