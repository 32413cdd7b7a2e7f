"""Merging of spans."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from gateway.egress.spans import Span, merge

SPANS = st.lists(
    st.builds(
        lambda start, length, entity, score: Span(start, start + length, entity, score),
        st.integers(0, 60),
        st.integers(0, 20),
        st.sampled_from(["A", "B", "C"]),
        st.sampled_from([0.1, 0.5, 0.9]),
    ),
    max_size=12,
)


def test_overlapping_spans_become_one_named_after_the_stronger() -> None:
    assert merge([Span(5, 12, "B", 0.9), Span(0, 6, "A", 0.2)]) == (Span(0, 12, "B", 0.9),)


def test_touching_spans_stay_apart() -> None:
    assert merge([Span(0, 3, "A", 0.5), Span(3, 6, "B", 0.5)]) == (Span(0, 3, "A", 0.5), Span(3, 6, "B", 0.5))


def test_a_rank_decides_instead_of_the_score() -> None:
    merged = merge([Span(0, 9, "A", 0.9), Span(2, 4, "B", 0.1)], rank=lambda span: span.entity)
    assert merged == (Span(0, 9, "B", 0.1),)


@given(SPANS)
def test_merged_spans_are_sorted_apart_and_cover_the_same_characters(spans: list[Span]) -> None:
    merged = merge(spans)
    assert all(first.end <= second.start for first, second in pairwise(merged))
    assert {at for span in merged for at in range(span.start, span.end)} == {at for span in spans for at in range(span.start, span.end)}
