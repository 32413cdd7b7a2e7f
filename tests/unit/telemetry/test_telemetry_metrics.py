"""The gateway's figures."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, generate_latest

from gateway.telemetry import Metrics, new_registry


def test_a_request_is_counted_by_endpoint_upstream_and_status_and_timed_under_the_conventions_names() -> None:
    registry = CollectorRegistry()
    metrics = Metrics(registry)
    metrics.request("/chat/completions", "home", 200, 0.002, 1.5)
    metrics.request("/chat/completions", "home", 200, 0.004, 2.5)
    metrics.refused("/embeddings", 502, 0.1)
    ok = {"endpoint": "/chat/completions", "upstream": "home", "status": "200"}
    assert registry.get_sample_value("eluvix_requests_total", ok) == 2
    assert registry.get_sample_value("eluvix_overhead_seconds_sum", {"endpoint": "/chat/completions"}) == 0.006
    chat = {"gen_ai_operation_name": "chat", "gen_ai_provider_name": "home", "error_type": "none"}
    assert registry.get_sample_value("gen_ai_client_operation_duration_seconds_sum", chat) == 4.0
    failed = {"gen_ai_operation_name": "embeddings", "gen_ai_provider_name": "none", "error_type": "502"}
    assert registry.get_sample_value("gen_ai_client_operation_duration_seconds_count", failed) == 1


def test_a_recall_that_was_not_made_is_counted_and_not_timed() -> None:
    registry = CollectorRegistry()
    metrics = Metrics(registry)
    metrics.recall("hit", 0.02)
    metrics.recall("off", 0.0)
    assert registry.get_sample_value("eluvix_recalls_total", {"status": "off"}) == 1
    assert registry.get_sample_value("eluvix_recall_seconds_count") == 1


def test_the_guard_is_counted_by_action() -> None:
    registry = CollectorRegistry()
    metrics = Metrics(registry)
    metrics.guard(2, stripped=False)
    metrics.guard(0, stripped=True)
    metrics.guard(0, stripped=False)
    counts = {
        action: registry.get_sample_value("eluvix_guard_actions_total", {"action": action}) for action in ("filtered", "stripped", "passed")
    }
    assert counts == {"filtered": 2, "stripped": 1, "passed": 1}


def test_everything_else_lands_under_its_name() -> None:
    registry = CollectorRegistry()
    metrics = Metrics(registry)
    metrics.cache("hit")
    metrics.upstream_error("home", "upstream_timeout")
    metrics.commit("committed")
    metrics.tokens("home", "input", 120)
    metrics.outbox(3, 1, 12.5)
    assert registry.get_sample_value("eluvix_cache_total", {"outcome": "hit"}) == 1
    assert registry.get_sample_value("eluvix_upstream_errors_total", {"upstream": "home", "kind": "upstream_timeout"}) == 1
    assert registry.get_sample_value("eluvix_commits_total", {"outcome": "committed"}) == 1
    tokens = {"gen_ai_provider_name": "home", "gen_ai_token_type": "input"}
    assert registry.get_sample_value("gen_ai_client_token_usage_sum", tokens) == 120
    assert registry.get_sample_value("eluvix_outbox_turns", {"state": "pending"}) == 3
    assert registry.get_sample_value("eluvix_outbox_turns", {"state": "dead"}) == 1
    assert registry.get_sample_value("eluvix_outbox_oldest_seconds") == 12.5


def test_two_gateways_in_one_process_keep_their_figures_apart() -> None:
    first, second = Metrics(new_registry()), Metrics(new_registry())
    first.cache("hit")
    assert b"eluvix_cache_total{" in generate_latest(first.registry)
    assert b"eluvix_cache_total{" not in generate_latest(second.registry)
