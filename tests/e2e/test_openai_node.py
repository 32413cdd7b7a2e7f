"""The official npm client, unmodified, against a running gateway. `npm ci` puts it beside node/client.mjs when it is not there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e.conftest import CLIENT_KEY
from tests.fakes.model_scripts import USAGE, VECTOR

if TYPE_CHECKING:
    from tests.e2e.gateway_process import GatewayProcess
    from tests.fakes.model_server import ModelServer

pytestmark = [pytest.mark.long, pytest.mark.timeout(240)]

FOLDER = Path(__file__).with_name("node")


def _run(command: list[str], env: dict[str, str]) -> str:
    done = subprocess.run(command, cwd=FOLDER, env=env, capture_output=True, text=True, timeout=180, check=False)
    assert done.returncode == 0, f"{command[0]} failed:\n{done.stdout[-1000:]}\n{done.stderr[-3000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def installed() -> str:
    """The path of node, with the locked packages in place."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        pytest.skip("node and npm are not installed")
    if not (FOLDER / "node_modules" / "openai").is_dir():
        _run([npm, "ci", "--no-audit", "--no-fund"], dict(os.environ))
    return node


@pytest.fixture(scope="module")
def seen(installed: str, gateway: GatewayProcess, models: ModelServer) -> dict[str, Any]:
    """What client.mjs saw, and `upstreamLeft`: whether the model server was told that the client left its stream."""
    env = {"PATH": os.environ["PATH"], "GATEWAY_URL": f"{gateway.url}/v1", "GATEWAY_KEY": CLIENT_KEY}
    if gateway.scheme == "https":
        env["NODE_EXTRA_CA_CERTS"] = str(gateway.certificate)
    result: dict[str, Any] = json.loads(_run([installed, "client.mjs"], env))
    stalled = [request for request in models.chats() if request.body["model"] == "stalls"][-1]
    return result | {"upstreamLeft": stalled.left.wait(10)}


def test_a_chat_and_a_stream_are_answered(seen: dict[str, Any]) -> None:
    assert seen["plain"] == "You said: hello there"
    assert seen["stream"] == {"text": "You said: hello there ", "finish": "stop", "usage": None}


def test_the_usage_chunk_comes_when_it_is_asked_for(seen: dict[str, Any]) -> None:
    assert seen["streamWithUsage"]["usage"] == USAGE


def test_a_tool_call_makes_the_round_trip(seen: dict[str, Any]) -> None:
    assert seen["tools"] == {"finish": "tool_calls", "text": "It is sunny in Bern."}


def test_errors_arrive_as_the_classes_that_the_client_knows(seen: dict[str, Any]) -> None:
    unknown, wrong, limited = seen["unknownModel"], seen["wrongKey"], seen["rateLimit"]
    assert (unknown["name"], unknown["status"], unknown["code"]) == ("NotFoundError", 404, "model_not_found")
    assert (wrong["name"], wrong["status"], wrong["code"]) == ("AuthenticationError", 401, "invalid_api_key")
    assert (limited["name"], limited["status"], limited["retryAfter"]) == ("RateLimitError", 429, "7")


def test_models_are_listed_and_retrieved(seen: dict[str, Any]) -> None:
    assert {"echo", "tools", "embeds"} <= set(seen["models"])
    assert seen["retrieved"] == "echo"


def test_embeddings_are_the_same_as_floats_and_as_base64(seen: dict[str, Any]) -> None:
    assert seen["floats"] == list(VECTOR)
    assert seen["decoded"] == list(VECTOR)


def test_a_client_that_leaves_a_stream_ends_it_at_the_model_server(seen: dict[str, Any]) -> None:
    assert seen["left"] == "Once upon"
    assert seen["upstreamLeft"], "the model server went on for nobody"


def test_a_named_user_without_memories_is_a_miss(seen: dict[str, Any]) -> None:
    assert seen["headers"] == {"memory": "miss", "tokens": "0"}
