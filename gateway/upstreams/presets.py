"""What is known of well-known servers: where they listen by default and where their key is found. Data only."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Preset:
    """Defaults of an upstream. `key_variable` is the environment variable in which its key is usually kept."""

    kind: str
    url: str
    local: bool = False
    key_variable: str | None = None
    cloud_models: tuple[str, ...] = ()


OLLAMA_CLOUD_MODELS = ("*-cloud", "*:cloud", "*:cloud:*")
"""How Ollama names models that its vendor runs: `gpt-oss:120b-cloud`, `glm-5:cloud`; the source tag may precede a size."""


def _local(url: str) -> Preset:
    return Preset("openai", url, local=True)


def _cloud(url: str, key_variable: str) -> Preset:
    return Preset("openai", url, key_variable=key_variable)


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "ollama": Preset("ollama", "http://127.0.0.1:11434/v1", local=True, cloud_models=OLLAMA_CLOUD_MODELS),
        "lmstudio": _local("http://127.0.0.1:1234/v1"),
        "vllm": _local("http://127.0.0.1:8000/v1"),
        "llamacpp": _local("http://127.0.0.1:8080/v1"),
        "lemonade": _local("http://127.0.0.1:13305/api/v1"),
        "jan": _local("http://127.0.0.1:1337/v1"),
        "openai": _cloud("https://api.openai.com/v1", "OPENAI_API_KEY"),
        "openrouter": _cloud("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
        "groq": _cloud("https://api.groq.com/openai/v1", "GROQ_API_KEY"),
        "mistral": _cloud("https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
        "deepseek": _cloud("https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
        "together": _cloud("https://api.together.xyz/v1", "TOGETHER_API_KEY"),
        "fireworks": _cloud("https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY"),
        "xai": _cloud("https://api.x.ai/v1", "XAI_API_KEY"),
        "gemini": _cloud("https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
    }
)
"""By the name that an upstream made from one gets."""
