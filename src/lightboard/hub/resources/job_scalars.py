"""The scalars of a job: what is kept of each, which ones are kept, and what they are called.

A job writes a run for each attempt and replica, and programs often add runs below, such as `train` and `val`. The name
of a metric leaves out attempt and replica, so that it is the same in all jobs: `val/loss` is the tag `loss` of the run
`attempt-1/rank-0/val`.
"""

import re
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

MAX_SCALARS = 200
"""Scalars that are kept of a job."""
MAX_SAMPLES = 64
"""Points that are kept of a scalar, the last one included."""
MAX_NAME_CHARS = 500
"""A run or tag with a longer name is left out."""
MAX_COLUMNS = 8
DEFAULT_COLUMNS = 3
DEFAULT = "*"
"""Asks for the default columns of a list."""
MAX_OFFERED = 200
TELLING = ("loss", "acc", "error", "reward", "return", "score", "f1", "auc", "perplexity", "iou", "map", "bleu")
"""Parts of names that say how good a model is. The others are often step counters, times and learning rates."""

_PLACE = re.compile(r"attempt-([0-9]{1,9})/rank-([0-9]{1,3})(?:/(.+))?", re.DOTALL)
_POINT = struct.Struct("<qdd")
_WORD = re.compile(r"[a-z0-9]+")


class Point(NamedTuple):
    """One point of a scalar."""

    step: int
    wall_time: float
    value: float


class Place(NamedTuple):
    """The attempt and replica that a run belongs to, 0 if its name has none, and its name below these."""

    attempt: int
    rank: int
    below: str


def place_of(run: str) -> Place:
    """The place of a run; "." is the folder of the logs itself."""
    found = _PLACE.fullmatch(run)
    if found is None:
        return Place(0, 0, "" if run == "." else run)
    return Place(int(found[1]), int(found[2]), found[3] or "")


def name_of(run: str, tag: str) -> str:
    """The name of a metric, which is the same for all attempts, replicas and jobs."""
    below = place_of(run).below
    return f"{below}/{tag}" if below else tag


