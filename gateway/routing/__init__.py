"""Routing: from a model name to the upstreams that are tried, in order."""
