"""Fewer points of one series for answers that must stay short, chosen the same way every time.

Not for drawing: charts are thinned by pixel column in the core, which is exact for what is drawn.
"""

from collections.abc import Sequence


def kept_indices(values: Sequence[float], most: int) -> list[int]:
    """Which of `values` to keep, in order: at most `most`, 0 = all.

    Evenly spaced, and always the first, the last, the smallest and the largest finite one; when there is room for
    fewer than four, the last wins over the first, the first over the smallest, the smallest over the largest.
    """
    count = len(values)
    if most <= 0 or count <= most:
        return list(range(count))
    wanted = dict.fromkeys([count - 1, 0, *extremes(values)])
    kept = set(list(wanted)[:most])
    free = most - len(kept)
    if free > 0:
        # The extremes may fall on evenly spaced places; then fewer than `most` points are kept, never more.
        kept.update((count - 1) * (place + 1) // (free + 1) for place in range(free))
    return sorted(kept)


def extremes(values: Sequence[float]) -> list[int]:
    """Index of the smallest and of the largest finite value, first of equals; empty if none is finite."""
    finite = [(value, index) for index, value in enumerate(values) if value - value == 0]
    if not finite:
        return []
    return [min(finite)[1], max(finite, key=lambda pair: (pair[0], -pair[1]))[1]]
