import re
from pathlib import Path
from typing import get_args

import pytest
from pydantic import BaseModel
from typer.main import get_command

from gateway.cli.main import app
from gateway.settings.model import Settings

ROOT = Path(__file__).parents[3]
PAGES = sorted((ROOT / "docs").glob("*.md"))


def section_of(annotation):
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for argument in get_args(annotation) if (found := section_of(argument))), None)


def keys_of(model, prefix=""):
    for name, field in model.model_fields.items():
        inner = section_of(field.annotation)
        if inner is None:
            yield prefix + name
        else:
            many = {"upstreams": ".<name>.", "routes": "[].", "keys": "[].", "to": "[]."}.get(name, ".")
            yield from keys_of(inner, prefix + name + many)


@pytest.mark.parametrize("key", sorted(keys_of(Settings)))
def test_every_setting_is_documented(key):
    assert f"| `{key}` |" in (ROOT / "docs/configuration.md").read_text()


def test_the_documentation_names_no_setting_that_does_not_exist():
    named = re.findall(r"^\| `([a-z_]+[.\[][^`]*)` \|", (ROOT / "docs/configuration.md").read_text(), re.MULTILINE)
    assert len(named) > 50
    sections = {key.rsplit(".", 1)[0] for key in keys_of(Settings)}
    assert set(named) <= set(keys_of(Settings)) | {section.removesuffix(".<name>").replace("[]", "") for section in sections} | sections


def headers_in_code():
    text = "\n".join(path.read_text() for path in (ROOT / "gateway").rglob("*.py"))
    return sorted(set(re.findall(r"b\"(x-eluvix-[a-z-]+)\"", text)))


@pytest.mark.parametrize("header", headers_in_code())
def test_every_header_is_documented(header):
    assert f"`{header}" in (ROOT / "docs/api.md").read_text()


def commands():
    for name, command in get_command(app).commands.items():
        inner = getattr(command, "commands", None)
        yield from ([f"{name} {sub}" for sub in inner] if inner else [f"eluvix {name}"])


@pytest.mark.parametrize("command", sorted(commands()))
def test_every_command_is_documented(command):
    assert command in (ROOT / "docs/operations.md").read_text()


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda page: page.name)
def test_every_link_leads_somewhere(page):
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda page: page.name)
def test_every_yaml_example_is_a_valid_configuration(page, monkeypatch, tmp_path):
    from gateway.settings import load

    for number, example in enumerate(re.findall(r"```yaml\n(.*?)```", page.read_text(), re.DOTALL)):
        file = tmp_path / f"{number}.yaml"
        file.write_text(example)
        environ = {"ELUVIX_HOME": str(tmp_path)} | {name: name * 4 for name in ("OPENAI_API_KEY", "ADMIN_PASSWORD", "ALICE_KEY")}
        assert load(file, environ=environ).settings
