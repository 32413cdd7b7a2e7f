"""Showing the configuration, its schema, and what a reload cannot change."""

import json

import orjson
import pytest

from gateway.settings import Settings, changed, json_schema, safe_dump
from gateway.settings.shape import key_paths

SECRETS = ["secret-" + letter for letter in "abcdef"]


def test_the_shown_configuration_holds_no_secret(loading):
    a, b, c, d, e, f = SECRETS
    text = f"""
admin_password: {a}
memory: {{mem0: {{api_key: {b}, url: "http://me:{f}@127.0.0.1:8888"}}}}
keys: [{{name: k, key: {c}}}]
upstreams: {{u: {{preset: openai, api_key: {d}, proxy: "http://me:{e}@proxy.example:1", headers: {{x-key: {f}}}}}}}
"""
    shown = safe_dump(loading(text).settings)
    assert not any(secret in json.dumps(shown) for secret in SECRETS)
    assert shown["admin_password"] == shown["keys"][0]["key"] == "***"
    assert shown["upstreams"]["u"]["headers"] == {"x-key": "***"}
    assert shown["upstreams"]["u"]["proxy"] == "***"
    assert shown["memory"]["mem0"]["url"] == "http://***@127.0.0.1:8888"


def test_a_login_with_an_at_sign_is_hidden_whole():
    shown = safe_dump(Settings.model_validate({"memory": {"mem0": {"url": "http://me:pa@ss@h/x@y"}}}))
    assert shown["memory"]["mem0"]["url"] == "http://***@h/x@y"


def test_what_is_no_secret_is_shown_as_it_is_and_json_can_carry_it(loading, home):
    shown = safe_dump(loading("server: {port: 1, allowed_hosts: [a]}\nmemory: {sqlite: {path: m.db}}").settings)
    assert (shown["server"]["port"], shown["server"]["allowed_hosts"]) == (1, ["a"])
    assert shown["memory"]["sqlite"]["path"] == str(home / "m.db")
    assert shown["admin_password"] is None
    assert orjson.loads(orjson.dumps(shown)) == shown


def test_the_shown_configuration_loads_again(loading):
    settings = loading("server: {tls: off}\nupstreams: {a: {url: 'http://h'}}\nroutes: {x: a}").settings
    assert Settings.model_validate(safe_dump(settings)) == settings


def test_the_schema_knows_every_key_and_says_what_it_means():
    schema = json_schema()
    assert schema["additionalProperties"] is False
    assert set(schema["properties"]) == set(Settings.model_fields)
    assert "self-signed" in schema["$defs"]["ServerSettings"]["properties"]["certificate"]["description"]
    json.dumps(schema)


def test_the_schema_allows_the_short_forms_of_routes():
    schema = json_schema()
    assert {form["type"] for form in schema["properties"]["routes"]["anyOf"]} == {"array", "object"}
    assert {"type": "string"} in schema["$defs"]["RouteSettings"]["properties"]["to"]["items"]["anyOf"]


def with_key(path, value):
    for key in reversed(path):
        value = {key: value}
    return Settings.model_validate(value)


RESTART = {
    ("server", "host"): "0.0.0.0",
    ("server", "port"): 1,
    ("server", "tls"): "off",
    ("server", "certificate"): "c",
    ("server", "certificate_key"): "k",
    ("server", "base_path"): "/x",
    ("server", "trusted_proxies"): ["10.0.0.1"],
    ("server", "allowed_hosts"): ["h"],
    ("server", "cors_origins"): ["http://h"],
    ("server", "max_body_mib"): 1,
    ("server", "shutdown_timeout_s"): 1,
    ("server", "metrics"): "off",
    ("server", "docs"): "off",
    ("memory", "provider"): "mem0",
    ("memory", "sqlite", "path"): "m.db",
    ("memory", "mem0", "url"): "http://h",
    ("memory", "mem0", "api_key"): "k",
    ("memory", "mem0", "dialect"): "oss1",
    ("memory", "mem0", "infer"): False,
    ("memory", "mem0", "local"): False,
    ("memory", "mem0", "timeout_s"): 1,
    ("cache", "backend"): "redis",
    ("cache", "ttl_s"): 1,
    ("cache", "max_mib"): 1,
    ("outbox", "keep_days"): 1,
    ("outbox", "max_attempts"): 1,
    ("log", "format"): "json",
    ("log", "level"): "debug",
    ("log", "access"): False,
}
RELOAD = {
    ("admin_password",): "x",
    ("memory", "top_k"): 1,
    ("memory", "max_tokens"): 1,
    ("memory", "placement"): "last_user",
    ("memory", "sticky"): False,
    ("memory", "recall"): "off",
    ("memory", "commit"): "off",
    ("memory", "recall_timeout_ms"): 1,
    ("memory", "summarizer"): {"upstream": "a", "model": "b"},
    ("egress", "cloud_mode"): "strip",
    ("egress", "ner"): "off",
    ("egress", "classes"): {"email": "drop"},
    ("egress", "entities"): {"PERSON": "drop"},
    ("egress", "allow_terms"): ["a"],
    ("egress", "deny_terms"): ["a"],
    ("cache", "mode"): "on",
    ("upstreams",): {"a": {"preset": "openai"}},
    ("routes",): {"a": "b"},
    ("discover",): "off",
    ("keys",): [{"name": "a", "key": "b"}],
}


@pytest.mark.parametrize("path", RESTART, ids=".".join)
def test_what_is_read_once_waits_for_a_restart(path):
    assert changed(Settings(), with_key(path, RESTART[path])) == (".".join(path),)


@pytest.mark.parametrize("path", RELOAD, ids=".".join)
def test_everything_else_is_taken_into_use_at_once(path):
    new = with_key(path, RELOAD[path])
    assert new != Settings()
    assert changed(Settings(), new) == ()


def test_it_is_decided_for_every_key_whether_it_waits():
    decided = {*RESTART, *RELOAD}
    assert [path for path in key_paths(Settings) if path not in decided and path[:2] not in decided] == []


def test_the_same_configuration_waits_for_nothing():
    assert changed(Settings(), Settings()) == ()
