"""ELUVIX_ variables, and `${VAR}` inside values."""

import json

import pytest

from gateway.errors import ConfigError


def test_every_kind_of_value_can_be_given_in_the_environment(loading):
    settings = loading(
        ELUVIX_ADMIN_PASSWORD="of the admin",
        ELUVIX_SERVER__PORT="8080",
        ELUVIX_SERVER__TLS="off",
        ELUVIX_SERVER__MAX_BODY_MIB="0.5",
        ELUVIX_MEMORY__STICKY="false",
        ELUVIX_SERVER__ALLOWED_HOSTS='["a.example", "b.example"]',
        ELUVIX_UPSTREAMS='{"box": {"url": "http://10.0.0.1/v1", "local": true}}',
        ELUVIX_ROUTES='{"*": "box"}',
    ).settings
    assert settings.admin_password.get_secret_value() == "of the admin"
    assert (settings.server.port, settings.server.tls, settings.server.max_body_mib) == (8080, "off", 0.5)
    assert settings.memory.sticky is False
    assert settings.server.allowed_hosts == ("a.example", "b.example")
    assert settings.upstreams["box"].local is True
    assert settings.routes[0].to[0].upstream == "box"


def test_one_key_of_an_upstream_can_be_added_to_the_file(loading):
    upstream = loading("upstreams: {openai: {preset: openai}}", ELUVIX_UPSTREAMS__OPENAI__MAX_CONNECTIONS="3").settings.upstreams["openai"]
    assert (upstream.preset, upstream.max_connections) == ("openai", 3)


def test_the_more_precise_variable_wins_whatever_their_order(loading):
    whole, part = {"ELUVIX_UPSTREAMS": '{"a": {"url": "http://h/1", "kind": "openai"}}'}, {"ELUVIX_UPSTREAMS__A__URL": "http://h/2"}
    for environ in ({**whole, **part}, {**part, **whole}):
        upstream = loading(**environ).settings.upstreams["a"]
        assert (upstream.url, upstream.kind) == ("http://h/2", "openai")


def test_a_list_replaces_the_list_of_the_file(loading):
    text = "server: {cors_origins: ['http://a:1', 'http://b:2']}"
    assert loading(text, ELUVIX_SERVER__CORS_ORIGINS='["http://c:3"]').settings.server.cors_origins == ("http://c:3",)


@pytest.mark.parametrize("value", ["{not json", "[x", "${NOT_SET}", "a$b", "#x"])
def test_a_password_is_taken_as_it_is_whatever_it_looks_like(loading, value):
    assert loading(ELUVIX_ADMIN_PASSWORD=value).settings.admin_password.get_secret_value() == value


@pytest.mark.parametrize("empty", ["", "  "])
def test_an_empty_variable_counts_as_not_set(loading, empty):
    settings = loading("server: {port: 1111}", ELUVIX_ADMIN_PASSWORD=empty, ELUVIX_SERVER__PORT=empty).settings
    assert (settings.admin_password, settings.server.port) == (None, 1111)


def test_entities_are_upper_case_though_the_environment_knows_no_case(loading):
    assert loading(ELUVIX_EGRESS__ENTITIES__EMAIL_ADDRESS="drop").settings.egress.entities == {"EMAIL_ADDRESS": "drop"}


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("ELUVIX_SERVER__PROT", "Did you mean ELUVIX_SERVER__PORT?"),
        ("ELUVIX_PORT", "Did you mean ELUVIX_SERVER__PORT?"),
        ("ELUVIX_ADMIN_PASWORD", "Did you mean ELUVIX_ADMIN_PASSWORD?"),
        ("ELUVIX_MEMORY__TOPK", "Did you mean ELUVIX_MEMORY__TOP_K?"),
        ("ELUVIX_UPSTREAMS__BOX__ULR", "Did you mean ELUVIX_UPSTREAMS__BOX__URL?"),
        ("ELUVIX_KEYS__0__NAME", "set ELUVIX_KEYS to JSON"),
        ("ELUVIX_SERVICE_HOST", "was ignored."),
        ("ELUVIX_SERVER__PORT__X", "was ignored."),
    ],
)
def test_an_unknown_variable_is_a_warning_with_a_hint_and_nothing_worse(loading, name, hint):
    (warning,) = loading(**{name: "tcp://10.0.0.1:3588"}).warnings
    assert name in warning
    assert warning.endswith(hint) or hint in warning
    assert "10.0.0.1" not in warning


