"""Eluvix: an OpenAI-compatible gateway with a memory that stays at home."""

__version__ = "0.1.0"
