from pathlib import Path

import pytest

from gateway.settings import Loaded, load


@pytest.fixture
def home(tmp_path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def loading(home):
    """Loads the given text as config.yaml of an empty home folder; keyword arguments are environment variables."""

    def load_text(text: str | None = None, overrides: dict | None = None, **environ: str) -> Loaded:
        if text is not None:
            (home / "config.yaml").write_text(text, encoding="utf-8")
        return load(environ={"ELUVIX_HOME": str(home), **environ}, overrides=overrides or {})

    return load_text
