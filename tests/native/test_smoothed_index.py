"""What the compiled core keeps of smoothing long series never changes an answer."""

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
    """The same files in the compiled core and in the pure-Python implementation, growing alike."""

    def __init__(self, core: ModuleType) -> None:
        self.core = core
        self.native: list[tuple[Any, int]] = []
        self.python: list[tuple[Any, int]] = []

    def open(self) -> None:
        """Begin another file of the run."""
        for parts, decoder in ((self.native, self.core.Decoder()), (self.python, python_decoder.Decoder())):
            decoder.feed(files.version_record())
            parts.append((decoder, -1))

    def write(self, data: bytes) -> None:
        """Append to the last file."""
        for parts in (self.native, self.python):
            decoder, _ = parts[-1]
            decoder.feed(data)
            parts[-1] = (decoder, 0 if decoder.series_count() else -1)

    def agree(self, weight: float, *, purge: bool = True, axis: int = 0, ranges: list[Range] = RANGES) -> None:
        """Both draw the same bytes."""
        for x0, x1 in ranges:
            ask = (purge, 5, axis, x0, x1, 40, weight, True)
            assert self.core.series_chart(self.native, *ask) == charts.series_chart(self.python, *ask)


def walk(first: int, count: int, seed: int = 3) -> Iterator[bytes]:
    """Records of a random walk from step `first` on, now and then without a number."""
    chance = random.Random(seed + first)
    value = 0.0
    for step in range(first, first + count):
        value += chance.gauss(0, 1)
        odd = chance.choice([math.nan, math.inf, -math.inf]) if chance.random() < 0.005 else value
        yield files.scalar_record("a", step, odd, 100.0 + step)


def test_a_file_that_grows(core: ModuleType) -> None:
    """In pieces of any size, each asked about, by different weights in between."""
    comparison = Comparison(core)
    comparison.open()
    at = 0
    for size, weight in [(1100, 0.9), (1, 0.9), (63, 0.9), (700, 0.9), (64, 0.3), (300, 1.0), (200, 0.9)]:
        comparison.write(b"".join(walk(at, size)))
        at += size
        comparison.agree(weight)


def test_another_file_goes_on_from_the_first(core: ModuleType) -> None:
    """The average comes over from the file before, which may still grow itself."""
    comparison = Comparison(core)
    comparison.open()
    comparison.write(b"".join(walk(0, 1500)))
    comparison.agree(0.95)
    comparison.open()
    comparison.write(b"".join(walk(1500, 800)))
    comparison.agree(0.95)
    late = b"".join(walk(1400, 70))
    comparison.native[0][0].feed(late)
    comparison.python[0][0].feed(late)
    comparison.agree(0.95)


def test_a_restart_cuts_what_was_kept(core: ModuleType) -> None:
    """Points made void later are no part of the average any more, unless they are asked for."""
    comparison = Comparison(core)
    comparison.open()
    comparison.write(b"".join(walk(0, 2000)))
    comparison.agree(0.95)
    comparison.write(files.start_record(step=1207))
    comparison.write(b"".join(walk(1207, 600, seed=8)))
    for purge in (True, False, True):
        comparison.agree(0.95, purge=purge)
    comparison.open()
    comparison.write(files.start_record(step=900))
    comparison.write(b"".join(walk(900, 1300, seed=9)))
    for purge in (True, False):
        comparison.agree(0.95, purge=purge)


def test_time_that_jumps(core: ModuleType) -> None:
    """Series in disorder are drawn another way, from the same values."""
    comparison = Comparison(core)
    comparison.open()
    comparison.write(b"".join(walk(0, 1200)))
    comparison.write(b"".join(files.scalar_record("a", 1200 + i, i / 7, float(i % 50)) for i in range(400)))
    for axis in (1, 2):
        comparison.agree(0.6, axis=axis, ranges=[EVERYTHING, (20.0, 30.0)])


def test_values_that_become_wide(core: ModuleType) -> None:
    """What was kept of float32 values holds when a value comes that needs float64."""
    comparison = Comparison(core)
    comparison.open()
    comparison.write(b"".join(walk(0, 1300)))
    comparison.agree(0.8)
    comparison.write(files.tensor_record("a", 1300, files.tensor(files.DOUBLE, [0.1])))
    comparison.write(b"".join(walk(1301, 300)))
    comparison.agree(0.8)


def test_a_series_that_ceases_to_be_constant(core: ModuleType) -> None:
    """A constant series is left alone; the first other value makes an average of it from its beginning."""
    comparison = Comparison(core)
    comparison.open()
    comparison.write(b"".join(files.scalar_record("a", step, 0.25) for step in range(1500)))
    comparison.agree(0.9)
    comparison.write(files.scalar_record("a", 1500, 0.5))
    comparison.agree(0.9)
