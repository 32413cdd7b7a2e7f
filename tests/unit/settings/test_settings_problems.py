"""Everything that is wrong is said at once: the key, where it stands, what is wrong, the fix; never a secret."""

import pytest

from gateway.errors import ConfigError
from gateway.settings.problems import Problem, config_error, did_you_mean, similar_key


def problem_with(loading, text, **environ) -> str:
    with pytest.raises(ConfigError) as caught:
        loading(text, **environ)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("server:\n  prot: 1\n", "server.prot (line 2): there is no such key. Did you mean 'server.port'?"),
        ("memry: {}\n", "memry (line 1): there is no such key. Did you mean 'memory'?"),
        ("memry:\n", "memry (line 1): there is no such key. Did you mean 'memory'?"),
        ("port: 1\n", "port (line 1): there is no such key. Did you mean 'server.port'?"),
        ("memory: {max-tokens: 1}\n", "memory.max-tokens (line 1): there is no such key. Did you mean 'memory.max_tokens'?"),
        ("log: {zzz: 1}\n", "log.zzz (line 1): there is no such key. Known here: format, level, access."),
        ("keys:\n  - name: a\n    kee: x\n    key: y\n", "keys.0.kee (line 3): there is no such key. Did you mean 'keys.0.key'?"),
        ("upstreams:\n  a:\n    timeouts: {conect: 1}\n", "Did you mean 'upstreams.a.timeouts.connect'?"),
        ("server:\n  port: 70000\n", "server.port (line 2): must be less than or equal to 65535."),
        ("server: {port: x}", "server.port (line 1): must be a whole number."),
        ("server: {port: 1.5}", "server.port (line 1): must be a whole number."),
        ("server: {max_body_mib: x}", "server.max_body_mib (line 1): must be a number."),
        ("memory: {sticky: maybe}", "memory.sticky (line 1): must be true or false."),
        ("memory: {provider: 12}", "memory.provider (line 1): must be text. Put it in quotes."),
        ("memory: {provider: 2020-01-01}", "memory.provider (line 1): must be text. Put it in quotes."),
        ("memory: {provider: !vault x}", "memory.provider (line 1): must be text. Put it in quotes."),
        ("memory: {placement: system_heads}", "must be 'system_head' or 'last_user'. Did you mean 'system_head'?"),
        ("server: {tls: yes}", "server.tls (line 1): must be 'on' or 'off'."),
        ("server: [1]", "server (line 1): must hold keys and values."),
        ("upstreams: [a]", "upstreams (line 1): must hold keys and values."),
        ("keys: {a: b}", "keys (line 1): must be a list, as in [a, b]."),
        ("keys: [{name: a}]", "keys.0.key (line 1): is missing. Add it."),
        ("keys: [{name: '-a', key: b}]", "keys.0.name (line 1): must be a name:"),
        ("upstreams: {'a b': {preset: openai}}", "upstreams.a b (line 1): must be a name:"),
        ("routes: [{model: a, to: []}]", "routes.0.to (line 1): must not be empty. Name at least one."),
        ("memory: {topK: 0}", "memory.top_k (line 1): must be greater than or equal to 1."),
        ("memory:\n  topK: 1\n  top_k: 2\n", "memory.top_k (line 3): is given twice, once as top_k. Keep one of them."),
        ("egress: {classes: {email: alow}}", "egress.classes.email (line 1): must be 'drop', 'mask' or 'allow'. Did you mean 'allow'?"),
    ],
)
def test_each_kind_of_problem_is_told_with_its_place_and_fix(loading, text, line):
    assert line in problem_with(loading, text)


def test_all_problems_are_told_at_once_in_the_order_of_the_file(loading, home):
    text = "server:\n  port: x\nmemory:\n  top_k: x\nkeys:\n  - {name: a, key: '${NONE}'}\n"
    message = problem_with(loading, text, ELUVIX_LOG__LEVEL="loud")
    assert message.startswith(f"The configuration in {home / 'config.yaml'} has problems:\n")
    places = [line.split(":")[0].strip(" -") for line in message.splitlines()[1:]]
    assert places == ["server.port (line 2)", "memory.top_k (line 4)", "keys.0.key (line 6)", "log.level (ELUVIX_LOG__LEVEL)"]


