"""What a client sent, checked against a model, and what is wrong with it in words: the field, the reason, the fix.

Values are never quoted: they may be somebody's memories.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, TypeVar

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from gateway.errors import BadRequest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PLACES = frozenset({"body", "query", "path", "header", "cookie"})


class Wire(BaseModel):
    """The base of everything that arrives as JSON or in the query: camelCase, unknown fields refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, alias_generator=to_camel, populate_by_name=False, hide_input_in_errors=True)


WireT = TypeVar("WireT", bound=Wire)


def parse_object(raw: bytes) -> dict[str, Any]:
    """The JSON object in `raw`. Raises BadRequest where there is none."""
    if not raw.strip():
        message = "The request has no body. Send a JSON object."
        raise BadRequest(message, code="empty_body")
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        message = f"The body is not JSON ({place}). Send a JSON object in UTF-8."
        raise BadRequest(message, code="invalid_json") from None
    if not isinstance(value, dict):
        message = "The body must be a JSON object, in braces."
        raise BadRequest(message, code="invalid_json")
    return value


def validate(model: type[WireT], value: Mapping[str, Any]) -> WireT:
    """`value` as a `model`. Raises BadRequest that names the field and the fix."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise explain(error.errors(), known=field_names(model)) from None


def field_names(model: type[BaseModel]) -> list[str]:
    """The names that a model takes on the wire."""
    return [field.alias or name for name, field in model.model_fields.items()]


def explain(problems: Sequence[Any], known: Sequence[str] = ()) -> BadRequest:
    """The first of pydantic's `problems` as an error. `known` are the fields that may stand at the top."""
    problem = problems[0]
    path = [str(part) for part in problem["loc"] if part not in PLACES]
    field = ".".join(path) or None
    return BadRequest(_sentence(problem, field or "The request", known), code=_code(problem), param=field)


def _code(problem: Mapping[str, Any]) -> str:
    return {"missing": "missing_field", "extra_forbidden": "unknown_field"}.get(problem["type"], "invalid_value")


def _sentence(problem: Mapping[str, Any], field: str, known: Sequence[str]) -> str:
    if problem["type"] == "missing":
        return f"`{field}` is missing. Add it."
    if problem["type"] == "extra_forbidden":
        return f"`{field}` is not known here. {_advice(field, known)}"
    reason = str(problem["msg"]).removeprefix("Value error, ")
    return f"`{field}` is not right: {reason[0].lower()}{reason[1:]}."


def _advice(field: str, known: Sequence[str]) -> str:
    close = get_close_matches(field, known, n=1)
    if close:
        return f"Did you mean `{close[0]}`?"
    return f"Known are {', '.join(f'`{name}`' for name in known)}." if known else "Leave it out."


def body_schema(*models: type[BaseModel]) -> dict[str, Any]:
    """OpenAPI for a route that reads its JSON body itself: one of `models`."""
    schemas = [model.model_json_schema(by_alias=True) for model in models]
    schema = schemas[0] if len(schemas) == 1 else {"oneOf": schemas}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}
