"""The API's documentation, with everything it needs served from here: it works offline and calls nobody."""

from importlib.resources import files
from importlib.resources.abc import Traversable

from fastapi import APIRouter, FastAPI
from starlette.responses import Response

from gateway.api.openapi import document
from gateway.errors import NotFound

ASSETS = {
    "swagger-ui-bundle.js": "text/javascript",
    "swagger-ui.css": "text/css",
    "favicon.png": "image/png",
}
"""File of the package fastapi-offline -> its media type. Only these are served."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Content-Security-Policy of the page: the browser itself refuses anything from elsewhere."""

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Eluvix API</title>
<link rel="icon" href="docs/favicon.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<main id="swagger-ui"></main>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
"""
"""Addresses are relative, so that the page also works under a base path."""

START = """SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
});
"""
"""`validatorUrl: null`: without it the page asks a validator on the internet."""


def docs_routes(app: FastAPI, base_path: str) -> APIRouter:
    """`/docs` and `/openapi.json` for `app`."""
    router = APIRouter(include_in_schema=False)
    assets = files("fastapi_offline") / "static"

    @router.get("/openapi.json")
    async def openapi() -> dict[str, object]:
        return document(app, base_path)

    @router.get("/docs")
    async def page() -> Response:
        headers = {"content-security-policy": POLICY, "referrer-policy": "no-referrer", "x-content-type-options": "nosniff"}
        return Response(PAGE, media_type="text/html", headers=headers)

    @router.get("/docs/start.js")
    async def start() -> Response:
        return _file(START.encode(), "text/javascript")

    @router.get("/docs/{name}")
    def asset(name: str) -> Response:
        return _file(_read(assets, name), ASSETS[name])

    return router


def _read(assets: Traversable, name: str) -> bytes:
    if name not in ASSETS:
        message = "The documentation has no such file."
        raise NotFound(message, code="unknown_url")
    return (assets / name).read_bytes()


def _file(content: bytes, media_type: str) -> Response:
    headers = {"cache-control": "public, max-age=3600", "x-content-type-options": "nosniff"}
    return Response(content, media_type=media_type, headers=headers)
