"""Upstreams that list what a test says and are never sent anything, and a clock that stands still."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from gateway.errors import UpstreamUnavailable
from gateway.upstreams.base import ModelInfo, UpstreamConfig

if TYPE_CHECKING:
    from gateway.turn import Outbound
    from gateway.upstreams.base import Answer


class FakeUpstream:
    """`listing` is what it answers; None = it is down. While `gate` is not set, it does not answer at all."""

    def __init__(self, name: str, *models: str, local: bool = False, cloud_models: tuple[str, ...] = (), down: bool = False) -> None:
        self.config = UpstreamConfig(name, "fake", "http://127.0.0.1:1/v1", local=local, cloud_models=cloud_models)
        self.listing: list[ModelInfo] | None = None if down else [ModelInfo(model) for model in models]
        self.problem: Exception = UpstreamUnavailable("down")
        self.asked = 0
        self.begun = asyncio.Event()
        self.cancelled = False
        self.gate = asyncio.Event()
        self.gate.set()

    def offer(self, *models: str) -> None:
        self.listing = [ModelInfo(model) for model in models]

    async def models(self) -> list[ModelInfo]:
        self.asked += 1
        self.begun.set()
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        if self.listing is None:
            raise self.problem
        return self.listing

    async def send(self, outbound: Outbound) -> Answer:
        raise NotImplementedError

    async def close(self) -> None:
        """Nothing is open."""


class FakeClock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def by_name(*upstreams: FakeUpstream) -> dict[str, FakeUpstream]:
    return {upstream.config.name: upstream for upstream in upstreams}
