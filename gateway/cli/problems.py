"""What went wrong, as one sentence with the next step."""

from __future__ import annotations

import errno
import traceback

from gateway.errors import EluvixError
from providers.base import ProviderError


def sentence(error: BaseException) -> str:
    """Never a traceback, and of what nobody foresaw never its message, which may quote somebody's text."""
    if isinstance(error, EluvixError | ProviderError):
        return str(error)
    if isinstance(error, OSError):
        return _of_system(error)
    frame = traceback.extract_tb(error.__traceback__)[-1:]
    where = "".join(f" in {step.name}, {step.filename.rpartition('/')[2]}:{step.lineno}" for step in frame)
    return f"This is a mistake in Eluvix: {type(error).__name__}{where}. Please report it with this line."


def _of_system(error: OSError) -> str:
    where = f"{error.filename}: " if error.filename else ""
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return f"{where}the disk is full. Free some space and try again."
    if error.errno in {errno.EMFILE, errno.ENFILE}:
        return f"{where}too many open files. Raise the limit (ulimit -n) and try again."
    return f"{where}{error.strerror or type(error).__name__}. Check the path and its permissions."
