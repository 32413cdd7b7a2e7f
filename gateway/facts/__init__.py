"""Facts and levels (L0, L1) of what the user said, by rules and without a model. Imports nothing of the gateway but this package."""
