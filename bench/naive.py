"""What the gateway is compared with: the obvious proxy. FastAPI, httpx, JSON parsed and built again, streams line by line."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, StreamingResponse


def naive_proxy() -> FastAPI:
    """A factory for uvicorn; the model server's base URL is in UPSTREAM_URL."""
    target = os.environ["UPSTREAM_URL"] + "/chat/completions"

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        limits = httpx.Limits(max_connections=256, max_keepalive_connections=256)
        async with httpx.AsyncClient(limits=limits, timeout=600, trust_env=False) as client:
            app.state.client = client
            yield

    app = FastAPI(lifespan=lifespan)

    async def lines(body: dict[str, Any]) -> AsyncIterator[str]:
        async with app.state.client.stream("POST", target, json=body) as answer:
            async for line in answer.aiter_lines():
                if line:
                    yield f"{line}\n\n"

    @app.post("/v1/chat/completions")
    async def chat(request: Request) -> Any:
        body = await request.json()
        if body.get("stream"):
            return StreamingResponse(lines(body), media_type="text/event-stream")
        answer = await app.state.client.post(target, json=body)
        return JSONResponse(answer.json(), status_code=answer.status_code)

    return app
