"""What is said about the running gateway: log lines and metrics. Never a text of anyone, never a user as a label."""

from __future__ import annotations

from gateway.telemetry.logs import configure_logging, request_id
from gateway.telemetry.metrics import Metrics, new_registry

__all__ = ["Metrics", "configure_logging", "new_registry", "request_id"]
