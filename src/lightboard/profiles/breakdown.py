"""What the time of steps is made of on each device: work of several kinds, how much of it overlaps, and idle time.

Times are those in which at least one operator of a kind ran, on any stream: never sums, which count overlaps twice.
"""

from typing import NamedTuple

import numpy as np

from lightboard.profiles.capture import CATEGORIES, Category, HostCapture
from lightboard.profiles.devices import CPU, device_of_tracks
from lightboard.profiles.nesting import enclosing, order_of, sorted_columns
from lightboard.profiles.steps import Step, steps_of
from lightboard.profiles.time_ranges import TimeRanges, Times, union, union_of

WORK: tuple[Category, ...] = ("compute", "communication", "copy", "input", "host")
"""What devices do. Annotations, functions of Python and steps only name it."""

MAX_DEPTH = 1000
"""Operators within each other of which the innermost is told."""


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


class Segments(NamedTuple):
    """Stretches of time of tracks, with the category of the innermost operator there."""

    track: Times
    begin: Times
    end: Times
    category: Times

    def where(self, tracks: Times, *categories: Category) -> TimeRanges:
        """When anything of these categories ran on these tracks."""
        wanted = np.isin(self.track, tracks)
        wanted &= np.isin(self.category, [CATEGORIES.index(each) for each in categories])
        return union_of(self.begin[wanted], self.end[wanted])


def breakdown_of(capture: HostCapture) -> list[StepBreakdown]:
    """The steps of a host on each of its devices, or on its CPU if it has none; the steps of a device are in order."""
    segments, devices = innermost(capture), np.array(device_of_tracks(capture), object)
    begins, ends, numbers = windows_of(segments, steps_of(capture))
    host_input = segments.where(np.flatnonzero(devices == ""), "input")
    rows = list[StepBreakdown]()
    for name in sorted({name for name in devices.tolist() if name}) or [CPU]:
        tracks = np.arange(len(devices)) if name == CPU else np.flatnonzero(devices == name)
        found = device_rows(capture, name, segments, tracks, host_input, begins, ends)
        rows += [row._replace(step=number) for row, number in zip(found, numbers, strict=True)]
    return rows


def windows_of(segments: Segments, steps: list[Step]) -> tuple[Times, Times, list[int | None]]:
    """When steps begin and end, and their numbers. Without steps, the time from the first work to the last."""
    if steps:
        begins = np.array([step.start_ns for step in steps], np.int64)
        return begins, begins + np.array([step.duration_ns for step in steps], np.int64), [step.step for step in steps]
    if not len(segments.begin):
        return np.empty(0, np.int64), np.empty(0, np.int64), []
    return segments.begin.min(keepdims=True), segments.end.max(keepdims=True), [None]


def device_rows(
    capture: HostCapture,
    device: str,
    segments: Segments,
    tracks: Times,
    host_input: TimeRanges,
    begins: Times,
    ends: Times,
) -> list[StepBreakdown]:
    """A device in each of these windows."""
    compute = segments.where(tracks, "compute")
    communication, copy = segments.where(tracks, "communication"), segments.where(tracks, "copy")
    busy = segments.where(tracks, *(WORK if device != CPU else [each for each in WORK if each != "input"]))

    def measured(ranges: TimeRanges) -> Times:
        return ranges.within(begins, ends)

    input_ = measured(union(busy, host_input)) - measured(busy)
    if device == CPU:
        busy = union(busy, host_input)
    columns = (
        *(ends - begins, measured(compute), measured(communication)),
        measured(communication) + measured(compute) - measured(union(communication, compute)),
        measured(copy),
        measured(copy) + measured(compute) - measured(union(copy, compute)),
        *(input_, measured(busy)),
    )
    host, rank = capture.host, capture.rank
    return [StepBreakdown(host, rank, device, None, *map(int, row)) for row in np.stack(columns, axis=1).tolist()]


def innermost(capture: HostCapture) -> Segments:
    """The innermost operators of each track."""
    slices = capture.slices
    is_work = np.isin(slices.category, [CATEGORIES.index(each) for each in WORK])
    is_work[[marker.slice for marker in capture.steps]] = False
    rows = np.flatnonzero(is_work).astype(np.int64)
    if not len(rows):
        empty = np.empty(0, np.int64)
        return Segments(empty, empty, empty, empty)
    rows = rows[order_of(slices, rows)]
    track, start, duration = sorted_columns(slices, rows)
    around = enclosing(track, start, duration, np.ones(len(rows), bool), MAX_DEPTH).astype(np.int64)
    own, end = np.arange(len(rows)), start + duration
    # At its begin a slice is the innermost one; at its end that is the one around it. At the same moment, ends come
    # first, those of inner slices before those of outer ones, and then begins, those of outer slices first.
    moment, what = np.concatenate((start, end)), np.concatenate((own, around))
    tracks, is_begin = np.concatenate((track, track)), np.repeat((True, False), len(rows))
    order = np.lexsort((np.concatenate((own, -own)), is_begin, moment, tracks))
    moment, what, tracks = moment[order], what[order], tracks[order]
    lasts = (moment[1:] > moment[:-1]) & (tracks[1:] == tracks[:-1]) & (what[:-1] >= 0)
    at = np.flatnonzero(lasts)
    category = slices.category[rows][what[at]]
    return Segments(tracks[at].astype(np.int64), moment[at], moment[at + 1], category.astype(np.int64))


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
