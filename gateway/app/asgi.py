"""The ASGI application: the hot path in front of FastAPI."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.api import Edge, create_api, wrap
from gateway.api.chat import ModelEndpoint
from gateway.api.middleware import HostRules

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from gateway.app.gateway import Gateway
    from gateway.settings import Settings
    from gateway.turn import Endpoint

MODEL_ENDPOINTS: tuple[Endpoint, ...] = ("/chat/completions", "/completions", "/embeddings")


def create_app(settings: Settings, gateway: Gateway) -> ASGIApp:
    """The whole application on a gateway that whoever serves it starts before and stops afterwards."""
    server = settings.server
    api = create_api(gateway.parts, docs=server.docs == "on", metrics=server.metrics, base_path=server.base_path)
    max_body = int(server.max_body_mib * 2**20)
    app = _hot_path(api, {f"/v1{path}": ModelEndpoint(path, gateway.parts, max_body) for path in MODEL_ENDPOINTS})
    edge = Edge(
        max_body=max_body,
        hosts=HostRules(server.host, server.allowed_hosts, server.cors_origins),
        base_path=server.base_path,
        trusted_proxies=server.trusted_proxies,
        access_log=settings.log.access,
    )
    return wrap(app, edge)


def _hot_path(api: ASGIApp, endpoints: dict[str, ModelEndpoint]) -> ASGIApp:
    """POST to a model endpoint goes past FastAPI."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "POST":
            endpoint = endpoints.get(scope["path"])
            if endpoint is not None:
                await endpoint(scope, receive, send)
                return
        await api(scope, receive, send)

    return app
