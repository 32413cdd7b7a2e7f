"""`eluvix keys`: who may use the gateway, and for which user."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from gateway.app.named_keys import configured_keys
from gateway.cli.common import ConfigOption, JsonOption, new_commands
from gateway.cli.screen import say, show, show_json, show_table
from gateway.cli.state import opened_state, run
from gateway.errors import Conflict
from gateway.identity import ANY_USER, valid_user
from gateway.storage.keys import KeyStore

if TYPE_CHECKING:
    from gateway.settings import Settings
    from gateway.storage.keys import StoredKey

app = new_commands("Named API keys: add, list, rotate, revoke. A running gateway notices within a second.")

NameArgument = Annotated[str, typer.Argument(help="The key's name.")]
_COLUMNS = ("name", "user", "ends", "created", "from")


@app.command()
def add(
    name: NameArgument,
    user: Annotated[str, typer.Option("--user", "-u", help="The user that the key is bound to; * = may act for any.")] = ANY_USER,
    top_k: Annotated[int | None, typer.Option(help="At most so many memories.", min=1, max=100)] = None,
    max_tokens: Annotated[int | None, typer.Option(help="At most so many tokens of memories.", min=0, max=32768)] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a key. It is shown once."""
    bound = None if user == ANY_USER else valid_user(user, "--user")

    async def work() -> tuple[str, int]:
        async with opened_state(config) as (loaded, state):
            if any(key.name == name for key in configured_keys(loaded.settings)):
                message = f"There is a key named {name!r} in the configuration already. Choose another name."
                raise Conflict(message)
            store = KeyStore(state)
            made = await store.add(name, bound, top_k=top_k, max_tokens=max_tokens)
            return made, _count(await store.all(), loaded.settings)

    made, count = run(work())
    _show_new(name, user, made, as_json=as_json)
    if count == 1:
        say("This is the first key: from now on every client needs one.")


@app.command("list")
def list_(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Show the names of all keys, never the keys."""

    async def work() -> list[dict[str, object]]:
        async with opened_state(config) as (loaded, state):
            stored = [_row(key) for key in await KeyStore(state).all()]
            return stored + [
                {"name": key.name, "user": key.user or ANY_USER, "ends": None, "created": None, "from": "config"}
                for key in configured_keys(loaded.settings)
            ]

    found = run(work())
    if as_json:
        show_json(found)
    elif found:
        show_table(("name", "user", "ends with", "created", "kept in"), [[str(row[column] or "-") for column in _COLUMNS] for row in found])
    else:
        say("No keys. On 127.0.0.1 none is needed; `eluvix keys add NAME` makes one.")


@app.command()
def rotate(name: NameArgument, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Give a key a new value. The old one stops working."""

    async def work() -> str:
        async with opened_state(config) as (_, state):
            return await KeyStore(state).rotate(name)

    _show_new(name, None, run(work()), as_json=as_json)


@app.command()
def revoke(name: NameArgument, config: ConfigOption = None) -> None:
    """Take a key away."""

    async def work() -> int:
        async with opened_state(config) as (loaded, state):
            store = KeyStore(state)
            await store.revoke(name)
            return _count(await store.all(), loaded.settings)

    left = run(work())
    say(f"The key {name!r} is worth nothing from now on.")
    if not left:
        say(LAST_KEY)


LAST_KEY = (
    "That was the last key. A running gateway refuses everyone now; one that is started without any key is open to everyone on this "
    "machine. `eluvix keys add NAME` makes a key."
)


def _row(stored: StoredKey) -> dict[str, object]:
    created = datetime.fromtimestamp(stored.created_at, UTC).isoformat(timespec="seconds")
    return {"name": stored.key.name, "user": stored.key.user or ANY_USER, "ends": stored.hint, "created": created, "from": "database"}


def _count(stored: list[StoredKey], settings: Settings) -> int:
    return len(stored) + len(settings.keys)


def _show_new(name: str, user: str | None, key: str, *, as_json: bool) -> None:
    if as_json:
        show_json({"name": name, "key": key} | ({"user": user} if user else {}))
        return
    say(f"The key {name!r}, shown this once:")
    show(key)
