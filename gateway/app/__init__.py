"""The application: parts built from settings, the hot path in front of FastAPI, start, reload and stop.

Nothing is imported here, so that a command that needs one module of it does not load the web framework.
"""
