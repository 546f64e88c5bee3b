"""What the time of steps is made of on each device: work of several kinds, how much of it overlaps, and idle time.

Times are those in which at least one operator of a kind ran, on any stream: never sums, which count overlaps twice.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightboard import cancellation
from lightboard.profiles.capture import CATEGORIES, BreakdownTimes, Category, HostCapture
from lightboard.profiles.devices import CPU, device_of_tracks
from lightboard.profiles.nesting import LATEST_NS, LabelTest, innermost, label_test, sorted_columns
from lightboard.profiles.steps import STEPS_PER_CHECK, Step, steps_of
from lightboard.profiles.time_line import TimePart, time_parts
from lightboard.profiles.time_ranges import TimeRanges, Times, union, union_of

WORK: tuple[Category, ...] = ("compute", "communication", "copy", "input", "host")
"""What devices do. Annotations, functions of Python and steps only name it."""


class StepBreakdown(NamedTuple):
    """The time of a step on a device, in nanoseconds. `step` is None for the whole of a capture without steps.

    Of communication and copies, what is hidden runs while something is computed. `input_ns` is idle time of the device
    in which the host prepared input; of a CPU, the time in which it did nothing else.
    """

    host: str
    rank: int | None
    device: str
    step: int | None
    duration_ns: int
    compute_ns: int
    communication_ns: int
    hidden_communication_ns: int
    copy_ns: int
    hidden_copy_ns: int
    input_ns: int
    busy_ns: int

    @property
    def idle_ns(self) -> int:
        """The time in which nothing ran."""
        return self.duration_ns - self.busy_ns


FIRST_TIME = StepBreakdown._fields.index("duration_ns")

TIMES = len(StepBreakdown._fields) - FIRST_TIME - 1
"""Times of a step without its duration."""


def are_among(categories: Sequence[Category]) -> NDArray[np.bool_]:
    """For each of all categories, whether it is one of these."""
    return np.array([each in categories for each in CATEGORIES], bool)


class Segments(NamedTuple):
    """Stretches of time of tracks, with the category of the innermost operators there."""

    track: NDArray[np.int32]
    begin: Times
    end: Times
    category: NDArray[np.int8]

    def where(self, is_on: NDArray[np.bool_], *categories: Category) -> TimeRanges:
        """When anything of these categories ran on these tracks, which are those that `is_on` says."""
        wanted = is_on[self.track] & are_among(categories)[self.category]
        return union_of(self.begin[wanted], self.end[wanted])


def breakdown_of(capture: HostCapture) -> list[StepBreakdown]:
    """The steps of a host on each of its devices, or on its CPU if it has none; the steps of a device are in order."""
    windows = windows_of(steps_of(capture))
    found = capture.breakdown or breakdown_times(capture, time_parts(capture))
    durations = (windows.end - windows.begin).tolist()
    if windows.number == [None]:
        if found.begin_ns > found.end_ns:
            return []
        durations = [found.end_ns - found.begin_ns]
    rows, names = list[StepBreakdown](), device_names(device_of_tracks(capture))
    times = found.times_ns.reshape(len(names), len(durations), TIMES).tolist()
    for name, device in zip(names, times, strict=True):
        for at, (number, duration, each) in enumerate(zip(windows.number, durations, device, strict=True)):
            if at % STEPS_PER_CHECK == 0:
                cancellation.check()
            rows.append(StepBreakdown(capture.host, capture.rank, name, number, duration, *each))
    return rows


def breakdown_times(capture: HostCapture, parts: Iterable[TimePart]) -> BreakdownTimes:
    """The times of steps on devices, by parts of the time, which may be any that make the whole."""
    devices, windows = device_of_tracks(capture), windows_of(steps_of(capture))
    names, device_of = device_names(devices), np.array(devices, object)
    times = np.zeros((len(names), len(windows.begin), TIMES), np.int64)
    first, last = LATEST_NS, -LATEST_NS
    are_labels = label_test(capture)
    for part in parts:
        segments = segments_in(capture, part, are_labels)
        if len(segments.begin):
            first, last = min(first, int(segments.begin.min())), max(last, int(segments.end.max()))
        host_input = segments.where(device_of == "", "input")
        for at, name in enumerate(names):
            tracks = np.ones(len(devices), bool) if name == CPU else device_of == name
            times[at] += device_times(name, segments, tracks, host_input, windows)
    return BreakdownTimes(first, last, times.reshape(-1))


def device_names(devices: list[str]) -> list[str]:
    """The devices of tracks, or the CPU if there are none."""
    return sorted({name for name in devices if name}) or [CPU]


class Windows(NamedTuple):
    """When steps begin and end, and their numbers; one of all time without a number if there are none."""

    begin: Times
    end: Times
    number: list[int | None]


def windows_of(steps: list[Step]) -> Windows:
    """The windows of steps."""
    if not steps:
        return Windows(np.array([-LATEST_NS // 2]), np.array([LATEST_NS // 2]), [None])
    begins = np.array([step.start_ns for step in steps], np.int64)
    ends = begins + np.array([step.duration_ns for step in steps], np.int64)
    return Windows(begins, ends, [step.step for step in steps])


def device_times(
    device: str, segments: Segments, tracks: NDArray[np.bool_], host_input: TimeRanges, windows: Windows
) -> NDArray[np.int64]:
    """The times of a device in each of these windows, in the order of `StepBreakdown`, without durations."""
    compute = segments.where(tracks, "compute")
    communication, copy = segments.where(tracks, "communication"), segments.where(tracks, "copy")
    busy = segments.where(tracks, *(WORK if device != CPU else [each for each in WORK if each != "input"]))

    def measured(ranges: TimeRanges) -> Times:
        return ranges.within(windows.begin, windows.end)

    input_ = measured(union(busy, host_input)) - measured(busy)
    if device == CPU:
        busy = union(busy, host_input)
    columns = (
        *(measured(compute), measured(communication)),
        measured(communication) + measured(compute) - measured(union(communication, compute)),
        measured(copy),
        measured(copy) + measured(compute) - measured(union(copy, compute)),
        *(input_, measured(busy)),
    )
    return np.stack(columns, axis=1)


def segments_in(capture: HostCapture, part: TimePart, are_labels: LabelTest) -> Segments:
    """The innermost operators of each track in a part of the time: those that began last, without labels.

    Operators of a category that follow each other or are in each other are one stretch.
    """
    slices, rows = capture.slices, part.slices
    rows = rows[are_among(WORK)[slices.category[rows]]]
    rows = rows[~are_labels(rows)]
    track, start, duration = sorted_columns(slices, rows)
    start, end = np.maximum(start, part.begin_ns), np.minimum(start + duration, part.end_ns)
    category = slices.category[rows]
    at, begin, end = innermost(track, start, end - start, category)
    return Segments(track[at], begin, end, category[at])


class DeviceTotals(NamedTuple):
    """The steps of a device together: their number, 0 for the whole of a capture without steps, and their times."""

    steps: int
    total: StepBreakdown


def device_totals(rows: list[StepBreakdown]) -> list[DeviceTotals]:
    """The rows of each device together, in their order."""
    devices: dict[tuple[str, int | None, str], list[StepBreakdown]] = {}
    for row in rows:
        devices.setdefault((row.host, row.rank, row.device), []).append(row)
    return [
        DeviceTotals(
            sum(row.step is not None for row in found),
            StepBreakdown(*key, None, *map(sum, zip(*(row[FIRST_TIME:] for row in found), strict=True))),
        )
        for key, found in devices.items()
    ]
