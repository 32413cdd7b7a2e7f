"""How the self-hosted Mem0 servers differ: which fields name the user, and which the number of results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

LARGEST_LIST = 1000


@dataclass(frozen=True, slots=True)
class Dialect:
    """One way of speaking to `/search` and `/memories`."""

    name: str
    user_on_top: bool
    """`user_id` stands beside the query (else within `filters`, which some servers refuse and others need)."""
    limit_field: str
    list_limit: bool
    """`GET /memories` takes `top_k`; without it the server decides how many it shows."""
    partial_update: bool
    """`PUT` may leave `text` out."""

    def search_body(self, user: str, query: str, limit: int) -> dict[str, Any]:
        """The JSON for `POST /search`. No threshold: what it means differs between releases."""
        scope: dict[str, Any] = {"user_id": user} if self.user_on_top else {"filters": {"user_id": user}}
        return {"query": query, **scope, self.limit_field: limit}

    def list_query(self, user: str) -> dict[str, str]:
        """The query string of `GET /memories`."""
        return {"user_id": user, "top_k": str(LARGEST_LIST)} if self.list_limit else {"user_id": user}


DIALECTS = {
    dialect.name: dialect
    for dialect in (
        Dialect("oss1", user_on_top=True, limit_field="limit", list_limit=False, partial_update=False),  # up to 1.0.11
        Dialect("oss2", user_on_top=False, limit_field="top_k", list_limit=False, partial_update=False),  # 2.0.0 - 2.0.2
        Dialect("oss3", user_on_top=False, limit_field="top_k", list_limit=True, partial_update=True),  # from 2.0.3
    )
}
"""Name in the settings -> dialect."""
