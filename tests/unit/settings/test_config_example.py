"""config.example.yaml: every key with its default, true and ready to use."""

import re
import tomllib
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from gateway.settings import Settings, example_text, load
from gateway.settings.model import Section
from gateway.settings.shape import bare, below, is_section

ROOT = Path(__file__).parents[3]
ENVIRON = {"LAPTOP_KEY": "elx_" + "k" * 40, "GATEWAY_PASSWORD": "", "MEM0_API_KEY": "", "WORKSTATION_KEY": ""}


def uncommented(text: str) -> str:
    """With every setting switched on: a setting has no space after its `#`."""
    return re.sub(r"(?m)^(\s*)#(?=\S)", r"\1", text)


def loaded(text: str, folder: Path) -> Settings:
    (folder / "config.yaml").write_text(text, encoding="utf-8")
    return load(environ={"ELUVIX_HOME": str(folder), **ENVIRON}).settings


def every_key(annotation, path=()):
    """Every key path of the models; `*` for the names of maps and the places of lists."""
    annotation = bare(annotation)
    if is_section(annotation):
        for name, field in annotation.model_fields.items():
            yield (*path, name)
            yield from every_key(field.annotation, (*path, name))
    elif below(annotation, "x") is not None:
        yield from every_key(below(annotation, "x"), (*path, "*"))


def keys_in(value, path=()):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from ((*path, name) for name in (key, "*"))
            for name in (key, "*"):
                yield from keys_in(inner, (*path, name))
    elif isinstance(value, list):
        for inner in value:
            yield from keys_in(inner, (*path, "*"))


ALL_KEYS = sorted(set(every_key(Settings)))


def test_the_example_loads_as_it_is_and_says_the_defaults(tmp_path):
    assert loaded(example_text(), tmp_path) == Settings()


def test_the_example_loads_with_every_setting_switched_on(tmp_path):
    settings = loaded(uncommented(example_text()), tmp_path)
    assert settings.memory.summarizer is not None
    assert [target.upstream for target in settings.routes[0].to] == ["workstation", "ollama"]


@pytest.mark.parametrize("path", ALL_KEYS, ids=".".join)
def test_every_key_stands_in_the_example(path):
    document = YAML(typ="safe", pure=True).load(uncommented(example_text()))
    assert path in set(keys_in(document))


def test_the_values_in_the_example_are_the_defaults(tmp_path):
    settings = loaded(uncommented(example_text()), tmp_path)
    wrong = [".".join(path) for path, value, default in values(settings) if default not in (None, {}, ()) and value != default]
    assert wrong == []


def values(section: Section, path=()):
    for name, field in type(section).model_fields.items():
        value = getattr(section, name)
        if isinstance(value, Section):
            yield from values(value, (*path, name))
        elif isinstance(value, dict) and value and all(isinstance(item, Section) for item in value.values()):
            for key, item in value.items():
                yield from values(item, (*path, name, key))
        elif not field.is_required():
            yield (*path, name), value, field.default


def test_a_person_can_read_it_without_scrolling_sideways():
    assert max(len(line) for line in example_text().splitlines()) <= 140


def test_it_names_no_variable_of_ours_that_is_no_setting():
    names = set(re.findall(r"\$\{(\w+)", example_text()))
    assert {name for name in names if name.startswith("ELUVIX_")} == set()


def test_the_wheel_carries_the_one_file():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert included == {"config.example.yaml": "gateway/settings/config.example.yaml"}
    assert not (ROOT / "gateway/settings/config.example.yaml").exists()
    assert example_text() == (ROOT / "config.example.yaml").read_text(encoding="utf-8")
