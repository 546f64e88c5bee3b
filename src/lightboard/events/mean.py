"""The mean of numbers, whatever their size."""

import math
from collections.abc import Sequence

SMALL = 2.0**-64
"""Values whose sum is beyond all numbers are made this much smaller meanwhile: no series has more points."""


def mean_of(values: Sequence[float]) -> float:
    """The mean of finite values, of which there is at least one; it lies between the least and the greatest."""
    least, greatest = min(values), max(values)
    try:
        mean = math.fsum(values) / len(values)
    except OverflowError:
        # Powers of two: the division by the smaller number is exact, and never beyond the greatest value.
        mean = math.fsum(value * SMALL for value in values) / len(values)
        mean = min(max(mean, least * SMALL), greatest * SMALL) / SMALL
    return min(max(mean, least), greatest)
