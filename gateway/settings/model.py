"""Every setting there is, with its default. `config.example.yaml` shows the same keys with their meaning.

Only `gateway.app` and `gateway.cli` read these: everything else is given the values that it needs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr

Port = Annotated[int, Field(ge=1, le=65535)]
Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]


def _switch(value: object) -> object:
    """YAML's bare `off` and `on` may arrive as booleans."""
    return {True: "on", False: "off"}.get(value, value) if isinstance(value, bool) else value


Switch = Annotated[Literal["on", "off"], BeforeValidator(_switch)]


def _base_path(value: str) -> str:
    cleaned = "/" + value.strip("/")
    return "" if cleaned == "/" else cleaned


class Section(BaseModel):
    """A group of settings: unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, hide_input_in_errors=True, use_attribute_docstrings=True)


class ServerSettings(Section):
    """Where the gateway listens and how it is reached."""

    host: str = "127.0.0.1"
    port: Port = 3588
    tls: Switch = "on"
    certificate: Path | None = None
    """A certificate of your own (PEM); None = self-signed, made at first start."""
    certificate_key: Path | None = None
    base_path: Annotated[str, AfterValidator(_base_path)] = ""
    trusted_proxies: tuple[str, ...] = ()
    allowed_hosts: tuple[str, ...] = ()
    """Further values of the Host header beside loopback names and `host`."""
    cors_origins: tuple[str, ...] = ()
    max_body_mib: Annotated[float, Field(gt=0, le=1024)] = 32
    shutdown_timeout_s: Annotated[float, Field(ge=0)] = 30
    metrics: Literal["admin", "public", "off"] = "admin"
    """`admin`: loopback or the admin password."""
    docs: Switch = "on"


class Mem0Settings(Section):
    """Where a Mem0 server is and how it is spoken to."""

    url: str = "http://127.0.0.1:8888"
    api_key: SecretStr | None = None
    dialect: str = "oss3"
    infer: bool = True
    local: bool = True
    timeout_s: Annotated[float, Field(gt=0)] = 120


class SqliteSettings(Section):
    """Where the embedded memory lives."""

    path: Path | None = None
    """None = memory.db in the Eluvix home folder."""


class SummarizerSettings(Section):
    """A model that draws facts out of turns; without it rules do."""

    upstream: Name
    model: str
    timeout_s: Annotated[float, Field(gt=0)] = 60
    allow_cloud: bool = False


class MemorySettings(Section):
    """Recall and commit."""

    provider: str = "sqlite"
    top_k: Annotated[int, Field(ge=1, le=100, validation_alias=AliasChoices("top_k", "topK"))] = 20
    max_tokens: Annotated[int, Field(ge=0, le=32768, validation_alias=AliasChoices("max_tokens", "maxTokens"))] = 500
    placement: Literal["system_head", "last_user"] = "system_head"
    sticky: bool = True
    recall: Switch = "on"
    commit: Switch = "on"
    recall_timeout_ms: Annotated[int, Field(ge=1)] | None = None
    """None = 300 for a local provider, 1500 for a remote one."""
    sqlite: SqliteSettings = SqliteSettings()
    mem0: Mem0Settings = Mem0Settings()
    summarizer: SummarizerSettings | None = None


Action = Literal["drop", "mask", "allow"]


def _upper_keys(value: object) -> object:
    """Entities are upper-case; the environment cannot tell cases apart."""
    return {str(key).upper(): action for key, action in value.items()} if isinstance(value, dict) else value


class EgressSettings(Section):
    """What may leave for a cloud model."""

    cloud_mode: Annotated[Literal["filter", "strip"], Field(validation_alias=AliasChoices("cloud_mode", "cloudMode"))] = "filter"
    ner: Annotated[Literal["auto", "on", "off"], BeforeValidator(_switch)] = "auto"
    classes: dict[str, Action] = {}
    entities: Annotated[dict[str, Action], BeforeValidator(_upper_keys)] = {}
    allow_terms: tuple[str, ...] = ()
    deny_terms: tuple[str, ...] = ()


class CacheSettings(Section):
    """Answers kept for the same user and the same request."""

    mode: Annotated[Literal["on", "off", "asked"], BeforeValidator(_switch)] = "off"
    """`asked`: only for requests with `x-eluvix-cache: on`."""
    backend: str = "memory"
    ttl_s: Annotated[int, Field(ge=1)] = 3600
    max_mib: Annotated[float, Field(gt=0)] = 64


class TimeoutSettings(Section):
    """Seconds for one upstream."""

    connect: Annotated[float, Field(gt=0)] = 5
    first_byte: Annotated[float, Field(gt=0)] = 300
    between: Annotated[float, Field(gt=0)] = 120
    total: Annotated[float, Field(gt=0)] = 1800


class BreakerSettings(Section):
    """After `failures` in a row an upstream is left alone for `cooldown_s`, as long as the plan has another."""

    failures: Annotated[int, Field(ge=1)] = 3
    cooldown_s: Annotated[float, Field(gt=0)] = 30


class UpstreamSettings(Section):
    """One model server. With a `preset` only what differs has to be said."""

    preset: str | None = None
    kind: str = "openai"
    url: str | None = None
    api_key: SecretStr | None = None
    local: bool | None = None
    """None = as the preset says, else false: what is not declared local is cloud."""
    models: tuple[str, ...] = ()
    """Globs of the models it serves; empty = ask it."""
    rewrite: dict[str, str] = {}
    """Model name as asked -> model name as this upstream knows it."""
    cloud_mode: Annotated[Literal["filter", "strip"] | None, Field(validation_alias=AliasChoices("cloud_mode", "cloudMode"))] = None
    cloud_models: tuple[str, ...] | None = None
    headers: dict[str, SecretStr] = {}
    proxy: SecretStr | None = None
    ca_file: Path | None = None
    max_connections: Annotated[int, Field(ge=1)] = 256
    timeouts: TimeoutSettings = TimeoutSettings()
    breaker: BreakerSettings = BreakerSettings()


class TargetSettings(Section):
    """Where a route leads: an upstream and, if it differs, the model's name there."""

    upstream: Name
    model: str | None = None


