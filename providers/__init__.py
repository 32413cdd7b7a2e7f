"""Memory providers: where memories live. They know nothing of HTTP servers or of the gateway."""
