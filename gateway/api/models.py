"""`GET /v1/models`: what can be asked for as `model`."""

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, HTTPException, Request

from gateway.api.openapi import MODEL_ENDPOINTS
from gateway.errors import NotFound
from gateway.parts import Parts


def model_routes(current: Callable[[], Parts]) -> APIRouter:
    """The list of models and the single model, for whoever may use the gateway."""
    router = APIRouter(tags=["models"])

    @router.get("/v1/models", summary="List the models")
    async def list_models(request: Request) -> dict[str, Any]:
        """Every model that an upstream offers or a route names."""
        return {"object": "list", "data": await _models(current(), request)}

    @router.get("/v1/models/{model_id:path}", summary="One model")
    async def get_model(model_id: str, request: Request) -> dict[str, Any]:
        """The model with this id, which may hold slashes."""
        parts = current()
        for model in await _models(parts, request):
            if model["id"] == model_id:
                return model
        route = await parts.catalog.locate(model_id)  # one that a glob of the configuration covers is served without being listed
        if route is None:
            message = "There is no such model. GET /v1/models lists those there are."
            raise NotFound(message, code="model_not_found", param="model")
        return {"id": model_id, "object": "model", "created": 0, "owned_by": route}

    for path in MODEL_ENDPOINTS:
        router.add_api_route(path, _post_only, methods=["GET", "PUT", "PATCH", "DELETE"], include_in_schema=False)
    return router


async def _post_only() -> None:
    """POST never comes here: model requests are served in front of FastAPI."""
    raise HTTPException(405, headers={"Allow": "POST"})


async def _models(parts: Parts, request: Request) -> list[dict[str, Any]]:
    parts.identity.principal(request.scope["headers"])
    return await parts.catalog.all()
