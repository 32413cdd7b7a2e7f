"""The entry of the classifying worker process: texts and a policy in, verdicts out, both as JSON can carry them."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from gateway.egress.policy import Policy
from gateway.egress.presidio import Analyzer
from gateway.egress.scan import Rules, judge, too_long, unscanned

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gateway.egress.spans import Span

_KEPT_POLICIES = 4


class Classifier:
    """Presidio and the rules for one policy."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self._rules = Rules(policy)
        self._analyzer = Analyzer(policy)

    def spans(self, text: str) -> tuple[Span, ...]:
        """What both find together. Whatever goes wrong, the text comes back as unscanned."""
        if too_long(text):
            return unscanned(text)
        try:
            found = self._analyzer.spans(text)
        except Exception:  # a failure of any kind: nobody has looked at this text
            return unscanned(text)
        return self._rules.settled(text, found)


def classify(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Verdicts on `{"texts": [...], "policy": Policy.to_json()}`, in the order of the texts.

    Each is `{"sensitivity", "masked", "policy", "entities", "spans": [[start, end, type, score], ...]}`. Raises ConfigError when the
    policy cannot be carried out (`ner: on` without a model).
    """
    classifier = _classifier(json.dumps(payload["policy"], sort_keys=True))
    return {"verdicts": [_verdict(classifier, text) for text in payload["texts"]]}


def _verdict(classifier: Classifier, text: str) -> dict[str, Any]:
    spans = classifier.spans(text)
    verdict = judge(text, spans, classifier.policy)
    return {
        "sensitivity": verdict.sensitivity,
        "masked": verdict.masked,
        "policy": verdict.policy,
        "entities": list(verdict.entities),
        "spans": [[span.start, span.end, span.entity, round(span.score, 3)] for span in spans],
    }


@lru_cache(maxsize=_KEPT_POLICIES)
def _classifier(policy: str) -> Classifier:
    """One per policy and process: building an engine takes seconds."""
    return Classifier(Policy.from_json(json.loads(policy)))
