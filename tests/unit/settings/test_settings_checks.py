"""Names that must exist elsewhere, and combinations that are not safe."""

import pytest

from gateway.errors import ConfigError
from gateway.settings import is_loopback, refuse_open

LONG_KEY = "elx_" + "a" * 40
UPSTREAM = "upstreams: {ollama: {preset: ollama}}\n"


def problem_with(loading, text) -> str:
    with pytest.raises(ConfigError) as caught:
        loading(text)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("memory: {provider: sqllite}", "memory.provider (line 1): there is no provider 'sqllite'. Did you mean 'sqlite'?"),
        ("memory: {mem0: {dialect: oss}}", "memory.mem0.dialect (line 1): there is no dialect 'oss'. Did you mean"),
        ("memory: {mem0: {url: 'localhost:8888'}}", "memory.mem0.url (line 1): must be the URL"),
        ("memory: {mem0: {url: 'http://[::1'}}", "memory.mem0.url (line 1): must be the URL"),
        (UPSTREAM + "memory: {summarizer: {upstream: olama, model: m}}", "memory.summarizer.upstream (line 2): it leads to"),
        ("cache: {backend: redi}", "cache.backend (line 1): there is no backend 'redi'. Known: memory."),
        (
            UPSTREAM + "routes: {a: olama}",
            "routes.0.to.0 (line 2): the route for 'a' leads to the upstream 'olama'",
        ),
        ("routes: {a: openai}", "Add it: `upstreams: {openai: {preset: openai}}`."),
        ("routes: {a: box}", "None is configured."),
        ("upstreams: {box: {preset: olama}}", "upstreams.box.preset (line 1): there is no preset 'olama'. Did you mean 'ollama'?"),
        (
            "upstreams: {box: {kind: opnai, url: 'http://h'}}",
            "upstreams.box.kind (line 1): there is no kind 'opnai'. Did you mean",
        ),
        ("upstreams: {box: {}}", "upstreams.box (line 1): say where it is with `url: http://host:port/v1`, or name a `preset`."),
        ("upstreams: {ollama: }", "upstreams.ollama (line 1): say where it is with `url: http://host:port/v1`, or name `preset: ollama`."),
        ("upstreams: {box: {url: 'h:1/v1'}}", "upstreams.box.url (line 1): its url is not a http:// or https:// url"),
        ("upstreams: {box: {preset: openai, proxy: 'socks5://h:1'}}", "upstreams.box.proxy (line 1): its proxy"),
        ("upstreams: {inspect: {preset: openai}}", "upstreams.inspect (line 1): this name is taken"),
        ("egress: {classes: {emial: mask}}", "egress.classes.emial (line 1): there is no such class. Did you mean 'email'?"),
        ("egress: {entities: {EMAIL: mask}}", "egress.entities.EMAIL (line 1): there is no such entity."),
        ("server: {certificate: a.pem}", "server.certificate (line 1): needs server.certificate_key as well."),
        ("server: {certificate_key: a.key}", "server.certificate_key (line 1): needs server.certificate as well."),
        ("server: {cors_origins: ['*', app.example]}", "server.cors_origins.1 (line 1): must be an origin"),
        ("server: {cors_origins: ['http://h/path']}", "server.cors_origins.0 (line 1): must be an origin"),
        ("admin_password: 'x '", "admin_password (line 1): begins or ends with white space"),
        ("keys: [{name: a, key: ''}]", "keys.0.key (line 1): must be printable ASCII"),
        ("keys: [{name: a, key: 'a b'}]", "keys.0.key (line 1): must be printable ASCII"),
        ("keys: [{name: a, key: schlüssel}]", "keys.0.key (line 1): must be printable ASCII"),
        ("keys: [{name: a, key: k, user: ../bob}]", "keys.0.user (line 1): is no user name."),
        ("keys: [{name: a, key: k, user: ''}]", "keys.0.user (line 1): is no user name."),
        ("admin_password: k\nkeys: [{name: a, key: k}]", "keys.0.key (line 2): is also another key or the admin password."),
    ],
)
def test_what_does_not_fit_together_is_refused_with_the_fix(loading, text, said):
    assert said in problem_with(loading, text)


def test_names_of_persons_cannot_be_insisted_on_without_a_language_model(loading, monkeypatch):
    monkeypatch.setattr("gateway.settings.checks.ner_installed", lambda: False)
    assert "egress.ner (line 1): is on, but no language model is installed." in problem_with(loading, "egress: {ner: on}")
    assert loading("egress: {ner: auto}").settings.egress.ner == "auto"
    monkeypatch.setattr("gateway.settings.checks.ner_installed", lambda: True)
    assert loading("egress: {ner: on}").settings.egress.ner == "on"


