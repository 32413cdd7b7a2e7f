"""Presidio's analyzer, built by hand: our rules, a few of its own recognizers, and a language model for names when there is one.

Imported in the classifying worker only: presidio and spaCy are large and slow to start. Three things about presidio are undone here:
it looks up top-level domains on the internet, it skips a recognizer whose expression takes too long and says nothing, and its time
grows with the square of long runs without blanks.
"""

from __future__ import annotations

import importlib
import logging
import time
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import presidio_analyzer.pattern_recognizer as presidio_patterns
import spacy
import tldextract
from presidio_analyzer import AnalyzerEngine, EntityRecognizer, RecognizerRegistry, RecognizerResult
from presidio_analyzer.nlp_engine import NerModelConfiguration, SpacyNlpEngine
from presidio_analyzer.predefined_recognizers import (
    CreditCardRecognizer,
    CryptoRecognizer,
    EmailRecognizer,
    EsNieRecognizer,
    EsNifRecognizer,
    FiPersonalIdentityCodeRecognizer,
    IbanRecognizer,
    ItFiscalCodeRecognizer,
    SgFinRecognizer,
    UsMbiRecognizer,
)

from gateway.egress.names import is_vetoed, person_in
from gateway.egress.normalise import view_of
from gateway.egress.pieces import pieces
from gateway.egress.policy import NER_PACKAGE, Policy, ner_installed
from gateway.egress.rules import RECOGNIZERS
from gateway.egress.scan import in_source
from gateway.egress.spans import Span
from gateway.errors import ConfigError

if TYPE_CHECKING:
    from presidio_analyzer.nlp_engine import NlpArtifacts

    from gateway.egress.rules.base import Rule
    from gateway.egress.views import View

LANGUAGE = "en"
REGEX_SECONDS = 1
TEXT_SECONDS = 5.0
"""Our own wall clock for one text, checked between its pieces."""

THRESHOLD = 0.5

_OURS = {
    "ES_NIF": "NATIONAL_ID",
    "ES_NIE": "NATIONAL_ID",
    "FI_PERSONAL_IDENTITY_CODE": "NATIONAL_ID",
    "IT_FISCAL_CODE": "NATIONAL_ID",
    "SG_NRIC_FIN": "NATIONAL_ID",
    "US_MBI": "HEALTH_ID",
}
"""Presidio's names for what we call otherwise."""


class AnalyzerFailed(Exception):
    """Presidio did not look through the whole text."""


class OfflineEmail(EmailRecognizer):
    """Presidio's e-mail recognizer with the list of top-level domains that tldextract carries: nothing is downloaded."""

    def validate_result(self, pattern_text: str) -> bool:
        """Whether the domain ends in a public suffix."""
        return bool(_suffixes()(pattern_text).fqdn)


@lru_cache(maxsize=1)
def _suffixes() -> tldextract.TLDExtract:
    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)


class RuleRecognizer(EntityRecognizer):
    """One of our rules as presidio sees it."""

    def __init__(self, name: str, rule: Rule) -> None:
        self._rule = rule
        super().__init__(supported_entities=list(rule.entities), name=f"eluvix_{name}", supported_language=LANGUAGE)

    def load(self) -> None:
        """Nothing to load."""

    def analyze(self, text: str, entities: list[str], nlp_artifacts: NlpArtifacts) -> list[RecognizerResult]:
        """What the rule finds in the text."""
        del nlp_artifacts  # part of presidio's interface
        found = in_source(_view(text), (self._rule,))
        return [RecognizerResult(span.entity, span.start, span.end, span.score) for span in found if span.entity in entities]


@lru_cache(maxsize=1)
def _view(text: str) -> View:
    """All rules look at the same text one after the other."""
    return view_of(text)


class NamedPersons(EntityRecognizer):
    """The names that the language model found, without products and terms that it takes for people."""

    def __init__(self) -> None:
        super().__init__(supported_entities=["PERSON"], name="eluvix_named_persons", supported_language=LANGUAGE)

    def load(self) -> None:
        """Nothing to load: the model belongs to the pipeline."""

    def analyze(self, text: str, entities: list[str], nlp_artifacts: NlpArtifacts) -> list[RecognizerResult]:
        """PERSON results; none when the pipeline has no model."""
        spans = (person_in(text, found.start_char, found.end_char) for found in nlp_artifacts.entities if found.label_ == "PERSON")
        return [RecognizerResult("PERSON", span.start, span.end, span.score) for span in spans if span and "PERSON" in entities]


