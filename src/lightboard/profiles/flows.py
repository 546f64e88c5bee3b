"""Which slices lead to which: flows between tracks, such as from the call that launches a kernel to the kernel."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightboard.profiles.capture import Points
from lightboard.profiles.time_line import TimeLine

Ints = NDArray[np.int64]


class Links(NamedTuple):
    """The slices at the other ends of flows of a slice, in the order of time: `comes_from` it does, `leads_to` it."""

    comes_from: list[int]
    leads_to: list[int]


def links_of(line: TimeLine, begins: Points, ends: Points, index: int) -> Links:
    """The slices that a slice comes from and leads to."""
    return Links(other_ends(line, ends, begins, index), other_ends(line, begins, ends, index))


def other_ends(line: TimeLine, own: Points, others: Points, index: int) -> list[int]:
    """The slices that have the other ends of the flows of which `own` has an end in a slice."""
    flows = np.unique(own.value[own_points(line, own, index)])
    ends = np.isin(others.value, flows) if len(flows) else np.zeros(len(others.value), bool)
    found = set[int]()
    for track in np.unique(others.track[ends]).tolist():
        found.update(slices_at(line, track, others.time_ns[ends & (others.track == track)]).tolist())
    starts = line.slices.start_ns
    return sorted(found - {-1, index}, key=lambda each: (int(starts[each]), each))


def own_points(line: TimeLine, points: Points, index: int) -> Ints:
    """The points in a slice, and in no slice inside of it."""
    track, start = int(line.slices.track[index]), int(line.slices.start_ns[index])
    end = start + int(line.slices.duration_ns[index])
    at = np.flatnonzero((points.track == track) & (points.time_ns >= start) & (points.time_ns <= end)).astype(np.int64)
    own: Ints = at[slices_at(line, track, points.time_ns[at]) == index]
    return own


def slices_at(line: TimeLine, track: int, times: Ints) -> Ints:
    """The innermost slice of a track at each moment, -1 if there is none. It may end then, if no other runs."""
    found, ended = np.full(len(times), -1, np.int64), np.full(len(times), -1, np.int64)
    slices = line.slices
    for row in line.track_rows.get(track, ()):
        begun = line.begun(row, times)
        starts = slices.start_ns[begun]
        stops = starts + slices.duration_ns[begun]
        runs = (begun >= 0) & ((stops > times) | (starts == times))
        ends = (begun >= 0) & (stops == times)
        found[runs], ended[ends] = begun[runs], begun[ends]
    found[found < 0] = ended[found < 0]
    return found
