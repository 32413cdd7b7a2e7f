"""A Mem0 server as a small ASGI app: what the self-hosted releases were seen to do, their dangers included."""

from __future__ import annotations

import json
import re
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs

_NOT_FOUND = "Memory with id {} not found"
_TOP_LEVEL = "Top-level entity parameters frozenset({'user_id'}) are not supported in search(). Use filters={'user_id': '...'} instead."
_ONE_OF = "At least one of 'user_id', 'agent_id', or 'run_id' must be provided."
_WORD = re.compile(r"\w+")


class Refusal(Exception):
    """An answer that is not 200."""

    def __init__(self, status: int, detail: Any) -> None:
        super().__init__(status)
        self.status, self.detail = status, detail


@dataclass
class FakeMem0:
    """Answers as `oss1` (1.0.11), `oss2` (2.0.0) or `oss3` (2.0.18) does. `requests` keeps (method, path, query, body, headers)."""

    dialect: str = "oss3"
    api_key: str | None = None
    title: str = "Mem0 REST APIs"
    failures: dict[str, tuple[int, Any]] = field(default_factory=dict)
    """`METHOD path` -> (status, body) to answer with instead."""
    extracts: bool = True
    """With infer, every sentence of a user is a fact; False: nothing is worth keeping."""
    shown: int = 1000
    """At most so many rows in a list."""
    rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    requests: list[tuple[str, str, dict[str, str], Any, dict[str, str]]] = field(default_factory=list)
    _clock: datetime = datetime(2026, 1, 1, tzinfo=UTC)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        status, answer = self._answer(scope, body)
        raw = answer if isinstance(answer, bytes) else json.dumps(answer, ensure_ascii=False).encode()
        await send({"type": "http.response.start", "status": status, "headers": [(b"content-type", b"application/json")]})
        await send({"type": "http.response.body", "body": raw})

    def _answer(self, scope: dict[str, Any], raw: bytes) -> tuple[int, Any]:
        method, path = scope["method"], scope["path"]
        query = {name: values[0] for name, values in parse_qs(scope["query_string"].decode()).items()}
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        body = json.loads(raw) if raw else None
        self.requests.append((method, path, query, body, headers))
        if f"{method} {path}" in self.failures:
            return self.failures[f"{method} {path}"]
        try:
            self._authorise(path, headers)
            return 200, self._route(method, path, query, body)
        except Refusal as refusal:
            return refusal.status, {"detail": refusal.detail}

    def _authorise(self, path: str, headers: dict[str, str]) -> None:
        if self.api_key is None or path == "/openapi.json":
            return
        if "authorization" in headers or "x-api-key" not in headers:
            raise Refusal(401, "Authentication required. Provide a Bearer token or X-API-Key header.")
        if headers["x-api-key"] != self.api_key:
            raise Refusal(401, "Invalid API key.")

    def _route(self, method: str, path: str, query: dict[str, str], body: Any) -> Any:
        if (method, path) == ("GET", "/openapi.json"):
            return {"openapi": "3.1.0", "info": {"title": self.title, "version": "1.0.0"}, "paths": {}}
        if (method, path) == ("POST", "/search"):
            return {"results": self._search(body)}
        if path == "/memories" and method in ("GET", "POST", "DELETE"):
            return {"GET": self._list, "POST": self._add, "DELETE": self._delete_all}[method](query if method != "POST" else body)
        if path.startswith("/memories/") and method in ("GET", "PUT", "DELETE"):
            memory_id = path.removeprefix("/memories/")
            return {"GET": self._get, "PUT": self._put, "DELETE": self._delete}[method](memory_id, body)
        raise Refusal(404, "Not Found")

    def _add(self, body: dict[str, Any]) -> Any:
        user = body.get("user_id")
        if not user:
            raise Refusal(400, "At least one identifier (user_id, agent_id, run_id) is required.")
        self._check_user(user)
        if any(not isinstance(message["content"], str) for message in body["messages"]):
            raise Refusal(422, [{"type": "string_type", "msg": "Input should be a valid string"}])
        return {"results": self._infer(user, body) if body.get("infer", True) else self._store_all(user, body)}

    def _store_all(self, user: str, body: dict[str, Any]) -> list[dict[str, Any]]:
        said = [message for message in body["messages"] if message["role"] != "system"]
        rows = [self._store(user, message["content"], body.get("metadata"), message["role"]) for message in said]
        return [{"id": row["id"], "memory": row["memory"], "event": "ADD", "actor_id": None, "role": row["role"]} for row in rows]

    def _infer(self, user: str, body: dict[str, Any]) -> list[dict[str, Any]]:
        said = " ".join(message["content"] for message in body["messages"] if message["role"] == "user")
        facts = [f"User said: {part.strip()}." for part in said.split(".") if part.strip()] if self.extracts else []
        known = {row["memory"] for row in self.rows.values() if row["user_id"] == user}
        rows = [self._store(user, fact, body.get("metadata"), None) for fact in facts if fact not in known]
        return [{"id": row["id"], "memory": row["memory"], "event": "ADD"} for row in rows]

    def _store(self, user: str, text: str, metadata: Any, role: str | None) -> dict[str, Any]:
        self._clock += timedelta(seconds=1)
        time = self._clock.isoformat()
        row = {"id": str(uuid.uuid4()), "memory": text, "hash": "", "metadata": metadata or None, "created_at": time, "updated_at": time}
        self.rows[str(row["id"])] = row | {"user_id": user} | ({"role": role} if role else {})
        return self.rows[str(row["id"])]

    def _search(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        user = self._scope(body)
        if "query" not in body:
            raise Refusal(422, [{"type": "missing", "loc": ["body", "query"]}])
        if not body["query"].strip() and self.dialect != "oss1":
            raise Refusal(400, "Invalid query: cannot be empty or whitespace-only.")
        asked = set(_WORD.findall(body["query"].casefold()))
        scored = [{**row, "score": _alike(asked, row["memory"])} for row in self._of(user)]
        best = sorted((row for row in scored if row["score"] >= 0.1), key=lambda row: -row["score"])
        return best[: body.get("limit" if self.dialect == "oss1" else "top_k", 20)]

    def _scope(self, body: dict[str, Any]) -> str:
        top, filters = body.get("user_id"), (body.get("filters") or {}).get("user_id")
        if self.dialect == "oss1" and not top:
            raise Refusal(500, _ONE_OF)
        if self.dialect == "oss2" and top:
            raise Refusal(500, _TOP_LEVEL)
        user = filters or top
        if not user:
            raise Refusal(400, "filters must contain at least one of: user_id, agent_id, run_id. Example: filters={'user_id': 'u1'}")
        self._check_user(user)
        return str(user).strip()

    def _of(self, user: str) -> list[dict[str, Any]]:
        """`*` is everybody, as it is on the real servers."""
        return [row for row in self.rows.values() if user in ("*", row["user_id"])]

    def _list(self, query: dict[str, str]) -> Any:
        rows = sorted(self._of(query.get("user_id", "*")), key=lambda row: row["id"])
        limit = int(query.get("top_k", 20)) if self.dialect == "oss3" else 100
        return {"results": rows[: min(limit, self.shown)]}

    def _get(self, memory_id: str, _: Any) -> Any:
        row = self.rows.get(memory_id)
        return None if row is None else {**row, "score": None}

    def _put(self, memory_id: str, body: dict[str, Any]) -> Any:
        row = self._existing(memory_id)
        if not body or ("text" not in body and self.dialect != "oss3"):
            raise Refusal(400, "At least one of text, metadata, or expiration_date must be provided.")
        self._clock += timedelta(seconds=1)
        row["memory"] = body.get("text", row["memory"])
        row["metadata"] = {**(row["metadata"] or {}), **body.get("metadata", {})} or None
        row["updated_at"] = self._clock.isoformat()
        return {"message": "Memory updated successfully!"}

    def _delete(self, memory_id: str, _: Any) -> Any:
        del self.rows[str(self._existing(memory_id)["id"])]
        return {"message": "Memory deleted successfully"}

    def _delete_all(self, query: dict[str, str]) -> Any:
        """Early releases emptied everybody's: whoever calls this has not read that."""
        self.rows.clear()
        return {"message": "All relevant memories deleted"}

    def _existing(self, memory_id: str) -> dict[str, Any]:
        if memory_id not in self.rows:
            raise Refusal(404 if self.dialect == "oss3" else 500, _NOT_FOUND.format(memory_id))
        return self.rows[memory_id]

    def _check_user(self, user: Any) -> None:
        if self.dialect != "oss1" and (not isinstance(user, str) or re.search(r"\s", user.strip())):
            raise Refusal(400, "Invalid user_id: cannot contain whitespace. Provide a valid identifier without spaces.")


def _alike(asked: set[str], text: str) -> float:
    words = set(_WORD.findall(text.casefold()))
    return len(asked & words) / (len(asked) * len(words)) ** 0.5 if asked and words else 0.0
