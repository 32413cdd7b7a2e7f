"""Whether the process lives, whether it can do its work, and its figures."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Literal

import orjson
from fastapi import APIRouter, Request
from prometheus_client.exposition import choose_encoder
from starlette.responses import Response

from gateway.api.access import caller_of, from_this_machine, is_admin
from gateway.errors import Forbidden, NotFound
from gateway.parts import Parts

MetricsAccess = Literal["admin", "public", "off"]

CHECK_S = 2.0
"""How long a check may take before it counts as failed, seconds."""

Check = dict[str, Any]
"""`{"ok": bool}` and what else there is to say, without secrets."""


def health_routes(current: Callable[[], Parts], metrics: MetricsAccess) -> APIRouter:
    """`/healthz`, `/readyz` and `/metrics`."""
    router = APIRouter(tags=["health"])

    @router.get("/healthz", summary="Is the process alive?")
    @router.head("/healthz", include_in_schema=False)
    async def healthz() -> dict[str, str]:
        return {"status": "ok"}

    @router.get("/readyz", summary="Can it do its work?")
    @router.head("/readyz", include_in_schema=False)
    async def readyz(request: Request) -> Response:
        """200 or 503. The single checks are told to this machine and to holders of the admin password only."""
        parts = current()
        checks = await _checks(parts)
        ready = all(check["ok"] for check in checks.values())
        answer: dict[str, Any] = {"status": "ready" if ready else "unavailable"}
        if is_admin(parts, request):
            answer["checks"] = checks
        return Response(orjson.dumps(answer), 200 if ready else 503, media_type="application/json")

    @router.get("/metrics", summary="Figures for Prometheus", response_class=Response)
    async def figures(request: Request) -> Response:
        """For this machine and holders of the admin password, unless `server.metrics` says otherwise."""
        parts = current()
        _admit(parts, request, metrics)
        await _within(_report_outbox(parts))
        encode, media_type = choose_encoder(request.headers.get("accept", ""))
        return Response(encode(parts.metrics.registry), headers={"content-type": media_type})

    return router


def _admit(parts: Parts, request: Request, metrics: MetricsAccess) -> None:
    if metrics == "off":
        message = "Metrics are switched off. Set server.metrics to `admin` or `public` to have them."
        raise NotFound(message, code="metrics_off")
    if metrics == "public" or from_this_machine(request):
        return
    if not caller_of(parts, request).admin:
        message = "Metrics are for the admin password. Send it, or set server.metrics to `public`."
        raise Forbidden(message, code="admin_only")


async def _checks(parts: Parts) -> dict[str, Check]:
    checks = (_provider(parts), _outbox(parts), _upstreams(parts))
    provider, outbox, upstreams = await asyncio.gather(*(_within(check) for check in checks))
    return {"memory": provider, "outbox": outbox, "upstreams": upstreams}


async def _within(check: Awaitable[Check]) -> Check:
    """The check's result; one that fails or takes too long is not ok, and says no more than what kind of failure it was."""
    try:
        async with asyncio.timeout(CHECK_S):
            return await check
    except Exception as error:
        return {"ok": False, "error": type(error).__name__}


async def _provider(parts: Parts) -> Check:
    health = await parts.provider.health()
    return {"ok": health.ok, "provider": parts.provider.name, "detail": health.detail}


async def _outbox(parts: Parts) -> Check:
    counts = await parts.outbox.counts()
    return {"ok": True, "pending": counts.pending, "dead": counts.dead, "oldestSeconds": round(counts.oldest_s, 1)}


async def _upstreams(parts: Parts) -> Check:
    """Ok once every upstream was asked for its models. One that is silent is told, and does not make the gateway unready."""
    return {"ok": parts.catalog.settled, "models": len(parts.catalog.known()), "silent": list(parts.catalog.silent)}


async def _report_outbox(parts: Parts) -> Check:
    counts = await parts.outbox.counts()
    parts.metrics.outbox(counts.pending, counts.dead, counts.oldest_s)
    return {"ok": True}
