"""What is kept of series of histograms: a number of bytes, what was asked for last, and all that is small."""

import numpy as np

from lightboard.query.densities import masses_of
from lightboard.query.histograms import HistogramCache, Ranges, Series

Key = tuple[str, str, bool]


def series(at: float) -> Series:
    """One histogram around a place."""
    masses = masses_of([np.array([[at, at + 1, 1.0]])])
    return Series(np.zeros(1), np.zeros(1), masses, Ranges((at, at + 1), (at, at + 1)), 1, 0)


def key(name: str) -> Key:
    return name, "w", False


def test_the_longest_unused_goes_first_and_its_range_stays() -> None:
    """Ranges of many runs are asked for with every picture of one of them."""
    size = series(0).masses.nbytes
    cache = HistogramCache(most_bytes=2 * size)
    for at, name in enumerate("abc"):
        cache.put(key(name), 1, series(at))
        cache.find(key("a"), 1)
    assert [cache.find(key(name), 1) is not None for name in "abc"] == [True, False, True]
    assert cache.find_ranges(key("b"), 1) == Ranges((1, 2), (1, 2))


def test_what_has_changed_is_not_found() -> None:
    """Neither the series nor its ranges."""
    cache = HistogramCache()
    cache.put(key("a"), 1, series(0))
    assert (cache.find(key("a"), 2), cache.find_ranges(key("a"), 2)) == (None, None)


def test_one_series_larger_than_all_that_may_be_kept_is_not() -> None:
    """It is read again when it is asked for again."""
    cache = HistogramCache(most_bytes=1)
    cache.put(key("a"), 1, series(0))
    assert cache.find(key("a"), 1) is None
