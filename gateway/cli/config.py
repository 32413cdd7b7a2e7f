"""`eluvix config`: what is in force, and what may be written."""

from __future__ import annotations

from io import StringIO

import typer

from gateway.cli.common import ConfigOption, JsonOption, new_commands, read_settings
from gateway.cli.screen import say, show_json
from gateway.settings import json_schema, safe_dump

app = new_commands("The configuration: show what is in force, print the schema.")


@app.command()
def show(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Show every setting as it is in force; secrets are stars."""
    loaded = read_settings(config)
    values = safe_dump(loaded.settings)
    say(f"# from {loaded.config_file or 'defaults and the environment'}")
    for warning in loaded.warnings:
        say(f"# {warning}")
    if as_json:
        show_json(values)
        return
    from ruamel.yaml import YAML

    text = StringIO()
    YAML().dump(values, text)
    typer.echo(text.getvalue().rstrip().encode())


@app.command()
def schema() -> None:
    """Print the JSON schema of config.yaml, for editors and checks."""
    show_json(json_schema())
