"""Prints lines of logs, which are what somebody's program has written."""

import sys

from lightboard.cli.output import show
from lightboard.untrusted.terminal_text import styled


def show_log_line(line: str) -> None:
    """Print a line of a log to stdout: to a terminal with its colours alone, to a file or pipe as it is."""
    show(styled(line) if sys.stdout is not None and sys.stdout.isatty() else line)
