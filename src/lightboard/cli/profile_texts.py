"""Texts of tables about captures: names that fit, and times."""

import shutil

OPERATOR_WIDTH = 48
"""What columns other than the name of an operator take at most, if there are no scopes."""


def clipped(name: str, taken: int = OPERATOR_WIDTH) -> str:
    """A name that fits beside columns of this width. Names of kernels differ at both ends."""
    room = max(24, shutil.get_terminal_size().columns - taken)
    return name if len(name) <= room else f"{name[: room - room // 2 - 1]}…{name[-(room // 2) :]}"


def time_text(microseconds: float) -> str:
    """A time with three or more digits: `12.5 µs`, `3.84 ms`, `1.20 s`."""
    for unit, size in (("s", 1e6), ("ms", 1e3)):
        if microseconds >= size:
            return f"{microseconds / size:,.2f} {unit}"
    return f"{microseconds:.1f} µs"
