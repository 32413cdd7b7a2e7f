"""Where settings come from, and which of them wins."""

from pathlib import Path

import pytest

from gateway.errors import ConfigError
from gateway.settings import Settings, home_folder, load, make_home

PORT_IN_FILE = "server:\n  port: 1111\n  host: 127.0.0.2\n"


def test_without_anything_the_defaults_hold(loading, home):
    loaded = loading()
    assert loaded.settings == Settings()
    assert (loaded.home, loaded.config_file, loaded.warnings) == (home, None, ())


def test_flags_win_over_the_environment_and_that_over_the_file(loading):
    port = {"ELUVIX_SERVER__PORT": "2222"}
    assert loading(PORT_IN_FILE).settings.server.port == 1111
    assert loading(PORT_IN_FILE, **port).settings.server.port == 2222
    assert loading(PORT_IN_FILE, {"server": {"port": 3333}}, **port).settings.server.port == 3333


def test_a_source_that_wins_leaves_the_other_keys_of_a_section_alone(loading):
    server = loading(PORT_IN_FILE, {"server": {"tls": "off"}}, ELUVIX_SERVER__PORT="2222").settings.server
    assert (server.host, server.port, server.tls) == ("127.0.0.2", 2222, "off")


def test_a_flag_that_was_not_given_changes_nothing(loading):
    assert loading(PORT_IN_FILE, {"server": {"port": None}}).settings.server.port == 1111


def test_the_file_in_the_home_folder_is_read_and_named(loading, home):
    assert loading(PORT_IN_FILE).config_file == home / "config.yaml"


def test_a_file_in_the_working_directory_is_never_picked_up(loading, tmp_path, monkeypatch):
    (tmp_path / "config.yaml").write_text(PORT_IN_FILE)
    monkeypatch.chdir(tmp_path)
    loaded = loading()
    assert (loaded.settings.server.port, loaded.config_file) == (3588, None)


def test_a_named_file_is_read_instead_of_the_one_in_the_home_folder(loading, home, tmp_path):
    (home / "config.yaml").write_text(PORT_IN_FILE)
    other = tmp_path / "other.yaml"
    other.write_text("server: {port: 4444}")
    assert load(other, environ={"ELUVIX_HOME": str(home)}).settings.server.port == 4444
    assert loading(ELUVIX_CONFIG=str(other)).settings.server.port == 4444


def test_a_named_file_that_is_not_there_is_an_error(home):
    with pytest.raises(ConfigError, match=r"none\.yaml cannot be read"):
        load(home / "none.yaml", environ={"ELUVIX_HOME": str(home)})


def test_the_home_folder_moves_with_its_variable_and_is_absolute(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert home_folder({"ELUVIX_HOME": "here"}) == tmp_path / "here"
    assert home_folder({}) == Path.home() / ".config" / "eluvix"


def test_a_user_without_a_home_is_told_what_to_set(monkeypatch):
    with pytest.raises(ConfigError, match="Set ELUVIX_HOME"):
        home_folder({"ELUVIX_HOME": "~nobody-has-this-name/eluvix"})


def test_the_home_folder_is_made_for_this_user_alone(tmp_path):
    made = make_home(tmp_path / "a" / "b")
    assert made.stat().st_mode & 0o777 == 0o700
    assert list(made.iterdir()) == []


def test_a_home_folder_that_cannot_be_made_is_an_error_with_the_next_step(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="set ELUVIX_HOME"):
        make_home(tmp_path / "file" / "home")


@pytest.mark.parametrize("written", ["off", "'off'", "false", "Off"])
def test_a_switch_may_be_written_in_every_usual_way(loading, written):
    if written == "Off":
        with pytest.raises(ConfigError, match="Did you mean 'off'"):
            loading("server: {tls: Off}")
        return
    assert loading(f"server: {{tls: {written}}}").settings.server.tls == "off"


def test_a_yaml_1_1_document_may_say_off_as_well(loading):
    assert loading("%YAML 1.1\n---\ncache: {mode: on}\negress: {ner: off}\n").settings.cache.mode == "on"


def test_the_spellings_of_the_documents_are_accepted(loading):
    settings = loading("memory: {topK: 7, maxTokens: 70}\negress: {cloudMode: strip}\n").settings
    assert (settings.memory.top_k, settings.memory.max_tokens, settings.egress.cloud_mode) == (7, 70, "strip")


def test_another_spelling_in_a_higher_source_still_wins(loading):
    assert loading("memory: {topK: 7}", ELUVIX_MEMORY__TOP_K="8").settings.memory.top_k == 8


def test_keys_without_a_value_keep_their_defaults(loading):
    assert loading("server:\nmemory:\n  sqlite:\n  top_k:\n  summarizer:\nupstreams:\nkeys:\n").settings == Settings()


@pytest.mark.parametrize("text", ["", "# only a comment\n", "---\n", "\ufeffserver:\n"])
def test_an_empty_file_is_no_problem(loading, text):
    assert loading(text).settings == Settings()


def test_anchors_and_merge_keys_work(loading):
    text = """
upstreams:
  one: &base {url: "http://127.0.0.1:1/v1", max_connections: 9}
  two:
    <<: *base
    url: "http://127.0.0.1:2/v1"
"""
    upstreams = loading(text).settings.upstreams
    assert (upstreams["two"].url, upstreams["two"].max_connections) == ("http://127.0.0.1:2/v1", 9)


def test_routes_may_be_a_list_or_a_short_mapping(loading):
    upstreams = "upstreams: {a: {url: 'http://127.0.0.1:1'}, b: {url: 'http://127.0.0.1:2'}}\n"
    short = loading(upstreams + "routes: {x: a, 'y*': [a, b], z: {upstream: b, model: zz}}").settings.routes
    long = loading(
        upstreams + "routes: [{model: x, to: [a]}, {model: 'y*', to: [a, {upstream: b}]}, {model: z, to: [{upstream: b, model: zz}]}]"
    ).settings.routes
    assert short == long
    assert [route.model for route in short] == ["x", "y*", "z"]


def test_relative_file_names_start_from_the_folder_of_the_file(loading, home, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    text = "server: {certificate: certs/a.pem, certificate_key: ~/b.key}\nmemory: {sqlite: {path: /var/m.db}}"
    settings = loading(text).settings
    assert settings.server.certificate == home / "certs/a.pem"
    assert settings.server.certificate_key == tmp_path / "me" / "b.key"
    assert settings.memory.sqlite.path == Path("/var/m.db")
    assert loading(text, ELUVIX_MEMORY__SQLITE__PATH="m.db").settings.memory.sqlite.path == tmp_path / "m.db"


def test_a_text_left_empty_where_none_is_needed_counts_as_not_given(loading):
    settings = loading("admin_password: ''\nserver: {certificate: '', certificate_key: ''}").settings
    assert settings == Settings()


def test_anchored_values_become_plain_python(loading):
    settings = loading("memory: {sticky: &no false}\nserver: {tls: *no, max_body_mib: &size 1.5}\ncache: {max_mib: *size}").settings
    assert (settings.memory.sticky, settings.server.tls) == (False, "off")
    assert type(settings.cache.max_mib) is float
