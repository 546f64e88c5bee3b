"""What slices of a track contain each other: the time that a slice does not share, and the modules around it."""

import numpy as np
from numpy.typing import NDArray

from lightboard.profiles.capture import CATEGORIES, HostCapture, Slices

PYTHON = CATEGORIES.index("python")

MODULE = "nn.Module: "
"""How PyTorch names calls of modules."""

MAX_DEPTH = 200
"""Modules around a slice that make its scope."""


def order_of(slices: Slices, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """The order of these rows by track and time, a slice before those that it contains."""
    return np.lexsort((-slices.duration_ns[rows], slices.start_ns[rows], slices.track[rows]))


def self_times(slices: Slices, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each of these rows, the nanoseconds in which no other one of them runs that began later on its track.

    The sum over a track is the time in which at least one of them ran, also where they overlap without nesting.
    """
    order = order_of(slices, rows)
    sorted_rows = rows[order]
    tracks, starts = slices.track[sorted_rows].tolist(), slices.start_ns[sorted_rows].tolist()
    durations = slices.duration_ns[sorted_rows].tolist()
    left, open_, track_before = list(durations), list[tuple[int, int]](), -1
    for at, (track, start, duration) in enumerate(zip(tracks, starts, durations, strict=True)):
        if track != track_before:
            open_, track_before = [], track
        while open_ and open_[-1][0] <= start:
            open_.pop()
        end, covered = start + duration, start
        while open_ and covered < end:
            outer_end, outer = open_[-1]
            until = min(end, outer_end)
            left[outer] -= max(0, until - covered)
            covered = max(covered, until)
            if outer_end > end:
                break
            open_.pop()  # what is left of it is that of this slice; each slice is looked at a few times only
        open_.append((end, at))
    result = np.empty(len(rows), np.int64)
    result[order] = left
    return result


def module_scopes(capture: HostCapture) -> tuple[NDArray[np.int32], list[str]]:
    """For each slice, the index of the modules around it in the list that is returned, the first of which is none."""
    slices, scopes = capture.slices, [""]
    result = np.zeros(len(slices), np.int32)
    is_module = np.array([name.startswith(MODULE) for name in capture.names], bool)
    if not is_module.any():
        return result, scopes
    rows = np.flatnonzero((slices.category != PYTHON) | is_module[slices.name]).astype(np.int64)
    ordered, index = rows[order_of(slices, rows)], {"": 0}
    open_, track_before = list[tuple[int, int, int]](), -1
    for row in ordered.tolist():
        track, start = int(slices.track[row]), int(slices.start_ns[row])
        if track != track_before:
            open_, track_before = [], track
        while open_ and open_[-1][0] <= start:
            open_.pop()
        name = int(slices.name[row])
        if not is_module[name]:
            result[row] = open_[-1][1] if open_ else 0
        elif len(open_) < MAX_DEPTH:
            above = scopes[open_[-1][1]] if open_ else ""
            scope = f"{above}/{capture.names[name][len(MODULE) :]}".lstrip("/")
            if scope not in index:
                index[scope] = len(scopes)
                scopes.append(scope)
            open_.append((start + int(slices.duration_ns[row]), index[scope], row))
    return result, scopes
