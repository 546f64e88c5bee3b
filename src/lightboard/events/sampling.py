"""Fewer points of one series for answers that must stay short, chosen the same way every time.

Not for drawing: charts are thinned by pixel column in the core, which is exact for what is drawn.
"""

from collections.abc import Sequence


def kept_indices(count: int, most: int, precious: Sequence[int] = ()) -> list[int]:
    """Which of `count` points to keep, in order: at most `most`, 0 = all.

    Evenly spaced, and always the last, the first and those of `precious` as far as there is room, in this order.
    """
    if most <= 0 or count <= most:
        return list(range(count))
    wanted = dict.fromkeys([count - 1, 0, *precious])
    kept = set(list(wanted)[:most])
    free = most - len(kept)
    if free > 0:
        # The precious ones may fall on evenly spaced places; then fewer than `most` points are kept, never more.
        kept.update((count - 1) * (place + 1) // (free + 1) for place in range(free))
    return sorted(kept)
