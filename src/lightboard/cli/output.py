"""Words for people go to stderr; data goes to stdout."""

import contextlib
import sys


def say(line: str) -> None:
    """One line to stderr, at once. A closed terminal is no reason to stop serving."""
    with contextlib.suppress(OSError):
        print(line, file=sys.stderr, flush=True)
