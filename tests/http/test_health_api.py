"""Health, readiness and figures, and who is told what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest

from gateway.api import Edge, create_api, wrap
from gateway.api.middleware import HostRules
from tests.fakes.parts import ANYONES_KEY, PASSWORD, running
from tests.http.conftest import ADMIN, client_of, whole

if TYPE_CHECKING:
    import httpx2
    from starlette.types import ASGIApp

    from tests.fakes.parts import Running

AFAR = ("203.0.113.5", 40000)
PROXY = ("10.0.0.1", 40000)


def with_metrics(gateway: Running, metrics: Literal["admin", "public", "off"]) -> ASGIApp:
    return wrap(create_api(gateway.current, metrics=metrics), Edge(2**20, HostRules(), trusted_proxies=("10.0.0.0/8",)))


async def test_a_living_process_says_so(anonymous: httpx2.AsyncClient) -> None:
    assert (await anonymous.get("/healthz")).json() == {"status": "ok"}
    assert (await anonymous.head("/healthz")).status_code == 200


async def test_a_gateway_that_can_work_is_ready_and_this_machine_is_told_the_checks(anonymous: httpx2.AsyncClient) -> None:
    answer = await anonymous.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (200, "ready")
    assert answer.json()["checks"] == {
        "memory": {"ok": True, "provider": "in-memory", "detail": "ready"},
        "outbox": {"ok": True, "pending": 0, "dead": 0, "oldestSeconds": 1.5},
        "upstreams": {"ok": True, "models": 2, "silent": []},
    }


@pytest.mark.parametrize("broken", ["memory", "outbox", "upstreams"])
async def test_a_gateway_that_cannot_work_is_not_ready(broken: str, anonymous: httpx2.AsyncClient, gateway: Running) -> None:
    async def failing() -> None:
        raise OSError("the sea is wide")

    gateway.store.down = broken == "memory"
    gateway.catalog.settled = broken != "upstreams"
    if broken == "outbox":
        gateway.outbox.counts = failing  # type: ignore[assignment,method-assign]
    answer = await anonymous.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (503, "unavailable")
    assert [name for name, check in answer.json()["checks"].items() if not check["ok"]] == [broken]
    assert "the sea is wide" not in answer.text


async def test_a_client_elsewhere_is_told_no_more_than_the_status_unless_it_has_the_password(gateway: Running) -> None:
    async with client_of(whole(gateway), AFAR) as client:
        assert (await client.get("/readyz")).json() == {"status": "ready"}
        assert (await client.get("/readyz", headers={"authorization": f"Bearer {ANYONES_KEY}"})).json() == {"status": "ready"}
        assert (await client.get("/readyz", headers={"authorization": "Bearer wrong"})).json() == {"status": "ready"}
        assert "checks" in (await client.get("/readyz", headers=ADMIN)).json()


async def test_figures_are_for_this_machine_and_the_admin(gateway: Running) -> None:
    gateway.metrics.cache("hit")
    async with client_of(whole(gateway)) as here, client_of(whole(gateway), AFAR) as afar:
        answer = await here.get("/metrics")
        assert answer.headers["content-type"].startswith("text/plain")
        assert 'eluvix_cache_total{outcome="hit"} 1.0' in answer.text
        assert "eluvix_outbox_oldest_seconds 1.5" in answer.text
        assert (await afar.get("/metrics")).status_code == 401
        assert (await afar.get("/metrics", headers={"authorization": f"Bearer {ANYONES_KEY}"})).status_code == 403
        assert (await afar.get("/metrics", headers=ADMIN)).status_code == 200


async def test_figures_come_in_openmetrics_when_asked_for(anonymous: httpx2.AsyncClient) -> None:
    answer = await anonymous.get("/metrics", headers={"accept": "application/openmetrics-text; version=1.0.0"})
    assert answer.headers["content-type"].startswith("application/openmetrics-text")
    assert answer.text.endswith("# EOF\n")


async def test_figures_may_be_public_or_off(gateway: Running) -> None:
    async with client_of(with_metrics(gateway, "public"), AFAR) as client:
        assert (await client.get("/metrics")).status_code == 200
    async with client_of(with_metrics(gateway, "off")) as client:
        assert (await client.get("/metrics", headers=ADMIN)).status_code == 404


@pytest.mark.parametrize("forwarded", ["203.0.113.5", "127.0.0.1, 203.0.113.5", "203.0.113.5, 10.0.0.2", "", ", ", "127.0.0.1"])
async def test_behind_a_trusted_proxy_the_clients_address_counts(forwarded: str, gateway: Running) -> None:
    async with client_of(with_metrics(gateway, "admin"), PROXY) as client:
        assert (await client.get("/metrics", headers={"x-forwarded-for": forwarded})).status_code == 401


@pytest.mark.parametrize("header", ["x-forwarded-for", "forwarded", "x-real-ip", "via"])
async def test_behind_a_proxy_on_this_machine_that_nobody_told_us_of_nobody_counts_as_local(header: str, gateway: Running) -> None:
    async with client_of(whole(gateway)) as client:
        assert (await client.get("/metrics", headers={header: "127.0.0.1"})).status_code == 401


async def test_a_stranger_cannot_claim_to_be_this_machine(gateway: Running) -> None:
    async with client_of(with_metrics(gateway, "admin"), AFAR) as client:
        assert (await client.get("/metrics", headers={"x-forwarded-for": "127.0.0.1"})).status_code == 401


async def test_no_user_and_no_key_ever_becomes_a_label(gateway: Running) -> None:
    async with client_of(whole(gateway)) as client:
        await client.get("/api/v1/memory", params={"userId": "someone"}, headers=ADMIN)
        figures = (await client.get("/metrics")).text
    assert not any(word in figures for word in ("someone", PASSWORD, "bobs"))


async def test_without_any_password_set_nobody_is_admin_from_afar() -> None:
    async with client_of(whole(running(password=None)), AFAR) as client:
        assert (await client.get("/metrics", headers={"authorization": "Bearer "})).status_code == 401
