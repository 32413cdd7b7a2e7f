"""Looks through a text with the rules, masks what was found, and judges the whole. Whatever goes wrong, the text counts as unfit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gateway.egress.normalise import decoded, joined, unescaped, view_of
from gateway.egress.policy import UNSCANNED, Policy, label
from gateway.egress.rules import RECOGNIZERS
from gateway.egress.spans import Span, merge
from providers.base import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from gateway.egress.rules.base import Rule
    from gateway.egress.views import View

MAX_BYTES = 65_536
"""Longer texts (in UTF-8) are not looked through: they do not leave."""

_MARK = re.compile(r"\[redacted:[a-z_]{1,40}\]")
_ROUNDS = 6
_SEVERITY = {"allow": 0, "mask": 1, "drop": 2}


class Rules:
    """The rules of one policy. It has no state, so that one may be used by many threads."""

    def __init__(self, policy: Policy, rules: Iterable[Rule] | None = None) -> None:
        chosen = RECOGNIZERS.values() if rules is None else rules
        self._policy = policy
        self._rules = tuple(rule for rule in chosen if any(policy.action(entity) != "allow" for entity in rule.entities))
        self._allowed = _whole_words(policy.allow_terms)
        self._denied = _whole_words(policy.deny_terms)

    def scan(self, text: str) -> tuple[Span, ...]:
        """Sorted spans without overlaps, without what the policy allows. Never raises.

        A text that is too long or that a rule fails on comes back as one span of the entity UNSCANNED. Masking the spans gives a text
        in which nothing is found any more.
        """
        return self.settled(text, ())

    def settled(self, text: str, found: Sequence[Span]) -> tuple[Span, ...]:
        """As `scan`, together with spans found elsewhere."""
        if too_long(text):
            return unscanned(text)
        try:
            return self._settle(text, tuple(found))
        except Exception:  # whatever it was: nobody has looked at this text
            return unscanned(text)

    def _settle(self, text: str, found: Sequence[Span]) -> tuple[Span, ...]:
        spans = self._kept(text, (*found, *self._once(text)))
        for _ in range(_ROUNDS):
            if not spans:
                return spans
            masked, back = _masked_with_map(text, spans)
            more = self._kept(masked, self._once(masked))
            if not more:
                return spans
            spans = self._merged((*spans, *(back(span) for span in more)))
        return unscanned(text)

    def _once(self, text: str) -> Iterator[Span]:
        view = view_of(text)
        yield from self._denied_terms(view)
        yield from in_source(view, self._rules)
        escaped = unescaped(view)
        if escaped:
            yield from in_source(escaped, self._rules)
        for other in (view, escaped) if escaped else (view,):
            within = decoded(other)
            if within:
                yield from in_source(within, (rule for rule in self._rules if rule.exact))
        for line in joined(view):
            yield from _crossing(line, (rule for rule in self._rules if rule.across))

    def _denied_terms(self, view: View) -> Iterator[Span]:
        if self._denied:
            for found in self._denied.finditer(view.text):
                yield Span(*view.source(*found.span()), "DENIED_TERM", 1.0)

    def _kept(self, text: str, found: Iterable[Span]) -> tuple[Span, ...]:
        """What the policy does not allow, without the masks that stand there already."""
        spans = [span for span in found if self._policy.action(span.entity) != "allow"]
        if self._allowed and spans:
            allowed = [match.span() for match in self._allowed.finditer(text)]
            spans = [span for span in spans if not any(start <= span.start and span.end <= end for start, end in allowed)]
        if spans and "[redacted:" in text:
            spans = [part for span in spans for part in _outside_marks(text, span)]
        return self._merged(spans)

    def _merged(self, spans: Iterable[Span]) -> tuple[Span, ...]:
        return merge(spans, lambda span: (_SEVERITY[self._policy.action(span.entity)], span.score))


def too_long(text: str) -> bool:
    """Whether the text is over MAX_BYTES."""
    return len(text) > MAX_BYTES or (len(text) > MAX_BYTES // 4 and len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES)


def unscanned(text: str) -> tuple[Span, ...]:
    """What stands for a text that nobody could look through."""
    return (Span(0, len(text), UNSCANNED, 1.0),) if text else ()


def mask(text: str, spans: Sequence[Span], policy: Policy) -> str:
    """The text with `[redacted:email]` and the like in place of the spans that the policy does not allow. There is no way back."""
    return _masked_with_map(text, [span for span in spans if policy.action(span.entity) != "allow"])[0]


def judge(text: str, spans: Sequence[Span], policy: Policy) -> Verdict:
    """The verdict on a text of which these spans are known. A text over MAX_BYTES is high whatever the spans say."""
    if too_long(text):
        spans = unscanned(text)
    actions = {span.entity: policy.action(span.entity) for span in spans}
    entities = tuple(sorted(entity for entity, action in actions.items() if action != "allow"))
    if "drop" in actions.values():
        return Verdict("high", "", policy.version, entities)
    if entities:
        return Verdict("medium", mask(text, spans, policy), policy.version, entities)
    return Verdict("none", text, policy.version)


def in_source(view: View, rules: Iterable[Rule]) -> Iterator[Span]:
    """What these rules find in a view, in offsets of the source."""
    for rule in rules:
        for span in rule.find(view):
            start, end = view.source(span.start, span.end)
            yield Span(start, end, span.entity, span.score)


def _crossing(view: View, rules: Iterable[Rule]) -> Iterator[Span]:
    """Only what lies across a place where something was taken out."""
    for rule in rules:
        for span in rule.find(view):
            start, end = view.source(span.start, span.end)
            if end - start != span.end - span.start:
                yield Span(start, end, span.entity, span.score)


def _outside_marks(text: str, span: Span) -> Iterator[Span]:
    """The parts of a span that are not masks already, as far as they have letters or digits."""
    start = span.start
    marks = [mark.span() for mark in _MARK.finditer(text) if mark.start() < span.end and mark.end() > span.start]
    for first, last in [*marks, (span.end, span.end)]:
        if any(map(str.isalnum, text[start:first])):
            yield Span(start, first, span.entity, span.score)
        start = max(start, last)


def _masked_with_map(text: str, spans: Sequence[Span]) -> tuple[str, Callable[[Span], Span]]:
    """The masked text, and a function that takes a span of it back to the text."""
    parts: list[str] = []
    pieces: list[tuple[int, int, int]] = []  # place in the masked text, place in the text, length of what was kept
    at = size = 0
    for span in spans:
        mark = f"[redacted:{label(span.entity)}]"
        parts += [text[at : span.start], mark]
        pieces.append((size, at, span.start - at))
        size += span.start - at + len(mark)
        at = span.end
    parts.append(text[at:])
    pieces.append((size, at, len(text) - at))
    return "".join(parts), lambda span: Span(_back(pieces, span.start), _back(pieces, span.end - 1) + 1, span.entity, span.score)


def _back(pieces: Sequence[tuple[int, int, int]], place: int) -> int:
    for masked, source, length in reversed(pieces):
        if place >= masked:
            return source + min(place - masked, max(0, length - 1))
    return place


def _whole_words(terms: tuple[str, ...]) -> re.Pattern[str] | None:
    words = [re.escape(term.strip()) for term in sorted(terms, key=len, reverse=True) if term.strip()]
    return re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)", re.IGNORECASE) if words else None
