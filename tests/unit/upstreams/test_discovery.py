"""Finding servers on this machine, with presets that point to ports of the test."""

from __future__ import annotations

import asyncio
import socket

import pytest

from gateway.upstreams import UPSTREAMS, catalog, connect, is_local
from gateway.upstreams.base import Timeouts
from gateway.upstreams.discovery import discover, preset_config
from gateway.upstreams.presets import PRESETS, Preset
from tests.fakes.scripted_upstream import ScriptedUpstream, plain

KEY = "sk-" + "test" * 5
LISTING = plain(b'{"object":"list","data":[]}')


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def test_servers_that_list_models_are_found_in_the_order_of_the_presets() -> None:
    async with ScriptedUpstream([plain(b'{"models":[]}')]) as ollama, ScriptedUpstream([LISTING]) as vllm:
        presets = {
            "ollama": Preset("ollama", ollama.url, local=True, cloud_models=("*-cloud",)),
            "nobody": Preset("openai", f"http://127.0.0.1:{free_port()}/v1", local=True),
            "vllm": Preset("openai", vllm.url, local=True),
            "openai": PRESETS["openai"],
        }
        found = await discover({"OPENAI_API_KEY": f" {KEY}\n"}, presets, seconds=10)
    assert [(config.name, config.kind, config.local) for config in found] == [
        ("ollama", "ollama", True),
        ("vllm", "openai", True),
        ("openai", "openai", False),
    ]
    assert found[0].cloud_models == ("*-cloud",)
    assert found[2].api_key == KEY
    assert KEY not in repr(found)


@pytest.mark.parametrize("answer", [plain(b"<html>a web page</html>"), plain(b"{}", 404), plain(b'{"status":"ok"}'), b"junk\n"])
async def test_what_is_no_model_server_is_not_found(answer: bytes) -> None:
    async with ScriptedUpstream([answer]) as server:
        assert await discover({}, {"vllm": Preset("openai", server.url, local=True)}, seconds=10) == []


async def test_a_silent_server_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "TIMEOUTS", Timeouts())
    async with ScriptedUpstream([asyncio.Event()]) as silent, ScriptedUpstream([LISTING]) as quick:
        presets = {
            "silent": Preset("openai", silent.url, local=True),
            "quick": Preset("openai", quick.url, local=True),
        }
        assert [config.name for config in await discover({}, presets, seconds=0.3)] == ["quick"]
        await silent.peer_gone.wait()


async def test_cancelling_the_search_ends_the_probes() -> None:
    async with ScriptedUpstream([asyncio.Event()]) as silent:
        task = asyncio.create_task(discover({}, {"silent": Preset("openai", silent.url, local=True)}, seconds=30))
        await silent.received()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await silent.peer_gone.wait()


@pytest.mark.parametrize("environ", [{}, {"OPENAI_API_KEY": ""}, {"OPENAI_API_KEY": "  "}])
async def test_without_a_key_there_is_no_cloud(environ: dict[str, str]) -> None:
    assert await discover(environ, {"openai": PRESETS["openai"]}) == []


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_every_preset_makes_an_upstream(name: str) -> None:
    preset = PRESETS[name]
    config = preset_config(name, preset)
    assert preset.kind in UPSTREAMS
    assert connect(config).config.name == name
    assert preset.local == preset.url.startswith("http://127.0.0.1:")
    assert preset.local == (preset.key_variable is None)


def test_local_presets_have_ports_of_their_own() -> None:
    urls = [preset.url for preset in PRESETS.values() if preset.local]
    ports = [url.split("/")[2] for url in urls]
    assert len(set(ports)) == len(ports)


@pytest.mark.parametrize("model", ["gpt-oss:120b-cloud", "glm-5:cloud", "gpt-oss:cloud:20b"])
def test_the_models_that_ollama_runs_in_its_cloud_are_not_local(model: str) -> None:
    config = preset_config("ollama", PRESETS["ollama"])
    assert is_local(config, "llama3:8b")
    assert not is_local(config, model)