def test_two_keys_must_differ_in_name_and_in_value(loading):
    message = problem_with(loading, "keys:\n  - {name: a, key: k, user: bob}\n  - {name: a, key: k, user: alice}\n")
    for number, line in ((0, 2), (1, 3)):
        assert f"keys.{number}.name (line {line}): the name 'a' is given to several keys." in message
        assert f"keys.{number}.key (line {line}): is also another key" in message


def test_built_in_upstreams_may_be_routed_to(loading):
    assert loading("routes: {a: inspect, b: inspect-cloud}").settings.routes[1].to[0].upstream == "inspect-cloud"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("egress: {classes: {email: allow}}", "egress.classes.email is allow: it leaves unmasked"),
        ("egress: {entities: {PERSON: allow}}", "egress.entities.PERSON is allow: it leaves unmasked"),
        ("server: {host: 0.0.0.0, tls: off}", "server.tls is off and server.host is 0.0.0.0"),
        ("server: {allowed_hosts: ['*']}", "server.allowed_hosts has *"),
        ("server: {cors_origins: ['*']}", "server.cors_origins has *"),
        ("server: {trusted_proxies: ['*']}", "server.trusted_proxies has *"),
        ("memory: {provider: mem0, mem0: {local: false}}", "memory.mem0.local is false"),
        ("memory: {provider: mem0, mem0: {url: 'https://me:pw@mem0.example.com'}}", "is true, and mem0.example.com seems to be elsewhere"),
        ("memory: {provider: mem0, mem0: {url: 'http://8.8.8.8:8888'}}", "and 8.8.8.8 seems to be elsewhere"),
        ("keys: [{name: a, key: short}]", "keys.0.key (a) is short"),
        (UPSTREAM + "routes: {'*': ollama, a: ollama}", "routes.1 (a) is never reached"),
        (UPSTREAM + "routes: [{model: a, to: [ollama]}, {model: a, to: [inspect]}]", "routes.1 (a) is never reached"),
    ],
)
def test_what_is_perhaps_not_meant_is_warned_about(loading, text, said):
    (warning,) = loading(text).warnings
    assert said in warning


@pytest.mark.parametrize(
    "text",
    [
        "egress: {classes: {email: mask}, entities: {PERSON: drop}}",
        "server: {tls: off}",
        "server: {host: 0.0.0.0}",
        "server: {cors_origins: ['http://localhost:5173', 'https://app.example/']}",
        f"keys: [{{name: a, key: {LONG_KEY}, user: bob}}, {{name: b, key: {LONG_KEY}b}}]",
        "memory: {mem0: {local: false}}",
        UPSTREAM + "routes: {a: ollama, '*': ollama}",
    ],
)
def test_what_is_fine_is_not_warned_about(loading, text):
    assert loading(text).warnings == ()


@pytest.mark.parametrize("host", ["127.0.0.1", "192.168.1.9", "[::1]", "localhost", "mem0", "nas.local", "host.docker.internal"])
def test_a_memory_server_nearby_is_local_without_a_warning(loading, host):
    assert loading(f"memory: {{provider: mem0, mem0: {{url: 'http://{host}:8888'}}}}").warnings == ()


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.10", "::1", "localhost", "LOCALHOST"])
def test_this_machine_alone_needs_no_key(loading, host):
    assert is_loopback(host)
    refuse_open(loading(f"server: {{host: '{host}'}}").settings, has_keys=False)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "", "192.168.1.5", "gateway.example", "localhost.example", "1270.0.0.1"])
def test_beyond_this_machine_a_key_and_a_password_are_needed(loading, host):
    assert not is_loopback(host)
    text = f"server: {{host: '{host}'}}\n"
    bare, with_password = loading(text).settings, loading(text + "admin_password: x").settings
    with pytest.raises(ConfigError, match=r"eluvix keys add .*ELUVIX_ADMIN_PASSWORD.*Or listen on 127\.0\.0\.1"):
        refuse_open(bare, has_keys=False)
    with pytest.raises(ConfigError, match="It needs an admin password"):
        refuse_open(bare, has_keys=True)
    with pytest.raises(ConfigError, match="It needs a key: run `eluvix keys add <name>`"):
        refuse_open(with_password, has_keys=False)
    refuse_open(with_password, has_keys=True)


def test_an_empty_password_is_none(loading):
    with pytest.raises(ConfigError, match="admin password"):
        refuse_open(loading("server: {host: 0.0.0.0}", ELUVIX_ADMIN_PASSWORD="").settings, has_keys=True)