@dataclass
class ScalarSeries:
    """A scalar with every `stride`-th of its points, and the last one. `position` counts the scalars of a job.

    `count` points have been seen. What is kept depends on them alone, not on how many came at once.
    """

    run: str
    tag: str
    position: int
    count: int = 0
    stride: int = 1
    samples: list[Point] = field(default_factory=list)
    last: Point | None = None

    @property
    def name(self) -> str:
        """The name of the metric."""
        return name_of(self.run, self.tag)

    def extend(self, steps: Sequence[int], wall_times: Sequence[float], values: Sequence[float]) -> None:
        """Adds points. The sequences are equally long."""
        if not steps:
            return
        total = self.count + len(steps)
        while -(-total // self.stride) >= MAX_SAMPLES:
            self.samples = self.samples[::2]
            self.stride *= 2
        first = -self.count % self.stride
        columns = (column[first :: self.stride] for column in (steps, wall_times, values))
        self.samples += map(Point, *columns)
        self.last = Point(steps[-1], wall_times[-1], values[-1])
        self.count = total

    def drop_from(self, step: int) -> bool:
        """Drops the points from a step on, which a restart supersedes. Returns whether there were any."""
        kept = [point for point in self.samples if point.step < step]
        if len(kept) == len(self.samples) and (self.last is None or self.last.step < step):
            return False
        self.samples = kept
        self.last = kept[-1] if kept else None
        self.count = (len(kept) - 1) * self.stride + 1 if kept else 0
        self.stride = self.stride if kept else 1
        return True

    def points(self) -> list[Point]:
        """The kept points in the order in which they were written, at most MAX_SAMPLES."""
        if self.last is None:
            return []
        ends_with_last = self.samples and self.samples[-1][:2] == self.last[:2]
        return [*(self.samples[:-1] if ends_with_last else self.samples), self.last]


def pack(points: Iterable[Point]) -> bytes:
    """Points as bytes: step (i64), wall time and value (f64) of each, little-endian."""
    return b"".join(_POINT.pack(*point) for point in points)


def unpack(data: bytes) -> list[Point]:
    """The points in these bytes. Raises ValueError if they are none."""
    if len(data) % _POINT.size:
        raise ValueError("no points")
    return list(map(Point._make, _POINT.iter_unpack(data)))


def thin(data: bytes, limit: int) -> bytes:
    """At most `limit` of the packed points, evenly spaced from the first on."""
    size = _POINT.size
    stride = -(-len(data) // (size * limit))
    return b"".join(data[at : at + size] for at in range(0, len(data), size * max(1, stride)))


Order = tuple[int, int, int]


def order_of(series: ScalarSeries) -> Order:
    """Which scalars are kept first: those of the last attempt, of the first replica, that appeared first."""
    place = place_of(series.run)
    return -place.attempt, place.rank, series.position


class ScalarTable:
    """The scalars of a job by run and tag: the first MAX_SCALARS by `order_of`. `limited`: there were more."""

    def __init__(self, series: Iterable[ScalarSeries] = (), *, limited: bool = False) -> None:
        self._series = {(each.run, each.tag): each for each in series}
        self._worst: Order | None = None
        self.limited = limited
        self.next_position = max((each.position for each in self._series.values()), default=-1) + 1

    def __iter__(self) -> Iterator[ScalarSeries]:
        return iter(list(self._series.values()))

    def of_run(self, run: str) -> list[ScalarSeries]:
        """The scalars of a run."""
        return [each for each in self._series.values() if each.run == run]

    def get(self, run: str, tag: str) -> tuple[ScalarSeries | None, ScalarSeries | None]:
        """The scalar of this run and tag, new if need be, or None if it is not kept; and the one that it replaces."""
        known = self._series.get((run, tag))
        if known is not None:
            return known, None
        if len(run) > MAX_NAME_CHARS or len(tag) > MAX_NAME_CHARS:
            self.limited = True
            return None, None
        made = ScalarSeries(run, tag, self.next_position)
        dropped = None
        if len(self._series) >= MAX_SCALARS:
            self.limited = True
            self._worst = self._worst or max(map(order_of, self._series.values()))
            if order_of(made) > self._worst:
                return None, None
            dropped = max(self._series.values(), key=order_of)
            self.remove(dropped)
        self._series[run, tag] = made
        self.next_position += 1
        return made, dropped

    def remove(self, series: ScalarSeries) -> None:
        """Removes a scalar."""
        del self._series[series.run, series.tag]
        self._worst = None


def current(series: Iterable[ScalarSeries]) -> dict[str, ScalarSeries]:
    """Of each name, the scalar of the last attempt and its first replica: what a list shows."""
    return {each.name: each for each in sorted(series, key=order_of, reverse=True)}


def offered_names(counts: Mapping[str, int]) -> list[str]:
    """The metrics that a list offers, most common first, by how many of its jobs have each.

    Of those equally common, those are first that say how good a model is, then those with fewer parts. A name with a
    comma is left out, because it cannot be asked for.
    """

    def order(name: str) -> tuple[int, bool, int, str]:
        words = _WORD.findall(name.lower())
        telling = any(word.startswith(part) or word.endswith(part) for word in words for part in TELLING)
        return -counts[name], not telling, name.count("/"), name

    return sorted((name for name in counts if "," not in name), key=order)[:MAX_OFFERED]


def default_columns(counts: Mapping[str, int], jobs: int) -> list[str]:
    """The metrics that a list shows by itself: the first offered ones that at least half of the jobs with metrics have.

    If there is none, the first one.
    """
    offered = offered_names(counts)
    common = [name for name in offered if counts[name] * 2 >= jobs]
    return (common or offered[:1])[:DEFAULT_COLUMNS]


class SavedFile(NamedTuple):
    """The state of a file as it is stored."""

    identity: str
    offset: int
    version: int


@dataclass(frozen=True)
class SavedLog:
    """What was read of the log folder of a job so far."""

    files: Mapping[str, SavedFile] = field(default_factory=dict)
    series: Sequence[ScalarSeries] = ()
    limited: bool = False
    total: int = 0


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What one call has read: the scalars that changed, the positions of those no longer kept, whether there is more.

    `files` are None if nothing was read. `limited`: some scalars are left out.
    """

    changed: Sequence[ScalarSeries]
    removed: Sequence[int]
    files: Mapping[str, SavedFile] | None
    total: int
    more: bool
    limited: bool


def storable(text: str) -> str:
    """The text without characters that a database cannot store."""
    return "".join("\ufffd" if letter == "\0" or "\ud800" <= letter <= "\udfff" else letter for letter in text)
