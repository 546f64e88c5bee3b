"""The steps of a capture: what programs have marked as such, or else what repeats.

Without marks, a program that is called again and again makes steps, from one call to the next. Wrong steps are worse
than none, so all of this must hold for its name, on the track of the host where calls take most time:

- calls are outermost, apart from functions of Python, and neither operators nor functions of a framework or driver:
  `PjitFunction(step)`, a range of the user;
- there are at least three of the name, and not more than marks of steps are read;
- they take half of the time of all that is outermost there;
- three of four times between them are within half and twice their median.

The last call has no end, and is none of the steps.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lightboard import cancellation
from lightboard.profiles.capture import CATEGORIES, MAX_STEPS, NO_STEPS, HostCapture, InferredSteps, Row
from lightboard.profiles.devices import device_of_tracks
from lightboard.profiles.nesting import LATEST_NS, PYTHON
from lightboard.profiles.time_line import TimeLine

STEPS_PER_CHECK = 1000
"""Markers that are looked at between two checks for cancellation."""

FEWEST_CALLS = 3

LEAST_SHARE = 0.5
"""Of the time of the track that calls must take."""

REGULAR_SHARE, MOST_IRREGULAR = 0.75, 2.0
"""So many of the times between calls are within this factor of their median."""

NO_PROGRAM = re.compile(r"::|^(?:cuda|cu|hip)[A-Z]|^[<\[$]|^[A-Z_]+$")
"""Names of what runs within programs: functions of C++ and of drivers, and what profilers do themselves."""

CALLS = [CATEGORIES.index("host"), CATEGORIES.index("annotation")]

NOWHERE = -1

Rows: TypeAlias = NDArray[np.int32]


class Step(NamedTuple):
    """A step of a host: its number, the name of its marker, and its time.

    `inferred` says that nothing marks it: then `name` is that of the calls that repeat, and numbers begin with 0.
    """

    host: str
    rank: int | None
    name: str
    step: int
    start_ns: int
    duration_ns: int
    inferred: bool = False


def steps_of(capture: HostCapture) -> list[Step]:
    """The steps in the order of time."""
    return marked_steps(capture) if capture.steps else inferred_steps(capture)


def marked_steps(capture: HostCapture) -> list[Step]:
    """The steps that are marked. Markers within other ones of the same track are none."""
    slices, kept, ends = capture.slices, list[Step](), dict[int, int]()
    places = np.array([marker.slice for marker in capture.steps], np.int64)
    tracks, names = capture.take(slices.track, places), capture.take(slices.name, places)
    starts, durations = capture.take(slices.start_ns, places), capture.take(slices.duration_ns, places)
    columns = (tracks, starts, -durations, places, names)
    markers = zip(*(column.tolist() for column in columns), (marker.step for marker in capture.steps), strict=True)
    for at, (track, start, negative_duration, _, name, step) in enumerate(sorted(markers)):
        if at % STEPS_PER_CHECK == 0:
            cancellation.check()
        if start < ends.get(track, start):
            continue
        ends[track] = start - negative_duration
        kept.append(Step(capture.host, capture.rank, capture.names[name], step, start, -negative_duration))
    return sorted(kept, key=lambda each: (each.start_ns, each.step))


def inferred_steps(capture: HostCapture) -> list[Step]:
    """The steps that repetition makes."""
    found = capture.inferred_steps or infer_steps(capture)
    columns = zip(found.begin_ns.tolist(), found.duration_ns.tolist(), strict=True)
    return [
        Step(capture.host, capture.rank, capture.names[found.name], at, *times, inferred=True)
        for at, times in enumerate(columns)
    ]


def infer_steps(capture: HostCapture) -> InferredSteps:
    """The steps that repetition makes, none if anything is doubtful."""
    outermost = Outermost(capture)
    track, program, count = busiest_program(outermost)
    if not FEWEST_CALLS <= count <= MAX_STEPS:
        return NO_STEPS
    slices = capture.slices
    found = [rows[capture.take(slices.name, rows) == program] for rows in outermost.of_track(track)]
    begins = np.concatenate([capture.take(slices.start_ns, rows) for rows in found])
    durations = np.diff(begins)
    return InferredSteps(program, begins[:-1], durations) if is_regular(durations) else NO_STEPS


class Outermost:
    """The slices that no other one contains, of each track of the host.

    Functions of Python count as nothing. Devices only do what a host has asked for.
    """

    def __init__(self, capture: HostCapture) -> None:
        self.capture, self._line = capture, TimeLine(capture)
        self._has_python = np.zeros(len(capture.tracks), bool)
        for part in capture.parts(len(capture.slices)):
            is_python = capture.slices.category[part] == PYTHON
            self._has_python[capture.slices.track[part][is_python]] = True
        devices = device_of_tracks(capture)
        self.tracks = [track for track in self._line.track_rows if not devices[track]]

    def of_track(self, track: int) -> Iterator[Rows]:
        """Those of a track in the order of time, in parts, each of which is out of memory before the next."""
        rows = self._line.track_rows[track]
        if self._has_python[track]:
            yield from self._among_others(rows)
            return
        outer, *_ = rows
        for part in self.capture.parts(outer.end - outer.begin):
            yield self._line.slice_rows.order[outer.begin :][part]

    def _among_others(self, rows: list[Row]) -> Iterator[Rows]:
        """Of slices in these rows, those that are in none but functions of Python."""
        slices, latest = self.capture.slices, -LATEST_NS
        for part in self._line.parts(rows):
            found = part.slices[slices.category[part.slices] != PYTHON]
            found = found[slices.start_ns[found] >= part.begin_ns]
            starts = slices.start_ns[found]
            ends = np.maximum.accumulate(np.append(latest, starts + slices.duration_ns[found]))
            yield found[starts >= ends[:-1]].astype(np.int32)
            latest = int(ends[-1])


def busiest_program(outermost: Outermost) -> tuple[int, int, int]:
    """The track of the host where calls take most time, what is called there most of the time, and how often.

    Nothing is called, that is no times, if it takes less than its share.
    """
    capture, slices = outermost.capture, outermost.capture.slices
    is_call = np.array([NO_PROGRAM.search(name) is None for name in capture.names], bool)

    def calls_of(rows: Rows) -> Rows:
        category, name = capture.take(slices.category, rows), capture.take(slices.name, rows)
        calls: Rows = rows[np.isin(category, CALLS) & is_call[name]]
        return calls

    best, total, most = NOWHERE, 0, 0
    for track in outermost.tracks:
        whole = time = 0
        for rows in outermost.of_track(track):
            whole += int(capture.take(slices.duration_ns, rows).sum())
            time += int(capture.take(slices.duration_ns, calls_of(rows)).sum())
        if time > most:
            best, total, most = track, whole, time
    times, counts = np.zeros(len(capture.names)), np.zeros(len(capture.names), np.int64)
    for rows in outermost.of_track(best) if best != NOWHERE else ():
        calls = calls_of(rows)
        names = capture.take(slices.name, calls)
        times += np.bincount(names, capture.take(slices.duration_ns, calls), len(times))
        counts += np.bincount(names, minlength=len(counts))
    program = int(times.argmax()) if len(times) else 0
    return best, program, int(counts[program]) if most and times[program] >= LEAST_SHARE * total else 0


def is_regular(durations: NDArray[np.int64]) -> bool:
    """Whether most of these times are about the same."""
    median = float(np.median(durations))
    near = (durations >= median / MOST_IRREGULAR) & (durations <= median * MOST_IRREGULAR)
    return median > 0 and float(near.mean()) >= REGULAR_SHARE
