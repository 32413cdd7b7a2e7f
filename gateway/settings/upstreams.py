"""Checking what is said about each upstream."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.errors import ConfigError
from gateway.settings.problems import Problem, did_you_mean
from gateway.upstreams import UPSTREAMS
from gateway.upstreams.presets import PRESETS
from gateway.upstreams.wire.origin import parse_origin, parse_proxy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from gateway.settings.model import UpstreamSettings

BUILT_IN = ("inspect", "inspect-cloud")
"""Upstreams that are always there."""


def upstream_problems(upstreams: Mapping[str, UpstreamSettings]) -> Iterator[Problem]:
    """Everything that keeps one of them from being used."""
    for name, upstream in upstreams.items():
        path = f"upstreams.{name}"
        if name in BUILT_IN:
            yield Problem(path, "this name is taken by a built-in upstream. Choose another.")
        if upstream.kind not in UPSTREAMS:
            yield Problem(f"{path}.kind", f"there is no kind {upstream.kind!r}. {did_you_mean(upstream.kind, UPSTREAMS)}")
        if upstream.preset is not None and upstream.preset not in PRESETS:
            yield Problem(f"{path}.preset", f"there is no preset {upstream.preset!r}. {did_you_mean(upstream.preset, PRESETS)}")
        yield from _address_problems(name, path, upstream)


def _address_problems(name: str, path: str, upstream: UpstreamSettings) -> Iterator[Problem]:
    if upstream.url is None and upstream.preset is None:
        hint = f"`preset: {name}`" if name in PRESETS else "a `preset`"
        yield Problem(path, f"say where it is with `url: http://host:port/v1`, or name {hint}.")
    if upstream.url is not None:
        yield from _url_problems(f"{path}.url", parse_origin, name, upstream.url)
    if upstream.proxy:
        yield from _url_problems(f"{path}.proxy", parse_proxy, name, upstream.proxy.get_secret_value())


def _url_problems(path: str, parse: Callable[[str, str], object], name: str, url: str) -> Iterator[Problem]:
    try:
        parse(name, url)
    except ConfigError as error:
        yield Problem(path, str(error).removeprefix(f"upstream {name!r}: "))
