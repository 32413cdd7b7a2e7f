"""What the memory API's preview says: the block as a local model gets it, and what the guard makes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gateway.routing.plan import Target
    from gateway.turn import Injected, Recalled
    from providers.base import Memory


def described(recalled: Recalled, injected: Injected, target: Target) -> dict[str, Any]:
    """`{"block", "tokens", "items", "egress"}`; items stand in the block's order."""
    block = recalled.block
    return {
        "block": block.text,
        "tokens": block.tokens,
        "items": [_item(memory) for memory in block.memories],
        "egress": {
            "upstream": target.upstream.config.name,
            "local": target.local,
            "block": injected.block.text,
            "tokens": injected.block.tokens,
            "filtered": injected.filtered,
            "stripped": injected.stripped,
        },
    }


def _item(memory: Memory) -> dict[str, Any]:
    return {"id": memory.id, "score": round(memory.score, 4), "category": memory.category, "createdAt": memory.created_at.isoformat()}
