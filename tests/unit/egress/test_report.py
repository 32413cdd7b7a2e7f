"""What `eluvix guard scan` shows."""

from __future__ import annotations

import json

import pytest

from gateway.egress.policy import Policy
from gateway.egress.report import scan_lines
from gateway.egress.scan import Rules
from gateway.errors import BadRequest
from tests.unit.egress.templates import filled

POLICY = Policy()
SCAN = Rules(POLICY).scan


def test_lines_of_text_are_numbered_and_empty_ones_left_out() -> None:
    rows = list(scan_lines(["Prefers tabs.\n", "\n", "mail anna.meyer@acme.org\n"], SCAN, POLICY))
    assert rows == [
        {"id": "1", "masked": "Prefers tabs.", "spans": [], "sensitivity": "none"},
        {"id": "3", "masked": "mail [redacted:email]", "spans": [[5, 24, "EMAIL_ADDRESS", 0.95]], "sensitivity": "medium"},
    ]


def test_a_text_that_would_be_removed_is_shown_masked() -> None:
    token, _ = filled("ghp_{A36}")
    line = json.dumps({"id": 7, "text": f"use {token} now"})
    (row,) = scan_lines([line], SCAN, POLICY, jsonl=True)
    assert (row["id"], row["masked"], row["sensitivity"]) == (7, "use [redacted:credential] now", "high")


@pytest.mark.parametrize("line", ["not json", '{"id": 1}', "[1]"])
def test_a_line_that_is_no_such_object_is_named(line: str) -> None:
    with pytest.raises(BadRequest, match="Line 2"):
        list(scan_lines(['{"text": "fine"}', line], SCAN, POLICY, jsonl=True))
