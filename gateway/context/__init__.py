"""What the gateway adds to a request: the query, recall, the block and its place."""
