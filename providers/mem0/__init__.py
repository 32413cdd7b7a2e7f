"""Memories in a Mem0 server of one's own. The HTTP client is loaded with `providers.mem0.provider`, by those who use it."""
