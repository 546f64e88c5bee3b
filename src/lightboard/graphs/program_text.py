"""Programs that compilers print, by lines of a bounded length."""

from collections.abc import Iterator, Sequence

from lightboard import cancellation
from lightboard.errors import Unshowable

MAX_BYTES = 128 << 20
"""Larger texts are not read."""

LINES_PER_CHECK = 5000


def lines_of(data: bytes) -> list[str]:
    """The lines of a text. Raises Unshowable if it is too large."""
    if len(data) > MAX_BYTES:
        raise Unshowable(f"the text has {len(data) >> 20:,} MB; at most {MAX_BYTES >> 20} MB are read")
    return data.decode("utf-8", "replace").split("\n")


def while_wanted(lines: Sequence[str]) -> Iterator[str]:
    """The same lines, as long as nobody has cancelled."""
    for at, line in enumerate(lines):
        if at % LINES_PER_CHECK == 0:
            cancellation.check()
        yield line


def both_ends(line: str, max_chars: int) -> str:
    """A line, or the two ends of a longer one, which has constants in between."""
    return line if len(line) <= max_chars else f"{line[: max_chars // 2]} {line[-max_chars // 2 :]}"
