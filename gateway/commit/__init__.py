"""What happens to a finished turn: a durable row first, its facts in memory afterwards."""