class OfflineSpacy(SpacyNlpEngine):
    """A spaCy pipeline that is never downloaded: an installed package, or a blank one."""

    def __init__(self, package: str | None) -> None:
        others = (
            "CARDINAL",
            "ORDINAL",
            "QUANTITY",
            "PERCENT",
            "MONEY",
            "PRODUCT",
            "EVENT",
            "WORK_OF_ART",
            "LAW",
            "LANGUAGE",
            "FAC",
            "ORG",
            "GPE",
        )
        configuration = NerModelConfiguration(labels_to_ignore=[*others, "LOC", "NORP", "DATE", "TIME"])
        super().__init__(models=[{"lang_code": LANGUAGE, "model_name": package or "blank"}], ner_model_configuration=configuration)
        self._package = package

    def load(self) -> None:
        """Loads the package, or makes a blank pipeline."""
        pipeline = importlib.import_module(self._package).load() if self._package else spacy.blank(LANGUAGE)
        self.nlp: Any = {LANGUAGE: pipeline}


class Analyzer:
    """Presidio's engine for one policy. Not for several threads at once."""

    def __init__(self, policy: Policy) -> None:
        presidio_patterns.REGEX_TIMEOUT_SECONDS = REGEX_SECONDS
        self._watch = _Watch()
        self._engine = _engine(policy)

    def spans(self, text: str, seconds: float = TEXT_SECONDS) -> list[Span]:
        """What presidio finds. Raises AnalyzerFailed when it skipped something or took more than `seconds`."""
        until, found = time.monotonic() + seconds, []
        for start, piece in pieces(text):
            if time.monotonic() > until:
                message = "The text took too long to look through."
                raise AnalyzerFailed(message)
            with self._watch:
                results = self._engine.analyze(piece, LANGUAGE, score_threshold=THRESHOLD)
            found += [_span(result, start) for result in results if not is_vetoed(result.entity_type, piece, result.start, result.end)]
        return found


class _Watch(logging.Handler):
    """Turns presidio's warnings (an expression that timed out) into a failure, and keeps its log lines to itself."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._seen = 0
        self._logger = logging.getLogger("presidio-analyzer")
        self._logger.setLevel(logging.WARNING)
        self._logger.propagate = False

    def emit(self, record: logging.LogRecord) -> None:
        """Counts; the record is not kept."""
        del record
        self._seen += 1

    def __enter__(self) -> None:
        self._seen = 0
        self._logger.addHandler(self)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._logger.removeHandler(self)
        if kind is None and self._seen:
            message = "Presidio skipped a recognizer."
            raise AnalyzerFailed(message)


def _span(result: Any, start: int) -> Span:
    entity = _OURS.get(result.entity_type, result.entity_type)
    return Span(start + result.start, start + result.end, entity, float(result.score))


def _engine(policy: Policy) -> AnalyzerEngine:
    nlp = OfflineSpacy(_package(policy))
    return AnalyzerEngine(registry=_registry(policy), nlp_engine=nlp, supported_languages=[LANGUAGE])


def _package(policy: Policy) -> str | None:
    if policy.ner == "on" and not ner_installed():
        message = "egress.ner is on, but no language model is installed. Run `pip install 'eluvix[ner]'`, or set egress.ner to auto or off."
        raise ConfigError(message)
    return NER_PACKAGE if policy.uses_ner() else None


def _registry(policy: Policy) -> RecognizerRegistry:
    ours = [
        RuleRecognizer(name, rule)
        for name, rule in RECOGNIZERS.items()
        if any(policy.action(entity) != "allow" for entity in rule.entities)
    ]
    theirs = [
        OfflineEmail(),
        CreditCardRecognizer(),
        IbanRecognizer(),
        CryptoRecognizer(),
        EsNifRecognizer(supported_language=LANGUAGE),
        EsNieRecognizer(supported_language=LANGUAGE),
        FiPersonalIdentityCodeRecognizer(supported_language=LANGUAGE),
        ItFiscalCodeRecognizer(supported_language=LANGUAGE),
        SgFinRecognizer(supported_language=LANGUAGE),
        UsMbiRecognizer(supported_language=LANGUAGE),
    ]
    return RecognizerRegistry(recognizers=[*ours, *theirs, NamedPersons()], supported_languages=[LANGUAGE])
