"""Series of histograms at hand: read once, kept while nothing changes, a number of bytes at most.

Not here: what is drawn of them (`query.histogrammaps`), and the bytes of one value.
"""

import zlib
from collections import OrderedDict
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import NamedTuple, TypeAlias, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from lightboard.cancellation import finish
from lightboard.events.histograms import Histogram, Rows, histogram_of, histograms_of
from lightboard.events.payloads import MAX_BYTES
from lightboard.events.sampling import kept_indices
from lightboard.query.bulk import read_many
from lightboard.query.densities import Floats, Masses, Range, full_range, masses_of, robust_range
from lightboard.query.provider import Provider
from lightboard.query.values import Values

PLUGIN = "histograms"
T = TypeVar("T")

MOST_VALUES = 10_000
"""Histograms of one series that are looked at for a picture; more are passed over evenly."""

MOST_BYTES = 48 << 20
"""Bytes of them: a million buckets take 24 MB."""

KEPT_BYTES = 128 << 20
"""What all series at hand take together."""

MOST_BUCKETS = 4096
"""Buckets of one histogram that are told singly; of more, neighbours are put together."""

LOT = 512
"""Histograms read at once."""

LOT_BYTES = 1 << 20
"""Of more than one."""

BUCKET_BYTES, LEAST_BUCKET_BYTES = 56, 16
"""What a bucket takes to be drawn, and what it takes in a file at least."""


MOST_RANGES = 100_000
"""Series whose ranges are kept when they themselves are not."""


class Ranges(NamedTuple):
    """From where to where the values of a series lie, outliers left out or not; None without any."""

    robust: Range | None
    full: Range | None


@dataclass(frozen=True, slots=True)
class Series:
    """A series of histograms to draw from: those that are looked at of the `held` ones, in order.

    `steps` and `walls` (seconds) [n]; `unshown` values are malformed or too large, and stand there empty.
    """

    steps: Floats
    walls: Floats
    masses: Masses
    ranges: Ranges
    held: int
    unshown: int


class Told(NamedTuple):
    """One histogram, every bucket of it as (left, right, count), or of very many neighbours together: `merged` in each
    row."""

    buckets: list[tuple[float, float, float]]
    held: int
    merged: int


class HistogramCache:
    """An LRU cache of series by run, tag and whether superseded values count."""

    def __init__(self, most_bytes: int = KEPT_BYTES) -> None:
        self._most_bytes = most_bytes
        self._series: OrderedDict[tuple[str, str, bool], tuple[int, Series]] = OrderedDict()
        self._ranges: OrderedDict[tuple[str, str, bool], tuple[int, Ranges]] = OrderedDict()
        self._lock = Lock()

    def find_ranges(self, key: tuple[str, str, bool], stamp: int) -> Ranges | None:
        """The ranges of the series, if it has not changed since."""
        with self._lock:
            stood, ranges = self._ranges.get(key, (0, None))
            return ranges if stood == stamp else None

    def find(self, key: tuple[str, str, bool], stamp: int) -> Series | None:
        """The series, if it has not changed since."""
        with self._lock:
            stood, series = self._series.get(key, (0, None))
            if series is None or stood != stamp:
                return None
            self._series.move_to_end(key)
            return series

    def put(self, key: tuple[str, str, bool], stamp: int, series: Series) -> None:
        """Keep a series, and drop the least recently used ones above the limit."""
        with self._lock:
            self._series[key] = (stamp, series)
            self._series.move_to_end(key)
            size = sum(one.masses.nbytes for _, one in self._series.values())
            while size > self._most_bytes and self._series:
                _, (_, gone) = self._series.popitem(last=False)
                size -= gone.masses.nbytes
            self._ranges[key] = (stamp, series.ranges)
            self._ranges.move_to_end(key)
            while len(self._ranges) > MOST_RANGES:
                self._ranges.popitem(last=False)


_CACHES: WeakKeyDictionary[Provider, HistogramCache] = WeakKeyDictionary()


Steps: TypeAlias = Generator[int | None, None, T]
"""Work that gives way to others between its steps, and what it comes to; a number says how many bytes it will hold."""


def read_series(provider: Provider, run: str, tag: str, orphans: bool = False) -> Series:
    """A series to draw from. Raises RunNotFound, TagNotFound, ValueNotFound."""
    return finish(series_steps(provider, run, tag, orphans))


def series_steps(provider: Provider, run: str, tag: str, orphans: bool = False) -> Steps[Series]:
    """The same, some histograms at a time. Raises before the first step."""
    values = provider.values(PLUGIN, run, tag, orphans)
    cache = _CACHES.setdefault(provider, HistogramCache())
    key, stamp = (run, tag, orphans), stamp_of(values)
    found = cache.find(key, stamp)
    if found is None:
        found = yield from look_at(provider, values)
        cache.put(key, stamp, found)
    return found


