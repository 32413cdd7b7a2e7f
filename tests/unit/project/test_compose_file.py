"""docker-compose.yml: what is reachable from where, and what each service may do."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[3]
SERVICES: dict[str, dict[str, Any]] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))["services"]


def _filled(text: str, **values: str) -> str:
    """`${NAME:-default}` replaced as compose would."""
    return re.sub(r"\$\{(\w+):-([^}]*)\}", lambda match: values.get(match[1], match[2]), text)


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_every_published_port_is_bound_to_loopback(name: str) -> None:
    for port in SERVICES[name].get("ports", []):
        assert re.fullmatch(r"127\.0\.0\.1:\d+:\d+", port), f"{name} publishes {port}"
    assert SERVICES[name].get("network_mode") != "host"


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_no_service_can_gain_more_rights(name: str) -> None:
    service = SERVICES[name]
    assert not service.get("privileged")
    assert not any("docker.sock" in volume for volume in service.get("volumes", []))
    assert service.get("cap_drop"), f"{name} keeps every capability"


def test_the_gateway_stands_where_the_documentation_says() -> None:
    gateway = SERVICES["gateway"]
    assert gateway["ports"] == ["127.0.0.1:3588:3588"]
    assert gateway["volumes"] == ["./data/eluvix:/data"]
    assert "profiles" not in gateway
    assert gateway["read_only"] is True
    assert gateway["cap_drop"] == ["ALL"]


def test_the_gateway_runs_as_the_user_that_owns_its_data() -> None:
    gateway, data = SERVICES["gateway"], SERVICES["data"]
    assert _filled(gateway["user"]) == "1000:1000"
    assert data["entrypoint"] == ["chown", gateway["user"], "/data"]
    assert data["volumes"] == gateway["volumes"]
    assert gateway["depends_on"]["data"]["condition"] == "service_completed_successfully"
    assert data["network_mode"] == "none"


def test_open_viking_comes_with_the_memory_profile_only() -> None:
    viking = SERVICES["openviking"]
    assert viking["profiles"] == ["memory"]
    assert viking["ports"] == ["127.0.0.1:1933:1933"]
    assert viking["volumes"] == ["./data/openviking:/app/.openviking"]
    assert viking["environment"]["OPENVIKING_WITH_BOT"] == "0"
    assert re.fullmatch(r"[\w./-]+:v\d+\.\d+\.\d+", viking["image"]), "the image has no exact version"


def test_open_viking_runs_in_trusted_mode_with_the_key_of_the_environment() -> None:
    content = SERVICES["openviking"]["environment"]["OPENVIKING_CONF_CONTENT"]
    server = json.loads(_filled(content, OPENVIKING_ROOT_KEY="given"))["server"]
    assert server["auth_mode"] == "trusted"
    assert server["root_api_key"] == "given"
    assert json.loads(_filled(content))["server"]["root_api_key"] == "", "a key of the file would be everyone's"


def test_the_embeddings_of_open_viking_stay_on_this_machine() -> None:
    content = json.loads(_filled(SERVICES["openviking"]["environment"]["OPENVIKING_CONF_CONTENT"]))
    assert content["embedding"]["dense"]["api_base"].startswith("http://host.docker.internal:")
    assert not any(name.endswith("API_KEY") for name in SERVICES["openviking"]["environment"])


def test_no_secret_is_written_into_the_file() -> None:
    text = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    for name in ("ELUVIX_ADMIN_PASSWORD", "OPENVIKING_ROOT_KEY"):
        assert re.findall(rf"\$\{{{name}:-([^}}]*)\}}", text), f"{name} is not taken from the environment"
        assert not any(re.findall(rf"\$\{{{name}:-([^}}]+)\}}", text)), f"{name} has a default"
