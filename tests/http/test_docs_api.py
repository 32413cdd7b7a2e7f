"""The documentation works offline, and covers the endpoints that FastAPI does not know."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import pytest

from gateway.api import Edge, create_api, wrap
from gateway.api.middleware import HostRules
from tests.http.conftest import client_of

if TYPE_CHECKING:
    import httpx2

    from tests.fakes.parts import Running


async def test_the_page_and_its_script_name_no_other_host(anonymous: httpx2.AsyncClient) -> None:
    page = await anonymous.get("/docs")
    script = await anonymous.get("/docs/start.js")
    assert page.headers["content-type"].startswith("text/html")
    for text in (page.text, script.text):
        assert "//" not in text.replace("<!--", "")
    assert "<script>" not in page.text


async def test_the_page_forbids_the_browser_to_fetch_anything_from_elsewhere(anonymous: httpx2.AsyncClient) -> None:
    policy = (await anonymous.get("/docs")).headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert not re.search(r"https?:|\*|'unsafe-eval'", policy)


async def test_everything_that_the_page_names_is_served_from_here(anonymous: httpx2.AsyncClient) -> None:
    page = await anonymous.get("/docs")
    script = await anonymous.get("/docs/start.js")
    named = re.findall(r'(?:src|href)="([^"]+)"', page.text) + re.findall(r'url: "([^"]+)"', script.text)
    assert len(named) == 5
    for address in named:
        answer = await anonymous.get(urljoin("/docs", address))
        assert (answer.status_code, bool(answer.content)) == (200, True)


async def test_the_style_sheet_fetches_nothing_from_elsewhere(anonymous: httpx2.AsyncClient) -> None:
    css = (await anonymous.get("/docs/swagger-ui.css")).text
    targets = re.findall(r"url\(\s*[\"']?([^\"')]{0,40})", css) + re.findall(r"@import[^;]{0,60}", css)
    assert targets
    assert all(target.startswith("data:") for target in targets)


@pytest.mark.parametrize("name", ["redoc.standalone.js", "..%2f__init__.py", "../core.py", "nothing"])
async def test_no_other_file_is_served(name: str, anonymous: httpx2.AsyncClient) -> None:
    assert (await anonymous.get(f"/docs/{name}")).status_code == 404


async def test_the_document_covers_the_model_endpoints_and_the_memory_api(anonymous: httpx2.AsyncClient) -> None:
    document = (await anonymous.get("/openapi.json")).json()
    expected = {
        "/v1/chat/completions": {"post"},
        "/v1/completions": {"post"},
        "/v1/embeddings": {"post"},
        "/v1/models": {"get"},
        "/v1/models/{model_id}": {"get"},
        "/api/v1/memory": {"get", "post"},
        "/api/v1/memory/preview": {"get"},
        "/api/v1/memory/export": {"get"},
        "/api/v1/memory/import": {"post"},
        "/api/v1/memory/commits/{commit_id}": {"get"},
        "/api/v1/memory/{memory_id}": {"get", "patch", "delete"},
        "/healthz": {"get"},
        "/readyz": {"get"},
        "/metrics": {"get"},
    }
    assert {path: set(item) for path, item in document["paths"].items()} == expected
    operations = [operation for item in document["paths"].values() for operation in item.values()]
    assert all("422" not in operation["responses"] and "default" in operation["responses"] for operation in operations)
    names = [operation["operationId"] for operation in operations]
    assert len(set(names)) == len(names)


async def test_every_reference_in_the_document_leads_somewhere(anonymous: httpx2.AsyncClient) -> None:
    answer = await anonymous.get("/openapi.json")
    schemas = answer.json()["components"]["schemas"]
    references = set(re.findall(r'"\$ref":"#/components/schemas/(\w+)"', answer.text))
    assert references
    assert references <= set(schemas)
    assert '"$ref":"#/$defs' not in answer.text


async def test_bodies_are_described_with_the_names_that_they_have_on_the_wire(anonymous: httpx2.AsyncClient) -> None:
    paths = (await anonymous.get("/openapi.json")).json()["paths"]
    kinds = paths["/api/v1/memory"]["post"]["requestBody"]["content"]["application/json"]["schema"]["oneOf"]
    assert [kind["properties"]["action"]["const"] for kind in kinds] == ["add", "commit", "clear"]
    assert {"userId", "createdAt"} <= set(kinds[0]["properties"])


async def test_under_a_base_path_the_document_names_it_and_the_page_works(gateway: Running) -> None:
    app = wrap(create_api(gateway.current, base_path="/eluvix"), Edge(2**20, HostRules(), base_path="/eluvix"))
    async with client_of(app) as client:
        assert (await client.get("/eluvix/openapi.json")).json()["servers"] == [{"url": "/eluvix"}]
        assert (await client.get("/eluvix/docs")).status_code == 200
        assert (await client.get("/eluvix/docs/swagger-ui.css")).status_code == 200


async def test_switched_off_there_is_no_documentation(gateway: Running) -> None:
    async with client_of(wrap(create_api(gateway.current, docs=False), Edge(2**20, HostRules()))) as client:
        for path in ("/docs", "/openapi.json", "/docs/swagger-ui.css", "/redoc"):
            assert (await client.get(path)).status_code == 404
