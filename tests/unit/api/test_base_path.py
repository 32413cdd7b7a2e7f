"""The gateway under a path of its own."""

from __future__ import annotations

import pytest

from gateway.api.middleware import BasePath
from tests.fakes.asgi import Recorder, call, http_scope


@pytest.mark.parametrize(
    ("path", "inside"),
    [
        ("/eluvix/v1/models", "/v1/models"),
        ("/eluvix", "/"),
        ("/eluvix/", "/"),
        ("/v1/models", "/v1/models"),
        ("/eluvixx/v1", "/eluvixx/v1"),
    ],
)
async def test_the_base_is_taken_off_and_may_be_missing(path: str, inside: str) -> None:
    recorder = Recorder()
    await call(BasePath(recorder, "/eluvix"), http_scope(path=path))
    assert (recorder.scopes[0]["path"], recorder.scopes[0]["raw_path"]) == (inside, inside.encode())


async def test_a_base_that_looks_like_one_of_our_paths_is_taken_off_once() -> None:
    recorder = Recorder()
    await call(BasePath(recorder, "/v1/"), http_scope(path="/v1/v1/models"))
    assert recorder.scopes[0]["path"] == "/v1/models"
