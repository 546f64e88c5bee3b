"""Selects a few points of a series for responses of limited size, deterministically.

Not used for drawing: the core downsamples charts by pixel column, which is exact.
"""

from collections.abc import Sequence


def sample_indices(count: int, limit: int, required: Sequence[int] = ()) -> list[int]:
    """The indices of the points to keep, in order: at most `limit` of `count`, 0 = all.

    Evenly spaced, and always the last, the first and the `required` ones, in this order, as far as the limit allows.
    """
    if limit <= 0 or count <= limit:
        return list(range(count))
    preferred = dict.fromkeys([count - 1, 0, *required])
    kept = set(list(preferred)[:limit])
    free = limit - len(kept)
    if free > 0:
        # If required indices coincide with evenly spaced ones, fewer than `limit` points are kept.
        kept.update((count - 1) * (i + 1) // (free + 1) for i in range(free))
    return sorted(kept)
