"""The commands, gathered; and how a problem is told."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer
import typer.core
import typer.main

from gateway import __version__
from gateway.cli.problems import sentence

COMMANDS = {
    "serve": ("gateway.cli.serve:app", "Start the gateway."),
    "init": ("gateway.cli.init:app", "Set up: configuration, certificate, admin password and a first key."),
    "check": ("gateway.cli.check:check_app", "Validate the configuration and test each upstream and the memory provider."),
    "doctor": ("gateway.cli.check:doctor_app", "Look for trouble everywhere."),
    "keys": ("gateway.cli.keys:app", "Named API keys: add, list, rotate, revoke."),
    "memory": ("gateway.cli.memory:app", "Memories of a user: add, search, list, show, edit, forget, clear, export, import."),
    "user": ("gateway.cli.user:app", "Everything of one user, in every store: export, erase."),
    "backup": ("gateway.cli.backup:app", "Backups of the databases: create, restore."),
    "guard": ("gateway.cli.guard:app", "The egress guard: scan a text and see what it finds."),
    "outbox": ("gateway.cli.outbox:app", "Finished turns that wait for memory, or were given up: show, retry."),
    "config": ("gateway.cli.config:app", "The configuration: show what is in force, print the schema."),
}
"""Name -> `module:app`, imported when the command is used, and its line in the overview."""


class _Loaded(Mapping[str, Any]):
    """The commands by name, each imported when it is asked for: `eluvix --version` needs none of them."""

    def __getitem__(self, name: str) -> Any:
        module, _, attribute = COMMANDS[name][0].partition(":")
        command = typer.main.get_command(getattr(importlib.import_module(module), attribute))
        command.name = name
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class _Commands(typer.core.TyperGroup):
    """A group of commands that are loaded late. Its overview loads none."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands: Any = _Loaded()

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the signature is Typer's
        """Their names, as they are to be listed."""
        return list(COMMANDS)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Writes the overview."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


app = typer.Typer(
    name="eluvix",
    cls=_Commands,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="An OpenAI-compatible gateway that gives any chat client a memory and keeps that memory at home.",
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"eluvix {__version__}")
        raise typer.Exit


@app.callback()
def common(version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")] = False) -> None:
    """What every command has."""


def main() -> None:
    """The console script: exit code 0, 1 for a problem (one message on standard error), 2 for a wrong command line, 130 for Ctrl-C."""
    sys.exit(outcome())


def outcome() -> int:
    """Runs the command line and returns its exit code. No problem leaves as a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _run()
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:  # whoever read our output has enough
        _let_go_of_output()
        return 1
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        typer.secho(f"Error: {sentence(error)}", fg="red", err=True)
        _let_go_of_output()
        return 1
    return code


def _run() -> int:
    try:
        app(prog_name="eluvix")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


def _let_go_of_output() -> None:
    """What cannot be written goes nowhere, so that Python does not try again at its end."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