def range_steps(provider: Provider, run: str, tag: str, orphans: bool = False) -> Steps[Ranges]:
    """The ranges of a series, mostly without reading it. Raises as `read_series`."""
    values = provider.values(PLUGIN, run, tag, orphans)
    cache = _CACHES.setdefault(provider, HistogramCache())
    known = cache.find_ranges((run, tag, orphans), stamp_of(values))
    return known or (yield from series_steps(provider, run, tag, orphans)).ranges


def stamp_of(values: Values) -> int:
    """Changes when values come or go; another file in the place of one has other wall times."""
    stamp = zlib.crc32("\n".join(values.paths).encode("utf-8", "replace"))
    for column in (values.offsets, values.walls, values.steps):
        stamp = zlib.crc32(np.asarray(column).tobytes(), stamp)
    return stamp


def look_at(provider: Provider, values: Values) -> Steps[Series]:
    """Read as many values of a series as are looked at."""
    chosen = looked_at(values.lengths)
    yield BUCKET_BYTES * sum(values.lengths[at] for at in chosen) // LEAST_BUCKET_BYTES
    rows, unshown = [], 0
    for _, histogram in histograms_in_lots(provider, values, chosen):
        rows.append(np.zeros((0, 3)) if histogram is None else histogram.rows)
        unshown += histogram is None
        yield None
    steps, walls = np.asarray(values.steps)[chosen], np.asarray(values.walls)[chosen]
    masses = masses_of(rows)
    yield None
    ranges = Ranges(robust_range(masses), full_range(masses))
    yield None
    return Series(steps.astype(np.float64), walls, masses, ranges, len(values), unshown)


def looked_at(lengths: Sequence[int]) -> list[int]:
    """Which values of these lengths (bytes) are looked at: all, or evenly as many as may be."""
    sizes = np.asarray(lengths, np.float64)
    total = float(sizes[sizes <= MAX_BYTES].sum())
    most = min(MOST_VALUES, int(len(lengths) * MOST_BYTES / total) if total > MOST_BYTES else MOST_VALUES)
    return kept_indices(len(lengths), max(2, most))


def read_histograms(provider: Provider, values: Values, chosen: Sequence[int]) -> list[Histogram | None]:
    """The chosen histograms, None for those that cannot be shown; too large ones are not read."""
    readable = [at for at in chosen if values.lengths[at] <= MAX_BYTES]
    read = dict(read_many(provider, values, readable))
    found = dict(zip(read, histograms_of(list(read.values())), strict=True))
    return [found.get(at) for at in chosen]


def read_one(provider: Provider, values: Values, at: int) -> Rows:
    """Every bucket of one histogram, exactly. Raises Unshowable, ValueNotFound."""
    place = values.place(at)
    # One byte more than may be is enough to be refused.
    return histogram_of(provider.read(place, 0, min(place.length, MAX_BYTES + 1))).rows


def tell(rows: Rows) -> Told:
    """One histogram for a page: at most `MOST_BUCKETS` rows, neighbours put together where there are more."""
    merged = -(-len(rows) // MOST_BUCKETS) or 1
    if merged > 1:
        begins = np.arange(0, len(rows), merged)
        last = np.minimum(begins + merged, len(rows)) - 1
        rows = np.stack([rows[begins, 0], rows[last, 1], np.add.reduceat(rows[:, 2], begins)], axis=1)
        held = int(last[-1]) + 1
    else:
        held = len(rows)
    return Told([(left, right, count) for left, right, count in rows.tolist()], held, merged)


def every_one(provider: Provider, values: Values) -> Iterator[tuple[int, Histogram]]:
    """Every histogram of a series that can be shown, exactly, with its number, a lot in memory at a time."""
    for at, histogram in histograms_in_lots(provider, values, range(len(values))):
        if histogram is not None:
            yield at, histogram


def histograms_in_lots(
    provider: Provider, values: Values, chosen: Sequence[int]
) -> Iterator[tuple[int, Histogram | None]]:
    """The chosen histograms with their numbers, None for those that cannot be shown, a lot in memory at a time."""
    begin = 0
    while begin < len(chosen):
        end, size = begin, 0
        while end < min(begin + LOT, len(chosen)):
            size += values.lengths[chosen[end]]
            if end > begin and size > LOT_BYTES:
                break
            end += 1
        lot = chosen[begin:end]
        yield from zip(lot, read_histograms(provider, values, lot), strict=True)
        begin = end
