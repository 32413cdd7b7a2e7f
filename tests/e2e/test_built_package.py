"""The wheel and the sdist, installed into an empty environment and used from an empty folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.e2e.gateway_process import GatewayProcess, clean_environment

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]

ROOT = Path(__file__).parents[2]


def _run(*command: str | Path, cwd: Path, env: dict[str, str] | None = None) -> str:
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, env=env, capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, f"{' '.join(words)}:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """`wheel` and `sdist`; the wheel is made from the sdist, so that the sdist has to hold all that it needs."""
    folder = tmp_path_factory.mktemp("dist")
    _run(sys.executable, "-m", "build", "--outdir", folder, cwd=ROOT)
    return {"wheel": next(folder.glob("*.whl")), "sdist": next(folder.glob("*.tar.gz"))}


@pytest.fixture(scope="module")
def environment(built: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of a venv that holds the wheel, what it needs, and nothing else."""
    folder = tmp_path_factory.mktemp("environment")
    _run(sys.executable, "-m", "venv", folder / "venv", cwd=folder)
    binaries = folder / "venv" / "bin"
    _install(binaries, built["wheel"])
    return binaries


def _install(binaries: Path, archive: Path, *flags: str) -> None:
    constraints = ROOT / "constraints.txt"
    _run(binaries / "python", "-m", "pip", "install", "--quiet", "--constraint", constraints, *flags, archive, cwd=binaries)


def test_the_wheel_holds_the_packages_and_nothing_beside_them(built: dict[str, Path]) -> None:
    names = zipfile.ZipFile(built["wheel"]).namelist()
    folders = {name.split("/")[0] for name in names}
    assert {folder for folder in folders if not folder.endswith(".dist-info")} == {"gateway", "providers"}
    assert {"gateway/py.typed", "providers/py.typed"} <= set(names)
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_the_sdist_holds_what_a_packager_needs(built: dict[str, Path]) -> None:
    with tarfile.open(built["sdist"]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "LICENSE", "README.md", "CHANGELOG.md", "constraints.txt", "Makefile", "config.example.yaml"} <= names
    assert not any(part in name for name in names for part in ("node_modules", "__pycache__", ".venv"))


def test_the_command_explains_itself_in_an_empty_environment(environment: Path, tmp_path: Path) -> None:
    text = _run(environment / "eluvix", "--help", cwd=tmp_path, env=clean_environment(tmp_path))
    assert "serve" in text


def test_an_installed_gateway_answers_without_any_model_server(environment: Path, tmp_path: Path) -> None:
    question = {"model": "eluvix/inspect", "messages": [{"role": "user", "content": "hello"}]}
    command = (str(environment / "eluvix"),)
    with GatewayProcess(tmp_path / "home", {"discover": "off"}, tls=True, command=command) as gateway, gateway.client() as client:
        answer = client.post("/v1/chat/completions", json=question).raise_for_status().json()
    sent = json.loads(answer["choices"][0]["message"]["content"])
    assert sent["messages"] == question["messages"]


def test_the_sdist_can_be_installed_as_well(built: dict[str, Path], environment: Path, tmp_path: Path) -> None:
    _install(environment, built["sdist"], "--force-reinstall", "--no-deps")
    version = _run(environment / "eluvix", "--version", cwd=tmp_path, env=clean_environment(tmp_path) | {"PATH": os.environ["PATH"]})
    assert built["wheel"].name.split("-")[1] in version
