"""What `eluvix guard scan` shows: for each text the spans found, the sensitivity, and the text as a reader may see it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from gateway.egress.scan import judge, mask
from gateway.errors import BadRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from gateway.egress.policy import Policy
    from gateway.egress.spans import Span


def scan_lines(
    lines: Iterable[str], scan: Callable[[str], tuple[Span, ...]], policy: Policy, *, jsonl: bool = False
) -> Iterator[dict[str, Any]]:
    """`{"id", "masked", "spans": [[start, end, type, score]], "sensitivity"}` for each line that is not empty, in their order.

    With `jsonl` a line is `{"id", "text"}`; else it is the text, and its number from 1 the id. `masked` has all found spans masked, also
    where the text as a whole would be removed. `scan` is `Rules(policy).scan` or `Classifier(policy).spans`. Raises BadRequest for a
    line that is not such JSON.
    """
    for number, line in enumerate(lines, start=1):
        if line.strip():
            name, text = _parsed(line, number) if jsonl else (str(number), line.rstrip("\r\n"))
            yield _row(name, text, scan(text), policy)


def _parsed(line: str, number: int) -> tuple[Any, str]:
    try:
        row = json.loads(line)
        return row.get("id", number), str(row["text"])
    except (ValueError, KeyError, AttributeError) as error:
        message = f'Line {number} is not a JSON object with "text". Give one object a line, or leave out --jsonl.'
        raise BadRequest(message) from error


def _row(name: Any, text: str, spans: tuple[Span, ...], policy: Policy) -> dict[str, Any]:
    return {
        "id": name,
        "masked": mask(text, spans, policy),
        "spans": [[span.start, span.end, span.entity, round(span.score, 3)] for span in spans],
        "sensitivity": judge(text, spans, policy).sensitivity,
    }
