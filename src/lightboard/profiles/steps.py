"""The steps of a capture: what programs have marked as such, or else what repeats.

Without marks, a program that is called again and again makes steps, from one call to the next. Wrong steps are worse
than none, so all of this must hold for its name, on the track of the host where calls take most time:

- calls are outermost, apart from functions of Python, and neither operators nor functions of a framework or driver:
  `PjitFunction(step)`, a range of the user;
- there are at least three of the name, and they take half of the time of all that is outermost there;
- three of four times between them are within half and twice their median.

The last call has no end, and is none of the steps.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lightboard.profiles.capture import CATEGORIES, HostCapture
from lightboard.profiles.nesting import LATEST_NS, PYTHON, order_of
from lightboard.profiles.time_line import time_parts

FEWEST_CALLS = 3

LEAST_SHARE = 0.5
"""Of the time of the track that calls must take."""

REGULAR_SHARE, MOST_IRREGULAR = 0.75, 2.0
"""So many of the times between calls are within this factor of their median."""

NO_PROGRAM = re.compile(r"::|^(?:cuda|cu|hip)[A-Z]|^[<\[$]|^[A-Z_]+$")
"""Names of what runs within programs: functions of C++ and of drivers, and what profilers do themselves."""

CALLS = [CATEGORIES.index("host"), CATEGORIES.index("annotation")]


AT_ONCE = 1 << 20
"""Slices that are looked at at once."""

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
    tracks, names = capture.taken(slices.track, places), capture.taken(slices.name, places)
    starts, durations = capture.taken(slices.start_ns, places), capture.taken(slices.duration_ns, places)
    columns = (tracks, starts, -durations, places, names)
    markers = zip(*(column.tolist() for column in columns), (marker.step for marker in capture.steps), strict=True)
    for track, start, negative_duration, _, name, step in sorted(markers):
        if start < ends.get(track, start):
            continue
        ends[track] = start - negative_duration
        kept.append(Step(capture.host, capture.rank, capture.names[name], step, start, -negative_duration))
    return sorted(kept, key=lambda each: (each.start_ns, each.step))


def inferred_steps(capture: HostCapture) -> list[Step]:
    """The steps that repetition makes, none if anything is doubtful."""
    slices = capture.slices
    total_ns, calls = busiest_calls(capture)
    if not len(calls):
        return []
    times = np.zeros(len(capture.names))
    for part in parts_of(capture, calls):
        times += np.bincount(slices.name[part], slices.duration_ns[part], len(times))
    name = int(times.argmax())
    found = [slices.start_ns[part[slices.name[part] == name]] for part in parts_of(capture, calls)]
    begins = np.concatenate(found)
    if len(begins) < FEWEST_CALLS or times[name] < LEAST_SHARE * float(total_ns):
        return []
    durations = np.diff(begins)
    if not is_regular(durations):
        return []
    steps = enumerate(zip(begins.tolist(), durations.tolist(), strict=False))
    return [Step(capture.host, capture.rank, capture.names[name], at, *times, inferred=True) for at, times in steps]


def busiest_calls(capture: HostCapture) -> tuple[int, Rows]:
    """Of the track of the host where calls take most time, the time of all outermost slices, and its calls."""
    slices = capture.slices
    is_call = np.array([NO_PROGRAM.search(name) is None for name in capture.names], bool)
    best, most = (0, np.empty(0, np.int32)), 0
    for rows in outermost(capture):
        total = time = 0
        calls = list[Rows]()
        for part in parts_of(capture, rows):
            chosen = np.isin(slices.category[part], CALLS) & is_call[slices.name[part]]
            durations = slices.duration_ns[part]
            total, time = total + int(durations.sum()), time + int(durations[chosen].sum())
            calls.append(part[chosen])
        if time > most:
            best, most = (total, np.concatenate(calls)), time
    return best


def parts_of(capture: HostCapture, rows: Rows) -> Iterator[Rows]:
    """Some slices in parts, each of which is out of memory before the next if it is mapped."""
    for begin in range(0, len(rows), AT_ONCE):
        yield rows[begin : begin + AT_ONCE]
        capture.let_go()


def outermost(capture: HostCapture) -> Iterator[Rows]:
    """For each track of the host, the slices that no other one contains, in the order of time.

    Functions of Python count as nothing. Devices only do what a host has asked for.
    """
    slices = capture.slices
    on_host = np.array([not process.name.startswith("/device:") for process in capture.processes], bool)
    is_host = np.array([on_host[track.process] for track in capture.tracks], bool)
    if not is_host.any():
        return
    latest, found = dict[int, int](), dict[int, list[Rows]]()
    for time in time_parts(capture):
        rows = time.slices[(slices.category[time.slices] != PYTHON) & is_host[slices.track[time.slices]]]
        rows = rows[slices.start_ns[rows] >= time.begin_ns]
        rows = rows[order_of(slices, rows)]
        for part in np.split(rows, np.flatnonzero(np.diff(slices.track[rows])) + 1) if len(rows) else ():
            track, starts = int(slices.track[part[0]]), slices.start_ns[part]
            ends = np.maximum.accumulate(np.append(latest.get(track, -LATEST_NS), starts + slices.duration_ns[part]))
            found.setdefault(track, []).append(part[starts >= ends[:-1]].astype(np.int32))
            latest[track] = int(ends[-1])
    for track in sorted(found):
        yield np.concatenate(found.pop(track))


def is_regular(durations: NDArray[np.int64]) -> bool:
    """Whether most of these times are about the same."""
    median = float(np.median(durations))
    near = (durations >= median / MOST_IRREGULAR) & (durations <= median * MOST_IRREGULAR)
    return median > 0 and float(near.mean()) >= REGULAR_SHARE
