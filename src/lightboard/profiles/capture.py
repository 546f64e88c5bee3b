"""What a profiler has captured, as columns: one row for each slice, instant, sample of a counter and end of a flow.

Readers fill a `CaptureBuilder`. Nothing is stored for an event but its row of 33 bytes at most, and names once.
"""

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from lightboard.profiles.duration_histograms import NO_DURATIONS, DurationHistograms

Number = TypeVar("Number", np.int8, np.int32, np.int64)

Category = Literal["compute", "communication", "copy", "input", "host", "annotation", "python"]
"""What the time of a slice is spent on. Annotations are ranges that programs name, steps among them."""

CATEGORIES: tuple[Category, ...] = get_args(Category)

MAX_SLICES = 10_000_000
"""Slices of one file that are read into memory, which are 330 MB. So many instants, samples and ends of flows are read
in any case."""

MAX_FILE_SLICES = 100_000_000
"""Slices of one file that are read if there is a folder for their columns."""

MAX_TRACKS = 100_000
"""Tracks, and processes, of one file."""

MAX_NAMES = 1_000_000
"""Different names in one file. Further ones are `OTHER`."""

MAX_NAMES_BYTES = 64 << 20
"""The length of all names of a file in UTF-8. Further ones are `OTHER`."""

MAX_STEPS = 1_000_000
"""Marks of steps in one file."""

MAX_FLOWS = 2_000_000
"""Different flows in one file. Ends of further ones are left out."""

MAX_NAME_CHARS = 1000
"""Longer names are cut."""

OTHER = "(other)"

LONGEST_NS = 1 << 60
"""Times are within this of the epoch, in nanoseconds: 36 years before and after. Others are damage."""

PLACES_AT_ONCE, FAR_APART = 1024, 64
"""Places of a mapped column that are read at once, and a distance at which those between are not read as well."""

AT_ONCE = 1 << 20
"""Slices that are looked at at once."""

NO_ARGS = -1
"""The offset of an event without arguments."""

EPOCH_LIMIT_NS = 1 << 62
"""The same for absolute times: until the year 2116."""


