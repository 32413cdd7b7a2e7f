"""What the end-to-end tests share: a scripted model server and gateways in processes of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e.gateway_process import GatewayProcess
from tests.fakes.model_scripts import by_model
from tests.fakes.model_server import ModelServer

if TYPE_CHECKING:
    from collections.abc import Iterator

CLIENT_KEY = "-".join(("key", "of", "the", "tests"))


@pytest.fixture(scope="module")
def models() -> Iterator[ModelServer]:
    """A model server that plays the models of tests/fakes/model_scripts.py."""
    with ModelServer(by_model) as server:
        yield server


@pytest.fixture(scope="module", params=["http", "https"])
def gateway(request: pytest.FixtureRequest, models: ModelServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[GatewayProcess]:
    """A gateway before that model server, with one key that may act for any user."""
    config = {
        "upstreams": {"scripted": {"url": models.url, "local": True, "api_key": "not-a-secret"}},
        "keys": [{"name": "tests", "key": CLIENT_KEY}],
    }
    with GatewayProcess(tmp_path_factory.mktemp("home"), config, tls=request.param == "https") as running:
        yield running
