"""What travels over the memory API: the bodies it takes and the memories it answers with. Keys are in camelCase."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, BeforeValidator, Field, model_validator

from gateway.api.validation import Wire, parse_object, validate
from gateway.errors import BadRequest
from gateway.memories import MAX_TEXT

if TYPE_CHECKING:
    from typing import Self

    from providers.base import Memory

LONGEST_LABEL = 256
"""Characters."""
ROLES = ("user", "assistant", "system", "developer", "tool", "function")


def _filled(value: str) -> str:
    if not value.strip() or len(value) > MAX_TEXT:
        message = f"it must hold a text of at most {MAX_TEXT} characters"
        raise ValueError(message)
    return value


def _label(value: str) -> str:
    if not value.strip() or len(value) > LONGEST_LABEL or not value.isprintable():
        message = f"it must be 1-{LONGEST_LABEL} printable characters"
        raise ValueError(message)
    return value


def _moment(value: object) -> object:
    """ISO 8601 only: a bare number may mean seconds or milliseconds. Without an offset it is UTC."""
    try:
        moment = datetime.fromisoformat(value)  # type: ignore[arg-type]  # the TypeError is caught
    except (TypeError, ValueError):
        message = "it must be a time such as 2026-01-31T12:00:00Z"
        raise ValueError(message) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _message(value: dict[str, Any]) -> dict[str, Any]:
    """A message as chat clients keep them: its fields stay as they are, since the turn's key is made of them."""
    content = value.get("content")
    if value.get("role") not in ROLES:
        message = f"`role` must be one of {', '.join(ROLES)}"
        raise ValueError(message)
    if content is not None and not isinstance(content, str) and not _parts(content):
        message = "`content` must be a text or a list of parts"
        raise ValueError(message)
    return value


def _parts(content: object) -> bool:
    return isinstance(content, list) and all(isinstance(part, dict) for part in content)


Text = Annotated[str, Field(strict=True), AfterValidator(_filled)]
"""A text with something in it."""
Label = Annotated[str, Field(strict=True), AfterValidator(_label)]
"""A category or the name of a session."""
Message = Annotated[dict[str, Any], AfterValidator(_message)]
Moment = Annotated[AwareDatetime, BeforeValidator(_moment, json_schema_input_type=datetime)]


class Find(Wire):
    """The query of `GET /api/v1/memory`. Without `query` everything is listed, page by page."""

    user_id: str | None = None
    query: str | None = None
    limit: Annotated[int, Field(ge=1, le=100)] | None = None
    cursor: str | None = None


class Whose(Wire):
    """The query of every call about one memory, and of export and import."""

    user_id: str | None = None


class PreviewQuery(Wire):
    """The query of `GET /api/v1/memory/preview`."""

    user_id: str | None = None
    query: Annotated[str, AfterValidator(_filled)]
    max_tokens: Annotated[int, Field(ge=0, le=32768)] | None = None
    upstream: str | None = None


class Add(Wire):
    """`{"action": "add"}`: stores one memory."""

    action: Literal["add"]
    user_id: str | None = None
    text: Text
    category: Label = "general"
    metadata: dict[str, Any] = Field(default_factory=dict)
    created_at: Moment | None = None


class Commit(Wire):
    """`{"action": "commit"}`: draws the memories out of a conversation."""

    action: Literal["commit"]
    user_id: str | None = None
    session_id: Label | None = None
    messages: Annotated[list[Message], Field(min_length=1, max_length=10_000)]


class Clear(Wire):
    """`{"action": "clear"}`: forgets everything of one user."""

    action: Literal["clear"]
    user_id: str | None = None


class Change(Wire):
    """The body of `PATCH /api/v1/memory/{id}`: what is not named stays as it is."""

    text: Text | None = None
    category: Label | None = None
    metadata: dict[str, Any] | None = None

    @model_validator(mode="after")
    def _names_something(self) -> Self:
        if self.text is None and self.category is None and self.metadata is None:
            message = "it names nothing to change; send text, category or metadata"
            raise ValueError(message)
        return self


Action = Add | Commit | Clear

ACTIONS: dict[str, type[Action]] = {"add": Add, "commit": Commit, "clear": Clear}


def parse_action(raw: bytes) -> Action:
    """The body of `POST /api/v1/memory`. Raises BadRequest that names the field or the actions there are."""
    value = parse_object(raw)
    action = value.get("action")
    if not isinstance(action, str) or action not in ACTIONS:
        known = ", ".join(f"`{name}`" for name in ACTIONS)
        problem = "is missing" if action is None else "is not known"
        message = f"`action` {problem}. Send one of {known}."
        raise BadRequest(message, code="unknown_action", param="action")
    return validate(ACTIONS[action], value)


def memory_json(memory: Memory) -> dict[str, Any]:
    """A memory as the API shows it. `score` is its relevance to the query, 0..1, and 0 outside searches."""
    return {
        "id": memory.id,
        "userId": memory.user,
        "text": memory.text,
        "category": memory.category,
        "metadata": dict(memory.metadata),
        "createdAt": iso(memory.created_at),
        "score": round(memory.score, 4),
    }


def iso(moment: datetime) -> str:
    """A time as ISO 8601 in UTC, milliseconds, `Z` at the end."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def not_stored() -> BadRequest:
    """The error for a text that was not stored because the provider is elsewhere and the text is highly sensitive."""
    message = "`text` holds something highly sensitive, and the memory provider is not on this machine. Leave that out of it."
    return BadRequest(message, code="too_sensitive", param="text")
