"""Reads series of histograms, and caches them until they change.

Not here: drawing them (`query.histogrammaps`), parsing one value (`events.histograms`).
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
from lightboard.events.histograms import Histogram, Rows, parse_histogram, parse_histograms
from lightboard.events.payloads import MAX_BYTES
from lightboard.events.sampling import sample_indices
from lightboard.query.bulk import read_many
from lightboard.query.densities import Floats, Masses, Range, full_range, masses_of, robust_range
from lightboard.query.provider import ValueProvider
from lightboard.query.values import Values

PLUGIN = "histograms"
T = TypeVar("T")

MAX_VALUES = 10_000
"""Limit of the histograms read of one series for a picture. Longer series are sampled evenly."""

MAX_SERIES_BYTES = 48 << 20
"""Limit of the bytes read of one series for a picture. A million buckets take 24 MB."""

MAX_CACHED_BYTES = 128 << 20
"""Limit of the size of all cached series of a provider."""

MAX_BUCKETS = 4096
"""Limit of the buckets of one histogram in a response. If there are more, neighbours are merged."""

BATCH = 512
"""Limit of the histograms read at once."""

BATCH_BYTES = 1 << 20
"""Limit of the bytes read at once, unless a single histogram is larger."""

BUCKET_BYTES, MIN_BUCKET_BYTES = 56, 16
"""The size of a bucket in memory while a series is loaded, and its minimum size in a file."""

MAX_CACHED_RANGES = 100_000
"""Limit of the series whose ranges are cached, also after the series themselves were dropped."""


class Ranges(NamedTuple):
    """The range of the values of a series, without outliers (`robust`) and with them. None if it has no values."""

    robust: Range | None
    full: Range | None


@dataclass(frozen=True, slots=True)
class Series:
    """A series of n histograms, sampled from the `held` values of the series in the logs, in order.

    `steps` and `walls` (seconds) are [n]. `unshown` of the histograms are malformed or too large, and therefore empty.
    """

    steps: Floats
    walls: Floats
    masses: Masses
    ranges: Ranges
    held: int
    unshown: int


class HistogramBuckets(NamedTuple):
    """The buckets of one histogram as (left, right, count).

    Each of `buckets` is made of `merged` neighbours of the `held` buckets in the log; the last one may have fewer.
    """

    buckets: list[tuple[float, float, float]]
    held: int
    merged: int


class HistogramCache:
    """An LRU cache of series by run, tag and whether superseded values are included. Thread-safe.

    A `stamp` identifies the state of a series in the logs (see `stamp_of`).
    """

    def __init__(self, most_bytes: int = MAX_CACHED_BYTES) -> None:
        self._most_bytes = most_bytes
        self._series: OrderedDict[tuple[str, str, bool], tuple[int, Series]] = OrderedDict()
        self._ranges: OrderedDict[tuple[str, str, bool], tuple[int, Ranges]] = OrderedDict()
        self._lock = Lock()

    def find_ranges(self, key: tuple[str, str, bool], stamp: int) -> Ranges | None:
        """The cached ranges of a series, or None if they are missing or outdated."""
        with self._lock:
            cached_stamp, ranges = self._ranges.get(key, (0, None))
            return ranges if cached_stamp == stamp else None

    def find(self, key: tuple[str, str, bool], stamp: int) -> Series | None:
        """The cached series, or None if it is missing or outdated."""
        with self._lock:
            cached_stamp, series = self._series.get(key, (0, None))
            if series is None or cached_stamp != stamp:
                return None
            self._series.move_to_end(key)
            return series

    def put(self, key: tuple[str, str, bool], stamp: int, series: Series) -> None:
        """Cache a series, and drop the least recently used ones above the limit."""
        with self._lock:
            self._series[key] = (stamp, series)
            self._series.move_to_end(key)
            size = sum(cached.masses.nbytes for _, cached in self._series.values())
            while size > self._most_bytes and self._series:
                _, (_, dropped) = self._series.popitem(last=False)
                size -= dropped.masses.nbytes
            self._ranges[key] = (stamp, series.ranges)
            self._ranges.move_to_end(key)
            while len(self._ranges) > MAX_CACHED_RANGES:
                self._ranges.popitem(last=False)


_CACHES: WeakKeyDictionary[ValueProvider, HistogramCache] = WeakKeyDictionary()


Steps: TypeAlias = Generator[int | None, None, T]
"""Work that yields after each step, and returns a result. It yields None, or how many bytes it is about to hold."""


def read_series(provider: ValueProvider, run: str, tag: str, orphans: bool = False) -> Series:
    """One series, from the cache or the logs. Raises RunNotFound, TagNotFound, ValueNotFound."""
    return finish(series_steps(provider, run, tag, orphans))


def series_steps(provider: ValueProvider, run: str, tag: str, orphans: bool = False) -> Steps[Series]:
    """Like `read_series`, in steps of one histogram. Raises RunNotFound, TagNotFound before the first step."""
    values = provider.values(PLUGIN, run, tag, orphans)
    cache = _CACHES.setdefault(provider, HistogramCache())
    key, stamp = (run, tag, orphans), stamp_of(values)
    series = cache.find(key, stamp)
    if series is None:
        series = yield from load_series(provider, values)
        cache.put(key, stamp, series)
    return series


def range_steps(provider: ValueProvider, run: str, tag: str, orphans: bool = False) -> Steps[Ranges]:
    """The ranges of a series, usually from the cache. Raises like `read_series`."""
    values = provider.values(PLUGIN, run, tag, orphans)
    cache = _CACHES.setdefault(provider, HistogramCache())
    cached = cache.find_ranges((run, tag, orphans), stamp_of(values))
    return cached or (yield from series_steps(provider, run, tag, orphans)).ranges


def stamp_of(values: Values) -> int:
    """A checksum that changes with the values of a series. Wall times reveal that a file was replaced."""
    stamp = zlib.crc32("\n".join(values.paths).encode("utf-8", "replace"))
    for column in (values.offsets, values.walls, values.steps):
        stamp = zlib.crc32(np.asarray(column).tobytes(), stamp)
    return stamp


def load_series(provider: ValueProvider, values: Values) -> Steps[Series]:
    """Read a series, or a sample of it if it is long. Raises ValueNotFound."""
    chosen = sampled_indices(values.lengths)
    yield BUCKET_BYTES * sum(values.lengths[index] for index in chosen) // MIN_BUCKET_BYTES
    rows, unshown = [], 0
    for _, histogram in histograms_in_batches(provider, values, chosen):
        rows.append(np.zeros((0, 3)) if histogram is None else histogram.rows)
        unshown += histogram is None
        yield None
    steps, walls = np.asarray(values.steps)[chosen], np.asarray(values.walls)[chosen]
    masses = masses_of(rows)
    yield None
    ranges = Ranges(robust_range(masses), full_range(masses))
    yield None
    return Series(steps.astype(np.float64), walls, masses, ranges, len(values), unshown)


def sampled_indices(lengths: Sequence[int]) -> list[int]:
    """The indices of the values to read, given their lengths in bytes: all, or an even sample within the limits."""
    sizes = np.asarray(lengths, np.float64)
    total = float(sizes[sizes <= MAX_BYTES].sum())
    most = min(MAX_VALUES, int(len(lengths) * MAX_SERIES_BYTES / total) if total > MAX_SERIES_BYTES else MAX_VALUES)
    return sample_indices(len(lengths), max(2, most))


def read_histograms(provider: ValueProvider, values: Values, chosen: Sequence[int]) -> list[Histogram | None]:
    """The histograms with the indices `chosen`, or None if malformed or too large. Raises ValueNotFound."""
    readable = [index for index in chosen if values.lengths[index] <= MAX_BYTES]
    read = dict(read_many(provider, values, readable))
    histograms = dict(zip(read, parse_histograms(list(read.values())), strict=True))
    return [histograms.get(index) for index in chosen]


def read_one(provider: ValueProvider, values: Values, at: int) -> Rows:
    """All buckets of the histogram with index `at`. Raises Unshowable, ValueNotFound."""
    location = values.location(at)
    # One byte above the limit is enough for parse_histogram to refuse the value.
    return parse_histogram(provider.read(location, 0, min(location.length, MAX_BYTES + 1))).rows


def bucket_list(rows: Rows) -> HistogramBuckets:
    """The buckets of one histogram for a response, merged to at most MAX_BUCKETS."""
    merged = -(-len(rows) // MAX_BUCKETS) or 1
    if merged > 1:
        begins = np.arange(0, len(rows), merged)
        last = np.minimum(begins + merged, len(rows)) - 1
        rows = np.stack([rows[begins, 0], rows[last, 1], np.add.reduceat(rows[:, 2], begins)], axis=1)
        total = int(last[-1]) + 1
    else:
        total = len(rows)
    return HistogramBuckets([(left, right, count) for left, right, count in rows.tolist()], total, merged)


def all_histograms(provider: ValueProvider, values: Values) -> Iterator[tuple[int, Histogram]]:
    """All valid histograms of a series, each with its index. Reads one batch at a time."""
    for index, histogram in histograms_in_batches(provider, values, range(len(values))):
        if histogram is not None:
            yield index, histogram


def histograms_in_batches(
    provider: ValueProvider, values: Values, chosen: Sequence[int]
) -> Iterator[tuple[int, Histogram | None]]:
    """The histograms with the indices `chosen` as in `read_histograms`, each with its index. Reads one batch at a time.

    Raises ValueNotFound.
    """
    begin = 0
    while begin < len(chosen):
        end, size = begin, 0
        while end < min(begin + BATCH, len(chosen)):
            size += values.lengths[chosen[end]]
            if end > begin and size > BATCH_BYTES:
                break
            end += 1
        batch = chosen[begin:end]
        yield from zip(batch, read_histograms(provider, values, batch), strict=True)
        begin = end
