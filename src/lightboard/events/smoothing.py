"""TensorBoard's smoothing: an exponential moving average, corrected for its bias towards the initial zero."""

import math
from array import array
from collections.abc import Sequence

from lightboard.events.protocol import Bytes


def smooth_values(values: Sequence[float], weight: float) -> list[float]:
    """Smooth a whole series.

    last := weight * last + (1 - weight) * y, starting at 0; the result is last / (1 - weight^n), where n is the number
    of finite values so far. A constant series is not changed. Non-finite values are passed through and not counted.
    Raises ValueError unless 0 <= weight <= 1.
    """
    if not 0 <= weight <= 1:
        raise ValueError(f"smoothing weight must be between 0 and 1, not {weight}")
    if all(value == values[0] for value in values):
        return list(values)
    last, power, smoothed = 0.0, 1.0, []
    for value in values:
        if not math.isfinite(value):
            smoothed.append(value)
            continue
        last = last * weight + (1 - weight) * value
        power *= weight
        smoothed.append(last if weight == 1 else last / (1 - power))
    return smoothed


def smooth(values: Bytes, weight: float) -> bytes:
    """`smooth_values` for packed little-endian float64."""
    column = array("d")
    column.frombytes(bytes(values))
    return array("d", smooth_values(column, weight)).tobytes()
