"""Prints lines of logs, which are what somebody's program has written.

A terminal obeys sequences in them that set its title, write to the clipboard, answer as if typed, or move the cursor to
what other programs have printed. So a terminal gets colours alone; a file or pipe gets every line as it is.
"""

import re
import sys

from lightboard.cli.output import plain, show

_SEQUENCE = re.compile(
    r"(?P<style>\x1b\[[0-9:;]*m)"
    r"|\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: cursor, screen, modes
    r"|\x1b[\]PX^_].*?(?:\x07|\x1b\\|$)"  # OSC, DCS and others with a text: title, clipboard, links
    r"|\x1b[^\x1b]?"
    r"|[\x00-\x08\x0a-\x1a\x1c-\x1f\x7f-\x9f]",
)


def show_log_line(line: str) -> None:
    """Print a line of a log to stdout."""
    show(styled_text(line) if sys.stdout is not None and sys.stdout.isatty() else line)


def styled_text(line: str) -> str:
    """A line with nothing that a terminal obeys but colours and emphasis.

    Marks that turn or hide text are shown as they are written in programs.
    """
    return line if line.isprintable() else "".join(map(_harmless, _parts(line)))


def _parts(line: str) -> list[str]:
    """Texts and styles in turn; other sequences are left out."""
    parts = [""]
    at = 0
    for match in _SEQUENCE.finditer(line):
        parts[-1] += line[at : match.start()]
        at = match.end()
        if match["style"]:
            parts += [match["style"], ""]
    parts[-1] += line[at:]
    return parts


def _harmless(part: str) -> str:
    """A style as it is, a text without marks; tabulators stay."""
    return part if part.startswith("\x1b") else "\t".join(map(plain, part.split("\t")))
