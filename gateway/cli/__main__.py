"""`python -m gateway.cli`: the command line where the console script is not on the path."""

from __future__ import annotations

from gateway.cli.main import main

main()
