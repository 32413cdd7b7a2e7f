"""HTTP: everything but the model endpoints as a FastAPI application, and the middleware around the whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from gateway import __version__
from gateway.api.docs import docs_routes
from gateway.api.errors import add_error_handlers
from gateway.api.health import MetricsAccess, health_routes
from gateway.api.memory import memory_routes
from gateway.api.middleware import AccessLog, BasePath, BodyLimit, ErrorBoundary, HostCheck, HostRules, RequestId
from gateway.api.models import model_routes

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp

    from gateway.parts import Parts

EXPOSED = ("x-request-id", "x-eluvix-memory", "x-eluvix-memory-tokens", "x-eluvix-cache", "x-eluvix-upstream", "retry-after")
"""Response headers that a page of an allowed origin may read."""


@dataclass(frozen=True, slots=True)
class Edge:
    """How the outside reaches the gateway, in plain values."""

    max_body: int
    """Bytes."""
    hosts: HostRules
    base_path: str = ""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses and networks whose `x-forwarded-for` and `x-forwarded-proto` are believed."""
    access_log: bool = True


def create_api(current: Callable[[], Parts], *, docs: bool = True, metrics: MetricsAccess = "admin", base_path: str = "") -> FastAPI:
    """Everything but the model endpoints. `current` gives the parts in use when a request comes in."""
    app = FastAPI(
        title="Eluvix",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
    )
    add_error_handlers(app)
    app.include_router(model_routes(current))
    app.include_router(memory_routes(current))
    app.include_router(health_routes(current, metrics))
    if docs:
        app.include_router(docs_routes(app, base_path))
    return app


def wrap(app: ASGIApp, edge: Edge) -> ASGIApp:
    """Puts the middleware around `app`, the innermost first here.

    The server must be started without its own handling of proxy headers (uvicorn: `proxy_headers=False`).
    """
    app = ErrorBoundary(BodyLimit(app, edge.max_body))
    if edge.hosts.origins:
        app = CORSMiddleware(app, edge.hosts.origins, ["*"], ["*"], expose_headers=EXPOSED, allow_private_network=True)
    app = HostCheck(app, edge.hosts)
    if edge.base_path:
        app = BasePath(app, edge.base_path)
    if edge.access_log:
        app = AccessLog(app)
    app = RequestId(app)
    if edge.trusted_proxies:
        app = ProxyHeadersMiddleware(app, list(edge.trusted_proxies))  # type: ignore[arg-type,assignment]
    return app
