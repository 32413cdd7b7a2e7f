"""What concerns every URL, as plain ASGI classes: nothing is buffered, a client's leaving is seen by whoever listens for it."""

from __future__ import annotations

from gateway.api.middleware.access_log import AccessLog
from gateway.api.middleware.base_path import BasePath
from gateway.api.middleware.body_limit import BodyLimit
from gateway.api.middleware.error_boundary import ErrorBoundary
from gateway.api.middleware.host_check import HostCheck, HostRules
from gateway.api.middleware.request_id import RequestId

__all__ = ["AccessLog", "BasePath", "BodyLimit", "ErrorBoundary", "HostCheck", "HostRules", "RequestId"]
