"""The OpenAPI document: FastAPI's routes, and by hand the model endpoints, which are plain ASGI and unknown to FastAPI."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi.openapi.utils import get_openapi

if TYPE_CHECKING:
    from fastapi import FastAPI

DESCRIPTION = """An OpenAI-compatible gateway that gives any chat client a memory and keeps that memory at home.

Chat clients use `/v1` with a gateway key. The memory API takes the admin password, or a key for its own user's memories."""

MODEL_ENDPOINTS = {
    "/v1/chat/completions": ("Chat completion", "messages"),
    "/v1/completions": ("Text completion", "prompt"),
    "/v1/embeddings": ("Embeddings", "input"),
}
"""Path -> what it does, and the field that it needs beside `model`."""

REQUEST_HEADERS = {
    "x-eluvix-user": "The user whose memories are used. Without one, and without a key bound to one, there is no memory.",
    "x-eluvix-memory": "`off`: neither recall nor commit. `read`: no commit. `write`: no recall.",
    "x-eluvix-session": "Names the conversation.",
    "x-eluvix-cache": "`on` asks for a cached answer where the gateway caches only when asked.",
    "x-request-id": "Your name for this request, 1-128 of letters, digits, `.`, `_`, `-`.",
}

RESPONSE_HEADERS = {
    "x-eluvix-memory": "What recall did: `hit;N` (N memories in the block as sent), `miss`, `off;...`, `error;...`.",
    "x-eluvix-memory-tokens": "Tokens of the block as it was sent, 0 when there was none.",
    "x-eluvix-cache": "`hit`, `miss` or `bypass`.",
    "x-eluvix-upstream": "The upstream that answered.",
    "x-eluvix-overhead-ms": "Milliseconds that the gateway itself added.",
    "x-request-id": "The name of this request.",
}

ERROR_SCHEMA = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["message", "type", "param", "code"],
            "properties": {
                "message": {"type": "string"},
                "type": {"type": "string"},
                "param": {"type": ["string", "null"]},
                "code": {"type": ["string", "null"]},
            },
        }
    },
}

_ERROR = {
    "description": "What went wrong and what to do about it.",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
}


def document(app: FastAPI, base_path: str) -> dict[str, Any]:
    """The whole document, made once and kept with `app`."""
    if app.openapi_schema is None:
        schema = get_openapi(title=app.title, version=app.version, description=DESCRIPTION, routes=app.routes)
        paths = {path: {"post": _model_endpoint(path)} for path in MODEL_ENDPOINTS} | schema["paths"]
        app.openapi_schema = schema | {
            "paths": {path: _with_errors(item) for path, item in paths.items()},
            "servers": [{"url": base_path or "/"}],
            "security": [{"bearer": []}],
            "components": _components(schema.get("components", {})),
        }
    return app.openapi_schema


def _components(generated: dict[str, Any]) -> dict[str, Any]:
    schemas = {name: schema for name, schema in generated.get("schemas", {}).items() if "ValidationError" not in name}
    bearer = {"type": "http", "scheme": "bearer", "description": "A gateway key, or the admin password."}
    return {"schemas": schemas | {"Error": ERROR_SCHEMA}, "securitySchemes": {"bearer": bearer}}


def _with_errors(item: dict[str, Any]) -> dict[str, Any]:
    """Says of every operation how it fails, in place of FastAPI's own 422, which this API never sends."""
    for operation in item.values():
        responses = operation["responses"]
        responses.pop("422", None)
        responses["default"] = _ERROR
    return item


def _model_endpoint(path: str) -> dict[str, Any]:
    summary, field = MODEL_ENDPOINTS[path]
    kinds = {"application/json": {"schema": {"type": "object"}}}
    if field != "input":
        kinds["text/event-stream"] = {"schema": {"type": "string"}}
    return {
        "tags": ["models"],
        "summary": summary,
        "operationId": path.removeprefix("/v1/").replace("/", "_"),
        "parameters": [_header(name, text) | {"name": name, "in": "header"} for name, text in REQUEST_HEADERS.items()],
        "requestBody": {"required": True, "content": {"application/json": {"schema": _body(field)}}},
        "responses": {
            "200": {
                "description": "The upstream's answer, as it came.",
                "headers": {name: _header(name, text) for name, text in RESPONSE_HEADERS.items()},
                "content": kinds,
            }
        },
    }


def _header(name: str, text: str) -> dict[str, Any]:
    kind = "integer" if name.endswith("-tokens") else "string"
    return {"description": text, "schema": {"type": kind}}


def _body(field: str) -> dict[str, Any]:
    """OpenAI's own fields, all of them: what is not named here is passed on as it is."""
    properties: dict[str, Any] = {"model": {"type": "string"}, field: {}}
    if field == "messages":
        properties[field] = {"type": "array", "items": {"type": "object"}}
    if field != "input":
        properties["stream"] = {"type": "boolean", "default": False}
    return {"type": "object", "required": ["model", field], "properties": properties, "additionalProperties": True}
