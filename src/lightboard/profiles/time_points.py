"""Instants of tracks and counters of processes, and what of them is seen in a window of so many pixels."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightboard.profiles.capture import HostCapture, Points

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Instants(NamedTuple):
    """What is seen of the instants of a track: the first of each pixel, and how many there are."""

    time_ns: Ints
    name: Ints
    count: Ints  # type: ignore[assignment]  # a method of tuples, which nobody needs here


class Counter(NamedTuple):
    """A counter of a process, as a range of the samples in order, with its extremes."""

    process: int
    name: int
    begin: int
    end: int
    low: float
    high: float


class Samples(NamedTuple):
    """What is seen of a counter: for each pixel its extremes, and the value that it has then."""

    time_ns: Ints
    low: Floats
    high: Floats
    value: Floats


class TimePoints:
    """The instants and the samples of counters of a host."""

    def __init__(self, capture: HostCapture) -> None:
        self.instants = ordered(capture.instants, capture.instants.track.astype(np.int64))
        process_of = np.array([track.process for track in capture.tracks], np.int64)
        samples, names = capture.counters, len(capture.names) or 1
        keys = process_of[samples.track] * names + samples.name if len(samples.track) else np.empty(0, np.int64)
        self.samples = ordered(samples, keys)
        keys = np.sort(keys)
        begins = np.flatnonzero(np.diff(keys, prepend=-1)).tolist()
        self.counters = [
            self._counter(int(keys[begin]), names, begin, end)
            for begin, end in zip(begins, [*begins[1:], len(keys)] if begins else [], strict=True)
        ]

    def _counter(self, key: int, names: int, begin: int, end: int) -> Counter:
        values = self.samples.value[begin:end]
        return Counter(*divmod(key, names), begin, end, float(values.min()), float(values.max()))

    def tracks(self) -> list[int]:
        """The tracks that have instants."""
        found: list[int] = np.unique(self.instants.track).tolist()
        return found

    def seen_instants(self, track: int, begin_ns: int, end_ns: int, pixel_ns: int) -> Instants:
        """Those of a track in a window."""
        first, last = np.searchsorted(self.instants.track, [track, track + 1])
        times = self.instants.time_ns[first:last]
        low, high = np.searchsorted(times, begin_ns, "left"), np.searchsorted(times, end_ns, "right")
        times = times[low:high]
        begins = first_of_pixels(times, begin_ns, pixel_ns)
        names = self.instants.name[first + low : first + high].astype(np.int64)
        return Instants(times[begins], names[begins], np.diff(np.append(begins, len(times))))

    def seen_samples(self, counter: Counter, begin_ns: int, end_ns: int, pixel_ns: int) -> Samples:
        """Those of a counter in a window, and the last one before it."""
        times = self.samples.time_ns[counter.begin : counter.end]
        low = max(0, int(np.searchsorted(times, begin_ns, "left")) - 1)
        high = int(np.searchsorted(times, end_ns, "right"))
        times, values = times[low:high], self.samples.value[counter.begin + low : counter.begin + high]
        begins = first_of_pixels(times, begin_ns, pixel_ns)
        if not len(begins):
            return Samples(times, values, values, values)
        ends = np.append(begins[1:], len(times)) - 1
        return Samples(
            times[begins], np.minimum.reduceat(values, begins), np.maximum.reduceat(values, begins), values[ends]
        )


def ordered(points: Points, keys: Ints) -> Points:
    """Points by a key, and those of the same by time."""
    order = np.lexsort((points.time_ns, keys))
    return Points(points.track[order], points.time_ns[order], points.name[order], points.value[order])


def first_of_pixels(times: Ints, begin_ns: int, pixel_ns: int) -> Ints:
    """The index of the first of the times in each pixel."""
    pixel = (times - begin_ns) // pixel_ns
    is_first = np.ones(len(times), bool)
    is_first[1:] = pixel[1:] != pixel[:-1]
    return np.flatnonzero(is_first).astype(np.int64)
