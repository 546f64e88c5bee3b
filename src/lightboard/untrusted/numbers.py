"""Parses numbers of requests. Only these functions are used, except for fields of models."""

import math
import re

MAX_INT64 = 2**63 - 1
"""The maximum of a step, an offset or a database row."""

WHOLE = re.compile(r"[0-9]{1,19}")
"""ASCII only, since Python counts `²` as a digit, and limited, since thousands of digits take long to parse."""

DOUBLE = re.compile(r"[+-]?(?:[0-9]{1,300}(?:\.[0-9]{0,300})?|\.[0-9]{1,300})(?:[eE][+-]?[0-9]{1,5})?")


def whole_number(text: str, most: int = MAX_INT64) -> int | None:
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
