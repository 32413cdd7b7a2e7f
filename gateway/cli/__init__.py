"""The command line: `eluvix`."""

from __future__ import annotations

from gateway.cli.main import main

__all__ = ["main"]
