"""The cache of histogram series: limited in bytes, least recently used first, ranges kept."""

import numpy as np

from lightboard.query.densities import masses_of
from lightboard.query.histograms import HistogramCache, Ranges, Series

Key = tuple[str, str, bool]


def series(at: float) -> Series:
    """One histogram at a position."""
    masses = masses_of([np.array([[at, at + 1, 1.0]])])
    return Series(np.zeros(1), np.zeros(1), masses, Ranges((at, at + 1), (at, at + 1)), 1, 0)


def key(name: str) -> Key:
    return name, "w", False


def test_the_least_recently_used_series_is_dropped() -> None:
    """Its range stays, because shared ranges need those of many runs."""
    size = series(0).masses.nbytes
    cache = HistogramCache(most_bytes=2 * size)
    for at, name in enumerate("abc"):
        cache.put(key(name), 1, series(at))
        cache.find(key("a"), 1)
    assert [cache.find(key(name), 1) is not None for name in "abc"] == [True, False, True]
    assert cache.find_ranges(key("b"), 1) == Ranges((1, 2), (1, 2))


def test_changed_series_are_not_found() -> None:
    """Neither are their ranges."""
    cache = HistogramCache()
    cache.put(key("a"), 1, series(0))
    assert (cache.find(key("a"), 2), cache.find_ranges(key("a"), 2)) == (None, None)


def test_oversized_series_are_not_cached() -> None:
    """They are read again."""
    cache = HistogramCache(most_bytes=1)
    cache.put(key("a"), 1, series(0))
    assert cache.find(key("a"), 1) is None
