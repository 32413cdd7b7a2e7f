"""Turns and memories for tests."""

from datetime import UTC, datetime, timedelta

import orjson

from gateway.turn import MemoryMode, Principal, Turn
from providers.base import Memory

START = datetime(2026, 1, 1, 12, tzinfo=UTC)


def a_memory(text, number=0, user="alice", **fields):
    """A memory; `number` gives its id, its age and nothing else."""
    when = START + timedelta(minutes=number)
    fields = {"category": "facts", "created_at": when, "updated_at": when} | fields
    return Memory(id=f"m{number}", user=user, text=text, **fields)


def a_turn(*texts, user="alice", model="m", session=None, endpoint="/chat/completions", body=None, **fields):
    """A chat turn in which the user says `texts` one after the other, with answers between."""
    messages = []
    for number, text in enumerate(texts or ("hi",)):
        if number:
            messages.append({"role": "assistant", "content": f"answer {number}"})
        messages.append({"role": "user", "content": text})
    body = {"model": model, "messages": messages} | (body or {})
    mode = MemoryMode(user is not None, user is not None, None if user else "no-user")
    values = {"principal": Principal(user), "memory": mode, "session": session} | fields
    return Turn(request_id="req_1", endpoint=endpoint, body=body, raw=orjson.dumps(body), received=0.0, **values)
