from __future__ import annotations

from fnmatch import fnmatchcase

from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.routing.globs import Globs
from gateway.routing.routes import Route, Routes, RouteTarget

PATTERN = st.text(alphabet="ab*?[]!-/", max_size=6)
NAME = st.text(alphabet="ab/-\n", max_size=6)


def _routes(*patterns: str) -> Routes:
    return Routes(Route(pattern, (RouteTarget(f"up{number}"),)) for number, pattern in enumerate(patterns))


def _led(routes: Routes, model: str) -> str | None:
    route = routes.match(model)
    return None if route is None else route.targets[0].upstream


def test_an_exact_name_finds_its_route() -> None:
    assert _led(_routes("gpt-4o", "llama3"), "llama3") == "up1"


def test_a_name_that_no_route_knows_finds_none() -> None:
    assert _routes("gpt-4o", "claude-*").match("llama3") is None


def test_a_glob_before_an_exact_name_wins() -> None:
    assert _led(_routes("gpt-*", "gpt-4o"), "gpt-4o") == "up0"


def test_an_exact_name_before_a_glob_wins() -> None:
    assert _led(_routes("gpt-4o", "gpt-*"), "gpt-4o") == "up0"
    assert _led(_routes("gpt-4o", "gpt-*"), "gpt-5") == "up1"


def test_the_first_of_two_routes_for_one_name_wins() -> None:
    assert _led(_routes("same", "same"), "same") == "up0"


def test_case_counts_and_a_star_crosses_slashes() -> None:
    assert _led(_routes("GPT-*"), "gpt-4o") is None
    assert _led(_routes("openrouter/*"), "openrouter/meta/llama") == "up0"


def test_only_routes_without_wildcards_are_aliases() -> None:
    assert _routes("gpt-*", "fast", "smart", "fast", "a[bc]", "x?").aliases == ("fast", "smart")


def test_every_route_is_listed_as_configured() -> None:
    assert [route.pattern for route in _routes("b", "a*", "b").all] == ["b", "a*", "b"]


@settings(deadline=None)
@given(patterns=st.lists(PATTERN, max_size=5), model=NAME)
def test_the_match_is_always_the_first_route_that_the_shell_would_match(patterns: list[str], model: str) -> None:
    expected = next((number for number, pattern in enumerate(patterns) if fnmatchcase(model, pattern)), None)
    assert _led(_routes(*patterns), model) == (None if expected is None else f"up{expected}")


@settings(deadline=None)
@given(patterns=st.lists(PATTERN, max_size=5), name=NAME)
def test_a_set_of_globs_matches_when_any_of_them_does(patterns: list[str], name: str) -> None:
    assert Globs(patterns).matches(name) == any(fnmatchcase(name, pattern) for pattern in patterns)


def test_a_set_of_globs_tells_its_plain_names_apart() -> None:
    globs = Globs(("b", "a", "c*", "b"))
    assert (globs.names, globs.wild) == (("b", "a"), True)
    assert not Globs(("a",)).wild
