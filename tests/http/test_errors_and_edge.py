"""Errors have one shape everywhere, and the middleware stands in the right order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from structlog.testing import capture_logs

from gateway.api import Edge, create_api, wrap
from gateway.api.middleware import HostRules
from tests.fakes.asgi import Recorder, call, http_scope
from tests.http.conftest import ADMIN, client_of, whole

if TYPE_CHECKING:
    import httpx2
    from starlette.types import Receive, Scope, Send

    from tests.fakes.parts import Running

HOST = ("host", "localhost")
PAGE = "https://app.example"


def shape(answer: httpx2.Response) -> set[str]:
    return set(answer.json()["error"])


@pytest.mark.parametrize("path", ["/v1/nothing", "/nothing", "/api/v1/nothing", "/", "/v1/models%00", "/v1/chat/completions/"])
async def test_an_unknown_address_is_not_found_in_openais_shape(path: str, anonymous: httpx2.AsyncClient) -> None:
    answer = await anonymous.post(path)
    assert (answer.status_code, shape(answer)) == (404, {"message", "type", "code", "param"})
    assert answer.json()["error"]["code"] == "unknown_url"


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [("POST", "/v1/models", "GET"), ("PUT", "/api/v1/memory", "GET"), ("GET", "/v1/chat/completions", "POST")],
)
async def test_a_known_address_with_another_method_says_which_it_takes(
    method: str, path: str, allowed: str, anonymous: httpx2.AsyncClient
) -> None:
    answer = await anonymous.request(method, path, headers=ADMIN)
    assert (answer.status_code, answer.json()["error"]["code"]) == (405, "method_not_allowed")
    assert allowed in answer.headers["allow"]


async def test_a_fault_of_ours_is_a_500_without_internals_and_is_logged_by_class(admin: httpx2.AsyncClient, gateway: Running) -> None:
    async def failing(user: str) -> int:
        raise RuntimeError("the sea is wide")

    gateway.store.clear = failing  # type: ignore[method-assign]
    with capture_logs() as logs:
        answer = await admin.post("/api/v1/memory", json={"action": "clear", "userId": "u1"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "internal_error")
    assert "the sea is wide" not in answer.text
    assert [type(line["exc_info"]).__name__ for line in logs if "exc_info" in line] == ["RuntimeError"]
    assert answer.headers["x-request-id"]


async def test_every_answer_has_a_request_id_refusals_too(gateway: Running) -> None:
    app = whole(gateway)
    for scope in (http_scope(path="/healthz", headers=[HOST]), http_scope(headers=[("host", "evil.example")]), http_scope(headers=[])):
        assert "x-request-id" in (await call(app, scope)).headers


async def test_a_strange_host_or_origin_is_refused_on_every_path(gateway: Running) -> None:
    app = whole(gateway)
    for path in ("/healthz", "/metrics", "/v1/models", "/api/v1/memory", "/docs", "/nothing"):
        rebound = await call(app, http_scope(path=path, headers=[("host", "evil.example")]))
        cross = await call(app, http_scope("POST", path, headers=[HOST, ("origin", "https://evil.example")]))
        opaque = await call(app, http_scope("POST", path, headers=[HOST, ("origin", "null")]))
        assert [rebound.status, cross.status, opaque.status] == [403] * 3


async def test_the_access_log_has_the_routes_template_the_request_id_and_no_user(admin: httpx2.AsyncClient) -> None:
    with capture_logs() as logs:
        await admin.get("/api/v1/memory/m77", params={"userId": "alice"}, headers={"x-request-id": "r1"})
    (line,) = [line for line in logs if line["event"] == "request"]
    assert (line["path"], line["status"]) == ("/api/v1/memory/{memory_id}", 404)
    assert "alice" not in str(logs)
    assert "m77" not in str(logs)


async def test_the_access_log_can_be_switched_off(gateway: Running) -> None:
    app = wrap(create_api(gateway.current), Edge(2**20, HostRules(), access_log=False))
    with capture_logs() as logs:
        await call(app, http_scope(path="/v1/models", headers=[HOST]))
    assert logs == []


async def test_without_origins_configured_no_page_elsewhere_may_read_anything(gateway: Running) -> None:
    result = await call(whole(gateway), http_scope(path="/healthz", headers=[HOST, ("origin", "http://localhost")]))
    assert result.status == 200
    assert not any(name.startswith("access-control") for name in result.headers)


async def test_a_configured_origin_gets_its_preflight_and_may_read_answers_and_errors(gateway: Running) -> None:
    app = wrap(create_api(gateway.current), Edge(100, HostRules(origins=(PAGE,))))
    asking = [
        HOST,
        ("origin", PAGE),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "authorization,x-stainless-os"),
    ]
    preflight = await call(app, http_scope("OPTIONS", "/v1/chat/completions", headers=asking))
    assert preflight.status == 200
    assert preflight.headers["access-control-allow-origin"] == PAGE
    assert "x-stainless-os" in preflight.headers["access-control-allow-headers"]
    for scope in (
        http_scope(path="/healthz", headers=[HOST, ("origin", PAGE)]),
        http_scope("POST", "/api/v1/memory", headers=[HOST, ("origin", PAGE), ("content-length", "101")]),
    ):
        result = await call(app, scope)
        assert result.headers["access-control-allow-origin"] == PAGE
        assert "x-eluvix-memory" in result.headers["access-control-expose-headers"]


async def test_behind_a_trusted_proxy_with_tls_a_page_of_the_gateway_is_of_the_same_origin() -> None:
    edge = Edge(100, HostRules(allowed=("gate.example",)), trusted_proxies=("127.0.0.1",))
    headers = [("host", "gate.example"), ("origin", "https://gate.example"), ("x-forwarded-proto", "https")]
    assert (await call(wrap(Recorder(), edge), http_scope(headers=headers))).status == 200
    assert (await call(wrap(Recorder(), edge), http_scope(headers=headers, client=("203.0.113.5", 1)))).status == 403


async def test_the_application_sees_paths_without_the_base_and_the_name_of_the_request() -> None:
    recorder = Recorder()
    await call(wrap(recorder, Edge(100, HostRules(), base_path="/eluvix")), http_scope(path="/eluvix/v1/chat/completions", headers=[HOST]))
    assert recorder.scopes[0]["path"] == "/v1/chat/completions"
    assert recorder.scopes[0]["state"]["request_id"].startswith("req_")


async def test_the_lifespan_reaches_the_application() -> None:
    seen = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(scope["type"])

    everything = Edge(100, HostRules(origins=(PAGE,)), base_path="/x", trusted_proxies=("127.0.0.1",))
    await call(wrap(app, everything), {"type": "lifespan"})
    assert seen == ["lifespan"]


async def test_two_gateways_live_in_one_process(gateway: Running) -> None:
    async with client_of(whole(gateway)) as one, client_of(wrap(create_api(gateway.current, docs=False), Edge(1, HostRules()))) as other:
        assert [(await client.get("/docs")).status_code for client in (one, other)] == [200, 404]