@dataclass(frozen=True, slots=True)
class Process:
    """A process or a device of a host. `id` is that of the writer."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Track:
    """A thread or a stream, of the process with this index."""

    process: int
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Slices:
    """Ranges of time, in the order of the file: columns of the same length.

    `name` is an index of names, `category` one of `CATEGORIES`; `args` is the offset of the event in the file,
    decompressed.
    """

    track: NDArray[np.int32]
    start_ns: NDArray[np.int64]
    duration_ns: NDArray[np.int64]
    name: NDArray[np.int32]
    category: NDArray[np.int8]
    args: NDArray[np.int64]

    def __len__(self) -> int:
        """The number of slices."""
        return len(self.track)


@dataclass(frozen=True, slots=True)
class Points:
    """Moments: instants, samples of counters with their value, or ends of flows with the index of the flow as value."""

    track: NDArray[np.int32]
    time_ns: NDArray[np.int64]
    name: NDArray[np.int32]
    value: NDArray[np.float64]


class Row(NamedTuple):
    """The slices of a track at one depth, as a range of `SliceRows.order`."""

    track: int
    depth: int
    begin: int
    end: int


class Blocks(NamedTuple):
    """Slices beside each other in a row, those of each row in the order of time: columns of the same length.

    `begin` is the index of the first slice in `SliceRows.order`; `longest` that of the longest one.
    """

    begin: NDArray[np.int32]
    start_ns: NDArray[np.int64]
    last_start_ns: NDArray[np.int64]
    end_ns: NDArray[np.int64]
    busy_ns: NDArray[np.int64]
    longest: NDArray[np.int32]
    longest_ns: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SliceRows:
    """`order` has the slices by track, depth and time. `depth` and `self_ns` are those of each slice.

    `rows` has the fields of each `Row`, and `blocks` the slices of each in blocks of `BLOCK`.
    """

    order: NDArray[np.int32]
    depth: NDArray[np.int8]
    self_ns: NDArray[np.int64]
    rows: NDArray[np.int32]
    blocks: Blocks


OperatorFields = tuple[str, Category, str, int, int, int, int]
"""What an `operators.Operator` consists of."""


class StepMarker(NamedTuple):
    """A slice that is a step, with its number."""

    slice: int
    step: int


@dataclass(frozen=True, slots=True)
class InferredSteps:
    """Steps that nothing marks: calls of this name, which begin then and take so long. There may be none."""

    name: int
    begin_ns: NDArray[np.int64]
    duration_ns: NDArray[np.int64]


NO_STEPS = InferredSteps(0, np.empty(0, np.int64), np.empty(0, np.int64))


@dataclass(frozen=True, slots=True)
class BreakdownTimes:
    """When the first operator begins and the last one ends; the times of a `StepBreakdown`, by device and step."""

    begin_ns: int
    end_ns: int
    times_ns: NDArray[np.int64]


NO_BREAKDOWN = BreakdownTimes(LONGEST_NS, -LONGEST_NS, np.empty(0, np.int64))


def nothing() -> None:
    """Does nothing."""


@dataclass(frozen=True)
class HostCapture:
    """One file: what a host or a rank has captured.

    `rank` is None if it does not say. `problems` are sentences about what could not be read.
    """

    host: str
    rank: int | None
    processes: list[Process]
    tracks: list[Track]
    names: list[str]
    slices: Slices
    instants: Points
    counters: Points
    flow_begins: Points
    flow_ends: Points
    steps: list[StepMarker]
    scope: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))
    """The scope that the writer names for each slice, as an index of `scope_names`; empty if it names none."""
    scope_names: list[str] = field(default_factory=list)
    """The first one is none."""
    problems: list[str] = field(default_factory=list)
    rows: SliceRows | None = None
    """The slices in rows, once that is computed."""
    operators: Sequence[OperatorFields] | None = None
    """The table of operators, once that is computed."""
    durations: DurationHistograms = NO_DURATIONS
    """A histogram for each of these operators."""
    inferred_steps: InferredSteps | None = None
    """Its steps if it marks none, once they are computed."""
    breakdown: BreakdownTimes | None = None
    """What its steps are made of, once that is computed."""
    is_mapped: bool = False
    """Whether columns are those of a file, of which only what is used is in memory."""
    let_go: Callable[[], None] = nothing
    """Lets columns that are mapped out of memory. Whatever uses them brings them back."""

    def take(self, column: NDArray[Number], at: NDArray[Any]) -> NDArray[Number]:
        """`column[at]`, without keeping in memory what lies around each of many places."""
        return gather(column, at, self.let_go)

    def parts(self, count: int) -> Iterator[slice]:
        """The indexes of so many slices in parts, each of which is out of memory before the next if it is mapped."""
        for begin in range(0, count, AT_ONCE):
            yield slice(begin, min(begin + AT_ONCE, count))
            self.let_go()


def gather(column: NDArray[Number], at: NDArray[Any], let_go: Callable[[], None]) -> NDArray[Number]:
    """`column[at]`. Where places are far apart, systems map 64 KiB around each, which is let go again."""
    parts = [column[:0]]
    for begin in range(0, len(at), PLACES_AT_ONCE):
        places = at[begin : begin + PLACES_AT_ONCE]
        parts.append(column[places])
        if int(places.max()) - int(places.min()) > FAR_APART * len(places):
            let_go()
    return np.concatenate(parts)


def loss_problems(skipped: int, left_out: int, *, has_other_names: bool) -> list[str]:
    """What to say of events that no column can hold, and of events and names beyond limits."""
    problems = []
    if skipped:
        problems.append(f"{skipped:,} events have impossible times or were damaged, and are left out")
    if left_out:
        problems.append(f"{left_out:,} events are beyond the limits of what is read, and are left out")
    if has_other_names:
        problems.append(f"there are more different names than are read, and further ones are {OTHER}")
    return problems


class PointsBuilder:
    """Collects points."""

    def __init__(self) -> None:
        self.track, self.time_ns, self.name, self.value = array("i"), array("q"), array("i"), array("d")

    def add(self, track: int, time_ns: int, name: int, value: float = 0.0) -> bool:
        """Add one, unless there are too many."""
        if len(self.track) >= MAX_SLICES:
            return False
        self.track.append(track)
        self.time_ns.append(time_ns)
        self.name.append(name)
        self.value.append(value)
        return True

    def build(self) -> Points:
        """The columns."""
        return Points(
            np.frombuffer(self.track, np.int32) if self.track else np.empty(0, np.int32),
            np.frombuffer(self.time_ns, np.int64) if self.time_ns else np.empty(0, np.int64),
            np.frombuffer(self.name, np.int32) if self.name else np.empty(0, np.int32),
            np.frombuffer(self.value, np.float64) if self.value else np.empty(0, np.float64),
        )


class CaptureBuilder:
    """Collects what a reader finds. `skipped` counts events that no column can hold, `left_out` those beyond limits."""

    def __init__(self) -> None:
        self.host = ""
        self.rank: int | None = None
        self.processes: dict[str, Process] = {}
        self.tracks: dict[tuple[str, str], Track] = {}
        self.names: dict[str, int] = {}
        self.track, self.start_ns, self.duration_ns = array("i"), array("q"), array("q")
        self.name, self.category, self.args = array("i"), array("b"), array("q")
        self.instants, self.counters = PointsBuilder(), PointsBuilder()
        self.flow_begins, self.flow_ends = PointsBuilder(), PointsBuilder()
        self.steps: list[StepMarker] = []
        self.problems: list[str] = []
        self.skipped = self.left_out = 0
        self.has_other_names = False
        self._names_bytes = 0
        self._track_index: dict[tuple[str, str], int] = {}
        self._process_index: dict[str, int] = {}
        self._flow_index: dict[str | int, int] = {}

    def name_id(self, text: str) -> int:
        """The index of a name."""
        found = self.names.get(text)
        if found is not None:
            return found
        text = text[:MAX_NAME_CHARS]
        if text not in self.names:
            size = len(text.encode("utf-8", "surrogatepass"))
            if len(self.names) >= MAX_NAMES or self._names_bytes + size > MAX_NAMES_BYTES:
                self.has_other_names = True
                return self.names.setdefault(OTHER, len(self.names))
            self._names_bytes += size
        return self.names.setdefault(text, len(self.names))

    def process_id(self, id: str) -> int:
        """The index of a process, which is new with its first event."""
        found = self._process_index.get(id)
        if found is None:
            found = self._process_index[id] = len(self._process_index)
            self.processes[id] = Process(id, "")
        return found

    def track_id(self, process: str, id: str) -> int | None:
        """The index of a track, which is new with its first event. None if there are too many."""
        found = self._track_index.get((process, id))
        if found is None and len(self._track_index) < MAX_TRACKS:
            found = self._track_index[process, id] = len(self._track_index)
            self.tracks[process, id] = Track(self.process_id(process), id, "")
        return found

    def add_flow_end(self, points: PointsBuilder, track: int | None, time_ns: int, name: int, flow: str | int) -> None:
        """Add the beginning or the end of a flow, if it can be stored."""
        number = self._flow_index.get(flow)
        if number is None and len(self._flow_index) < MAX_FLOWS:
            number = self._flow_index[flow] = len(self._flow_index)
        if number is None:
            self.left_out += 1
        else:
            self.add_point(points, track, time_ns, name, number)

    def name_process(self, id: str, name: str) -> None:
        """Say what a process is called."""
        if id in self.processes or len(self.processes) < MAX_TRACKS:
            self.process_id(id)
            self.processes[id] = Process(id, name[:MAX_NAME_CHARS])

    def name_track(self, process: str, id: str, name: str) -> None:
        """Say what a track is called."""
        if self.track_id(process, id) is not None:
            index = self.process_id(process)
            self.tracks[process, id] = Track(index, id, name[:MAX_NAME_CHARS])

    def add_slice(
        self, track: int | None, start_ns: int, duration_ns: int, name: int, category: int, args: int = NO_ARGS
    ) -> int | None:
        """Add a slice and return its index, None if it cannot be stored."""
        if track is None or len(self.track) >= MAX_SLICES:
            self.left_out += 1
            return None
        if not (0 <= duration_ns <= LONGEST_NS and -EPOCH_LIMIT_NS <= start_ns <= EPOCH_LIMIT_NS):
            self.skipped += 1
            return None
        self.track.append(track)
        self.start_ns.append(start_ns)
        self.duration_ns.append(duration_ns)
        self.name.append(name)
        self.category.append(category)
        self.args.append(args)
        return len(self.track) - 1

    def add_point(self, points: PointsBuilder, track: int | None, time_ns: int, name: int, value: float = 0.0) -> None:
        """Add a point, if it can be stored."""
        if not -EPOCH_LIMIT_NS <= time_ns <= EPOCH_LIMIT_NS:
            self.skipped += 1
        elif track is None or not points.add(track, time_ns, name, value):
            self.left_out += 1

    def add_step(self, slice: int, step: int) -> None:
        """Say that a slice is a step."""
        if len(self.steps) < MAX_STEPS:
            self.steps.append(StepMarker(slice, step))
        else:
            self.left_out += 1

    def build(self) -> HostCapture:
        """The capture."""
        losses = loss_problems(self.skipped, self.left_out, has_other_names=self.has_other_names)
        problems = self.problems + losses
        columns = (self.track, self.start_ns, self.duration_ns, self.name, self.category, self.args)
        types = (np.int32, np.int64, np.int64, np.int32, np.int8, np.int64)
        slices = Slices(*(np.array(column, dtype) for column, dtype in zip(columns, types, strict=True)))
        return HostCapture(
            *(
                self.host,
                self.rank,
                list(self.processes.values()),
                list(self.tracks.values()),
                list(self.names),
                slices,
            ),
            *(self.instants.build(), self.counters.build(), self.flow_begins.build(), self.flow_ends.build()),
            steps=self.steps,
            problems=problems,
        )
