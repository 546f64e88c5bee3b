"""Cached smoothing state of the compiled core never changes a result."""

import math
import random
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from lightboard.events import charts, python_decoder
from lightboard.testing import event_files as files

Range = tuple[float, float]
EVERYTHING: Range = (-math.inf, math.inf)
RANGES: list[Range] = [EVERYTHING, (700.0, 720.0), (100.0, 1900.0), (2100.0, 2200.5)]


class Comparison:
    """The same growing files in the core and in the pure-Python implementation."""

    def __init__(self, core: ModuleType) -> None:
        self.core = core
        self.native: list[tuple[Any, int]] = []
        self.python: list[tuple[Any, int]] = []

    def open(self) -> None:
        """Start another file of the run."""
        for parts, decoder in ((self.native, self.core.Decoder()), (self.python, python_decoder.Decoder())):
            decoder.feed(files.version_record())
            parts.append((decoder, -1))

    def write(self, data: bytes) -> None:
        """Append to the last file."""
        for parts in (self.native, self.python):
            decoder, _ = parts[-1]
            decoder.feed(data)
            parts[-1] = (decoder, 0 if decoder.series_count() else -1)

    def assert_equal_charts(
        self, weight: float, *, purge: bool = True, axis: int = 0, ranges: list[Range] = RANGES
    ) -> None:
        """Both draw the same bytes."""
        for x0, x1 in ranges:
            ask = (purge, 5, axis, x0, x1, 40, weight, True)
            assert self.core.series_chart(self.native, *ask) == charts.series_chart(self.python, *ask)


def walk(first: int, count: int, seed: int = 3) -> Iterator[bytes]:
    """Records of a random walk from step `first` on, with a few nonfinite values."""
    chance = random.Random(seed + first)
    value = 0.0
    for step in range(first, first + count):
        value += chance.gauss(0, 1)
        odd = chance.choice([math.nan, math.inf, -math.inf]) if chance.random() < 0.005 else value
        yield files.scalar_record("a", step, odd, 100.0 + step)


def test_growing_files_are_smoothed_alike(core: ModuleType) -> None:
    """In pieces of any size, with different weights in between."""
    comparison = Comparison(core)
    comparison.open()
    at = 0
    for size, weight in [(1100, 0.9), (1, 0.9), (63, 0.9), (700, 0.9), (64, 0.3), (300, 1.0), (200, 0.9)]:
        comparison.write(b"".join(walk(at, size)))
        at += size
        comparison.assert_equal_charts(weight)


def test_the_average_continues_in_the_next_file(core: ModuleType) -> None:
    """The earlier file may still grow."""
    comparison = Comparison(core)
    comparison.open()
    comparison.write(b"".join(walk(0, 1500)))
    comparison.assert_equal_charts(0.95)
    comparison.open()
    comparison.write(b"".join(walk(1500, 800)))
    comparison.assert_equal_charts(0.95)
    late = b"".join(walk(1400, 70))
    comparison.native[0][0].feed(late)
    comparison.python[0][0].feed(late)
    comparison.assert_equal_charts(0.95)


def test_restarts_invalidate_the_cache(core: ModuleType) -> None:
    """Superseded points are no longer part of the average, unless they are shown."""
    comparison = Comparison(core)
    comparison.open()
    comparison.write(b"".join(walk(0, 2000)))
    comparison.assert_equal_charts(0.95)
    comparison.write(files.start_record(step=1207))
    comparison.write(b"".join(walk(1207, 600, seed=8)))
    for purge in (True, False, True):
        comparison.assert_equal_charts(0.95, purge=purge)
    comparison.open()
    comparison.write(files.start_record(step=900))
    comparison.write(b"".join(walk(900, 1300, seed=9)))
    for purge in (True, False):
        comparison.assert_equal_charts(0.95, purge=purge)


def test_unsorted_times_are_smoothed_alike(core: ModuleType) -> None:
    """Such series take another code path."""
    comparison = Comparison(core)
    comparison.open()
    comparison.write(b"".join(walk(0, 1200)))
    comparison.write(b"".join(files.scalar_record("a", 1200 + i, i / 7, float(i % 50)) for i in range(400)))
    for axis in (1, 2):
        comparison.assert_equal_charts(0.6, axis=axis, ranges=[EVERYTHING, (20.0, 30.0)])


def test_the_cache_survives_a_change_to_float64(core: ModuleType) -> None:
    """Which happens at the first value that needs it."""
    comparison = Comparison(core)
    comparison.open()
    comparison.write(b"".join(walk(0, 1300)))
    comparison.assert_equal_charts(0.8)
    comparison.write(files.tensor_record("a", 1300, files.tensor(files.DOUBLE, [0.1])))
    comparison.write(b"".join(walk(1301, 300)))
    comparison.assert_equal_charts(0.8)


def test_constant_series_may_begin_to_vary(core: ModuleType) -> None:
    """They are not smoothed; the first other value changes that from the beginning."""
    comparison = Comparison(core)
    comparison.open()
    comparison.write(b"".join(files.scalar_record("a", step, 0.25) for step in range(1500)))
    comparison.assert_equal_charts(0.9)
    comparison.write(files.scalar_record("a", 1500, 0.5))
    comparison.assert_equal_charts(0.9)
