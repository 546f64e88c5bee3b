"""Numbers that came with a request: the one way to read them out of text. Fields of models have bounds of their own."""

import math
import re

MOST = 2**63 - 1
"""What a step, an offset or a row of a database can hold."""

WHOLE = re.compile(r"[0-9]{1,19}")
"""ASCII only: `²` is a digit for Python and no number, and thousands of digits take long to read."""

DOUBLE = re.compile(r"[+-]?(?:[0-9]{1,300}(?:\.[0-9]{0,300})?|\.[0-9]{1,300})(?:[eE][+-]?[0-9]{1,5})?")


def whole_number(text: str, most: int = MOST) -> int | None:
    """A number from 0 to `most`; None for anything else."""
    if not WHOLE.fullmatch(text):
        return None
    number = int(text)
    return number if number <= most else None


def double(text: str) -> float | None:
    """A finite number; None for anything else."""
    if not DOUBLE.fullmatch(text):
        return None
    number = float(text)
    return number if math.isfinite(number) else None