def test_variables_of_ours_that_are_no_settings_are_known(loading):
    assert loading(ELUVIX_USER="me", ELUVIX_CONTAINER="1").warnings == ()


def test_what_is_no_json_is_a_problem_that_names_the_variable_and_not_its_value(loading):
    with pytest.raises(ConfigError) as caught:
        loading(ELUVIX_KEYS="[SECRET", ELUVIX_SERVER__PORT="SECRET")
    assert "keys (ELUVIX_KEYS): must be JSON" in str(caught.value)
    assert "server.port (ELUVIX_SERVER__PORT): must be a whole number" in str(caught.value)
    assert "SECRET" not in str(caught.value)


def test_json_of_the_wrong_form_is_a_problem(loading):
    with pytest.raises(ConfigError, match=r"upstreams \(ELUVIX_UPSTREAMS\): must hold keys and values"):
        loading(ELUVIX_UPSTREAMS=json.dumps(["a"]))


def test_a_problem_is_found_where_the_value_in_force_was_given(loading):
    routes = "routes:\n  - model: a\n    to: [b]\n"
    with pytest.raises(ConfigError, match=r"routes\.0\.to\.0 \(ELUVIX_ROUTES\)"):
        loading(routes, ELUVIX_ROUTES='{"*": "nowhere"}')
    with pytest.raises(ConfigError, match=r"routes\.0\.to\.0 \(line 3\)"):
        loading(routes, ELUVIX_SERVER__PORT="1")


def test_a_bad_flag_is_found_on_the_command_line(loading):
    with pytest.raises(ConfigError, match=r"server\.port \(command line\): must be a whole number"):
        loading("server: {port: 1}", {"server": {"port": "x"}})


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("${NAME}", "value"),
        ("a-${NAME}-b-${NAME}", "a-value-b-value"),
        ("${NAME:-other}", "value"),
        ("${NONE:-other}", "other"),
        ("${EMPTY:-other}", "other"),
        ("${NONE:-}x", "x"),
        ("$${NAME}", "${NAME}"),
        ("$NAME", "$NAME"),
        ("100$", "100$"),
    ],
)
def test_variables_in_values_are_replaced_as_in_a_shell(loading, written, expected):
    loaded = loading(f"admin_password: '{written}'", NAME="value", EMPTY="")
    assert loaded.settings.admin_password.get_secret_value() == expected


def test_variables_are_replaced_in_lists_maps_and_json(loading):
    settings = loading(
        "server: {allowed_hosts: ['${NAME}']}\nupstreams: {a: {url: 'http://${NAME}', headers: {x: '${NAME}'}}}",
        NAME="h.example",
        ELUVIX_UPSTREAMS='{"b": {"url": "http://${NAME}/b"}}',
    ).settings
    assert settings.server.allowed_hosts == ("h.example",)
    assert settings.upstreams["a"].headers["x"].get_secret_value() == "h.example"
    assert settings.upstreams["b"].url == "http://h.example/b"


def test_what_a_variable_holds_is_not_looked_through_again(loading):
    assert loading("admin_password: ${NAME}", NAME="${OTHER}").settings.admin_password.get_secret_value() == "${OTHER}"


def test_a_missing_variable_is_an_error_that_names_key_line_and_variable(loading):
    with pytest.raises(ConfigError) as caught:
        loading("server:\n  port: 1\nadmin_password: ${ONE}\nkeys: [{name: a, key: '${TWO}'}]\n")
    assert "admin_password (line 3): the environment variable ONE is not set" in str(caught.value)
    assert "keys.0.key (line 4): the environment variable TWO is not set" in str(caught.value)


@pytest.mark.parametrize("written", ["${", "${}", "${a-b}", "${1}", "x${NAME"])
def test_a_variable_that_is_written_wrongly_is_an_error(loading, written):
    with pytest.raises(ConfigError, match="names no variable"):
        loading(f"admin_password: '{written}'", NAME="value")