def _target(value: object) -> object:
    return {"upstream": value} if isinstance(value, str) else value


Target = Annotated[TargetSettings, BeforeValidator(_target, json_schema_input_type=TargetSettings | str)]


class RouteSettings(Section):
    """The first route whose `model` glob matches wins. `to` is tried in order; plain names are upstreams."""

    model: str
    to: Annotated[tuple[Target, ...], Field(min_length=1)]


def route_list(value: Any) -> Any:
    """Routes in their short form, `glob: upstream` or `glob: [upstream, fallback]`, as a list; anything else as it is."""
    if not isinstance(value, dict):
        return value
    return [{"model": glob, "to": to if isinstance(to, list | tuple) else [to]} for glob, to in value.items()]


ShortRoutes = dict[str, Target | tuple[Target, ...]]
RouteList = Annotated[
    tuple[RouteSettings, ...], BeforeValidator(route_list, json_schema_input_type=tuple[RouteSettings, ...] | ShortRoutes)
]


class KeySettings(Section):
    """A named key in the config file. Keys made by `eluvix keys add` live in the database instead."""

    name: Name
    key: SecretStr
    user: str = "*"
    """The user that the key is bound to; `*` = may act for any."""
    top_k: Annotated[int, Field(ge=1, le=100)] | None = None
    max_tokens: Annotated[int, Field(ge=0, le=32768)] | None = None


class LogSettings(Section):
    """What is written about requests: never a text of anyone."""

    format: Literal["auto", "json", "console"] = "auto"
    level: Literal["debug", "info", "warning", "error"] = "info"
    access: bool = True


class OutboxSettings(Section):
    """The durable queue of finished turns."""

    keep_days: Annotated[float, Field(ge=0)] = 7
    """How long a committed turn's hash is remembered, so that a retry is not stored twice."""
    max_attempts: Annotated[int, Field(ge=1)] = 20


class Settings(Section):
    """The whole configuration."""

    admin_password: SecretStr | None = None
    server: ServerSettings = ServerSettings()
    memory: MemorySettings = MemorySettings()
    egress: EgressSettings = EgressSettings()
    cache: CacheSettings = CacheSettings()
    outbox: OutboxSettings = OutboxSettings()
    upstreams: dict[Name, UpstreamSettings] = {}
    routes: RouteList = ()
    discover: Switch = "on"
    """Without any upstream configured: look for local ones, and for OPENAI_API_KEY."""
    keys: tuple[KeySettings, ...] = ()
    log: LogSettings = LogSettings()