def test_a_key_is_complained_of_once(loading):
    assert problem_with(loading, "server: {port: '${NONE}'}").count("server.port") == 1
    assert problem_with(loading, "routes: {a: {upstream: x, modle: y}}").count("routes.0") == 2  # the key, and the hint


def test_without_a_file_none_is_named(loading):
    assert problem_with(loading, None, ELUVIX_SERVER__PORT="x").startswith("The configuration has problems:\n")


SECRET = "hunter" + "-is-secret"


@pytest.mark.parametrize(
    "text",
    [
        f"admin_password: {SECRET}\nserver: {{port: x}}\n",
        f"admin_password: [{SECRET}]\n",
        f"admin_password: {SECRET}\nadmin_password: {SECRET}2\n",
        f"admin_password: *{SECRET}\n",
        f"admin_password: '{SECRET}\n",
        f"admin_password:{SECRET}\n",
        f"admin_password: {SECRET}\n  x: 1\n",
        f"admin_password: !{SECRET}\nserver: {{port: x}}\n",
        f"admin_password: ' {SECRET}'\n",
        f"keys: [{{name: a, key: {SECRET}, user: ..}}, {{name: a, key: {SECRET}}}]\n",
        f"upstreams: {{a: {{url: 'http://u:{SECRET}@h/v1'}}}}\n",
        f"upstreams: {{a: {{preset: openai, proxy: 'ftp://u:{SECRET}@h'}}}}\n",
        f"upstreams: {{a: {{preset: openai, headers: [{SECRET}]}}}}\n",
        f"upstreams: {{a: {{preset: openai, headers: {{x: [{SECRET}]}}}}}}\n",
        f"admin_password: ${{NONE}}{SECRET}\n",
        SECRET,
        f"- {SECRET}",
    ],
)
def test_no_message_ever_holds_a_secret(loading, text):
    assert SECRET not in problem_with(loading, text)


def test_broken_yaml_is_told_with_line_and_column(loading, home):
    message = problem_with(loading, "server:\n  port: 1\n tls: off\n")
    assert message.startswith(f"{home / 'config.yaml'}, line 3, column 2: this is not YAML")


def test_a_key_given_twice_is_named_with_its_line(loading):
    message = problem_with(loading, "server:\n  port: 1\n  port: 2\n")
    assert ", line 3, column 3: the key port is given twice. Keep one of them." in message


@pytest.mark.parametrize(("content", "said"), [(b"\xff\xfe\x00", "is not UTF-8"), (b"just words", "must hold keys and values")])
def test_a_file_that_holds_something_else_is_told(loading, home, content, said):
    (home / "config.yaml").write_bytes(content)
    assert said in problem_with(loading, None)


def test_a_folder_in_place_of_the_file_is_told(loading, tmp_path):
    assert "cannot be read" in problem_with(loading, None, ELUVIX_CONFIG=str(tmp_path))


def test_a_control_character_in_the_file_is_told(loading):
    assert "is not YAML" in problem_with(loading, "a: \x01\n")


def test_a_hint_names_the_nearest_or_else_everything():
    assert did_you_mean("OpneAI", ["openai", "ollama"]) == "Did you mean 'openai'?"
    assert did_you_mean("zzz", ["b", "a"]) == "Known: a, b."
    assert did_you_mean("a", []) == "None is configured."


def test_a_key_is_found_at_its_own_place_first_and_else_anywhere():
    assert similar_key(("server",), "portt") == "server.port"
    assert similar_key((), "cooldown_s") is None  # within upstreams, which have names
    assert similar_key(("memory",), "ttl_s", "__") == "cache__ttl_s"
    assert similar_key(("upstreams", "box"), "cloudMod") == "upstreams.box.cloud_mode"


def test_a_problem_of_a_key_that_stands_nowhere_is_told_without_a_place():
    assert str(config_error([Problem("a.b", "is bad.")], {}, None)) == "The configuration has problems:\n  - a.b: is bad."
