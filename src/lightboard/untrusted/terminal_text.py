"""Text of others for a terminal, which obeys what is in it.

Sequences set its title, write to the clipboard, answer as if typed, or move the cursor to what other programs have
printed. Marks of direction turn text, and others hide it.
"""

import re

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")

_SEQUENCE = re.compile(
    r"(?P<style>\x1b\[[0-9:;]*m)"
    r"|\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: cursor, screen, modes
    r"|\x1b[\]PX^_].*?(?:\x07|\x1b\\|$)"  # OSC, DCS and others with a text: title, clipboard, links
    r"|\x1b[^\x1b]?"
    r"|[\x00-\x08\x0a-\x1a\x1c-\x1f\x7f-\x9f]",
)


def escaped(text: str) -> str:
    """`text` on one line, with what a terminal obeys as it is written in programs."""
    return _CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def styled(line: str) -> str:
    """A line of a log with nothing that a terminal obeys but colours and emphasis.

    Other sequences are left out. Marks that turn or hide text are escaped; tabulators stay.
    """
    return line if line.isprintable() else "".join(map(_harmless, _parts(line)))


def _parts(line: str) -> list[str]:
    """Texts and styles in turn, without other sequences."""
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
    """A style as it is, a text without marks."""
    return part if part.startswith("\x1b") else "\t".join(map(escaped, part.split("\t")))
