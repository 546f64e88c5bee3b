"""The mean of numbers of any magnitude."""

import math
from collections.abc import Sequence

SMALL = 2.0**-64
"""Values are scaled by this if their sum overflows. No series has more points than its inverse."""


def mean_of(values: Sequence[float]) -> float:
    """The mean of one or more finite values. It lies between the minimum and the maximum."""
    least, greatest = min(values), max(values)
    try:
        mean = math.fsum(values) / len(values)
    except OverflowError:
        # SMALL is a power of two, so dividing by it is exact and does not exceed the greatest value.
        mean = math.fsum(value * SMALL for value in values) / len(values)
        mean = min(max(mean, least * SMALL), greatest * SMALL) / SMALL
    return min(max(mean, least), greatest)
