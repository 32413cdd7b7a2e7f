"""The classifying worker: presidio and the rules together, offline, and closed when anything fails."""

from __future__ import annotations

import json
import logging
import socket
import time
from typing import TYPE_CHECKING, Any, NoReturn

import pytest
import tldextract
from presidio_analyzer import Pattern, PatternRecognizer

from gateway.egress import classify as classify_module
from gateway.egress import policy as policies
from gateway.egress.classify import Classifier, classify
from gateway.egress.pieces import LONGEST_RUN, PIECE, pieces
from gateway.egress.policy import Policy, ner_installed
from gateway.egress.presidio import Analyzer, AnalyzerFailed
from gateway.errors import ConfigError
from tests.unit.egress.cases import HARMLESS
from tests.unit.egress.templates import filled

if TYPE_CHECKING:
    from collections.abc import Iterator

needs_model = pytest.mark.skipif(not ner_installed(), reason="the optional language model is not installed")


@pytest.fixture(scope="module")
def plain() -> Classifier:
    return Classifier(Policy(ner="off"))


@pytest.fixture(scope="module")
def named() -> Classifier:
    return Classifier(Policy(ner="on"))


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    asked: list[Any] = []

    def refused(*args: object, **_: object) -> NoReturn:
        asked.append(args)
        raise OSError

    monkeypatch.setattr(socket, "getaddrinfo", refused)
    monkeypatch.setattr(socket.socket, "connect", refused)
    yield asked


def payload(*texts: str, policy: Policy | None = None) -> dict[str, Any]:
    return {"texts": list(texts), "policy": (policy or Policy(ner="off")).to_json()}


def test_verdicts_come_in_the_order_of_the_texts_as_json() -> None:
    token, _ = filled("use ⟦ghp_{A36}⟧")
    answer = json.loads(json.dumps(classify(payload("Prefers tabs.", "mail anna.meyer@acme.org", token))))
    assert [verdict["sensitivity"] for verdict in answer["verdicts"]] == ["none", "medium", "high"]
    assert [verdict["masked"] for verdict in answer["verdicts"]] == ["Prefers tabs.", "mail [redacted:email]", ""]
    assert answer["verdicts"][1]["entities"] == ["EMAIL_ADDRESS"]
    assert answer["verdicts"][1]["spans"][0][:3] == [5, 24, "EMAIL_ADDRESS"]
    assert {verdict["policy"] for verdict in answer["verdicts"]} == {Policy(ner="off").version}


def test_an_engine_is_built_once_for_a_policy() -> None:
    classify(payload("a"))
    before = classify_module._classifier.cache_info()
    classify(payload("b"))
    after = classify_module._classifier.cache_info()
    assert (after.misses, after.hits) == (before.misses, before.hits + 1)


def test_nothing_is_looked_up_on_the_network(no_network: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = tldextract.TLDExtract(cache_dir=None)  # whoever asks the shared one goes to the network
    monkeypatch.setattr(tldextract.tldextract, "TLD_EXTRACTOR", fresh)
    spans = Classifier(Policy(ner="off")).spans("write to anna.meyer@acme-robotics.co.uk or m@x.museum")
    assert [span.entity for span in spans] == ["EMAIL_ADDRESS", "EMAIL_ADDRESS"]
    assert no_network == []


def test_an_expression_that_times_out_counts_as_a_failure(plain: Classifier, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = PatternRecognizer("CRYPTO", patterns=[Pattern("slow", r"(x+x+)+y", 0.9)], supported_language="en")
    analyzer = Analyzer(plain.policy)
    analyzer._engine.registry.add_recognizer(slow)
    classifier = Classifier(plain.policy)  # its analyzer must not take the watch away from the other
    monkeypatch.setattr("presidio_analyzer.pattern_recognizer.REGEX_TIMEOUT_SECONDS", 0.05)
    with pytest.raises(AnalyzerFailed):
        analyzer.spans("x" * 200)
    classifier._analyzer = analyzer
    assert [span.entity for span in classifier.spans("x" * 200)] == ["UNSCANNED"]


def test_the_time_out_of_expressions_is_short(plain: Classifier) -> None:
    from presidio_analyzer import pattern_recognizer

    assert pattern_recognizer.REGEX_TIMEOUT_SECONDS == 1


def test_a_text_that_takes_too_long_is_not_looked_through_to_the_end(plain: Classifier) -> None:
    with pytest.raises(AnalyzerFailed):
        plain._analyzer.spans("word " * 3000, seconds=-1.0)


def test_a_hostile_run_is_cut_before_presidio_sees_it(plain: Classifier) -> None:
    begin = time.process_time()
    plain.spans("http://a:" * 7000)
    assert time.process_time() - begin < 30  # uncut, it takes a minute and more


def test_an_engine_that_raises_keeps_the_text_here(plain: Classifier) -> None:
    class Broken:
        def spans(self, text: str) -> NoReturn:
            raise RuntimeError

    classifier = Classifier(plain.policy)
    classifier._analyzer = Broken()  # type: ignore[assignment]
    assert [span.entity for span in classifier.spans("harmless")] == ["UNSCANNED"]


def test_a_text_over_the_limit_is_not_given_to_presidio(plain: Classifier) -> None:
    assert [span.entity for span in plain.spans("x " * 40_000)] == ["UNSCANNED"]


def test_presidio_logs_nothing(plain: Classifier, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        plain.spans("mail anna.meyer@acme.org, card 4539 1488 0343 6467")
    assert caplog.records == []


@pytest.mark.parametrize("text", HARMLESS)
def test_presidio_adds_nothing_to_a_harmless_sentence(plain: Classifier, text: str) -> None:
    assert plain.spans(text) == ()


def test_a_wallet_address_is_found_by_presidio(plain: Classifier) -> None:
    assert [
        span.entity for span in plain.spans("donate to bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4 or 16Yeky6GMjeNkAiNcBY7ZhrLoMSgg1BoyZ")
    ] == ["CRYPTO", "CRYPTO"]


@needs_model
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Zebulon Thackeray approves the budget every Friday.", "Zebulon Thackeray"),
        ("Ask Oluwaseun Adebayo-Williams about the contract.", "Oluwaseun Adebayo-Williams"),
    ],
)
def test_the_language_model_finds_names_that_no_rule_knows(named: Classifier, text: str, name: str) -> None:
    assert name in {text[span.start : span.end] for span in named.spans(text) if span.entity == "PERSON"}


@needs_model
@pytest.mark.parametrize("text", HARMLESS)
def test_products_and_terms_are_no_people(named: Classifier, text: str) -> None:
    assert named.spans(text) == ()


def test_a_model_that_is_asked_for_and_missing_is_an_error_with_the_next_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateway.egress.presidio.ner_installed", lambda: False)
    with pytest.raises(ConfigError, match=r"pip install 'eluvix\[ner\]'"):
        Analyzer(Policy(ner="on"))


def test_without_a_model_auto_means_rules_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policies, "ner_installed", lambda: False)
    policy = Policy(ner="auto")
    assert not policy.uses_ner()
    assert Classifier(policy).spans("Prefers tabs.") == ()


def test_pieces_are_short_and_make_the_whole_text() -> None:
    text = "word " * 3000 + "x" * 3000 + " end"
    cut = list(pieces(text))
    assert all(len(piece) <= PIECE for _, piece in cut)
    assert all(text.startswith(piece, start) for start, piece in cut)
    assert "".join(piece for _, piece in cut) == text
    assert len(list(pieces("x" * 3000))) >= 5
    assert max(len(run) for _, piece in cut for run in piece.split()) <= LONGEST_RUN + 1
