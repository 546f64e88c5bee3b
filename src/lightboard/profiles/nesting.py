"""What slices of a track contain each other: the time that a slice does not share, and the modules around it."""

from collections.abc import Callable
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from lightboard._native import core
from lightboard.profiles.capture import CATEGORIES, HostCapture, Slices
from lightboard.profiles.column_files import ColumnFiles
from lightboard.profiles.devices import device_of_tracks

PYTHON, ANNOTATION = CATEGORIES.index("python"), CATEGORIES.index("annotation")

MODULE = "nn.Module: "
"""How PyTorch names calls of modules."""

AT_ONCE = 1 << 20
"""Slices that are looked at at once."""

MAX_DEPTH = 200
"""Modules around a slice that make its scope."""

LATEST_NS = (1 << 63) - 1
"""Slices end then at the latest."""

SliceColumns: TypeAlias = tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]

SliceSegments: TypeAlias = SliceColumns
"""Stretches of time, of one slice each: the indexes of slices, begins and ends."""

LabelTest: TypeAlias = Callable[[slice | NDArray[np.int64]], NDArray[np.bool_]]
"""See `label_test`."""

Number = TypeVar("Number", np.int8, np.int32, np.int64)


def order_of(slices: Slices, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """The order of these rows by track and time, a slice before those that it contains."""
    return np.lexsort((-slices.duration_ns[rows], slices.start_ns[rows], slices.track[rows]))


def self_times(slices: Slices, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each of these rows, the nanoseconds in which no other one of them runs that began later on its track.

    The sum over a track is the time in which at least one of them ran, also where they overlap without nesting.
    """
    order = order_of(slices, rows)
    result = np.empty(len(rows), np.int64)
    result[order] = sorted_self_times(*sorted_columns(slices, rows[order]))
    return result


def label_test(capture: HostCapture) -> LabelTest:
    """A function that says which slices, of some or of a range with a beginning and an end, are labels.

    These are steps, and annotations of devices, which repeat those of the host. They only name what runs inside of
    them: they are no operators, and have no self time, wherever it is shown.
    """
    slices = capture.slices
    markers = np.unique(np.array([marker.slice for marker in capture.steps], np.int64))
    is_device = np.array(list(map(bool, device_of_tracks(capture))), bool)

    def are_labels(chosen: slice | NDArray[np.int64]) -> NDArray[np.bool_]:
        result: NDArray[np.bool_] = slices.category[chosen] == ANNOTATION
        result &= is_device[slices.track[chosen]] if is_device.any() else False
        if isinstance(chosen, slice):
            result[markers[(markers >= chosen.start) & (markers < chosen.stop)] - chosen.start] = True
        elif len(markers):
            result |= markers[np.minimum(np.searchsorted(markers, chosen), len(markers) - 1)] == chosen
        return result

    return are_labels


def operator_test(capture: HostCapture) -> Callable[[slice], NDArray[np.bool_]]:
    """A function that says which slices of a range are operators: neither functions of Python nor labels."""
    are_labels = label_test(capture)

    def are_operators(part: slice) -> NDArray[np.bool_]:
        result: NDArray[np.bool_] = ~are_labels(part)
        result &= capture.slices.category[part] != PYTHON
        return result

    return are_operators


def operator_rows(capture: HostCapture) -> NDArray[np.int64]:
    """The slices that are operators."""
    return np.flatnonzero(operator_test(capture)(slice(0, len(capture.slices)))).astype(np.int64)


def operator_self_times(capture: HostCapture) -> NDArray[np.int64]:
    """The self time of each slice that is an operator, 0 for others."""
    rows, result = operator_rows(capture), np.zeros(len(capture.slices), np.int64)
    result[rows] = self_times(capture.slices, rows)
    return result


def module_names(capture: HostCapture) -> NDArray[np.bool_]:
    """Which names are those of calls of modules."""
    return np.array([name.startswith(MODULE) for name in capture.names], bool)


def scopes_within(
    capture: HostCapture, modules: NDArray[np.int32], files: ColumnFiles
) -> tuple[NDArray[np.int32], list[str]]:
    """As `module_scopes`, if the innermost module around each slice is known."""
    slices, scopes, is_module = capture.slices, [""], module_names(capture)
    parts = [slice(begin, begin + AT_ONCE) for begin in range(0, len(slices), AT_ONCE)]
    found = [np.flatnonzero(is_module[slices.name[part]]) + part.start for part in parts]
    calls = np.concatenate(found).astype(np.int64)
    own, index = np.zeros(len(calls) + 1, np.int32), {"": 0}  # the last one is that of -1, which is no module
    outer = place_in(calls, modules[calls])
    names = slices.name[calls]
    for at in order_of(slices, calls).tolist():
        scope = f"{scopes[own[outer[at]]]}/{capture.names[names[at]][len(MODULE) :]}".lstrip("/")
        if scope not in index:
            index[scope] = len(scopes)
            scopes.append(scope)
        own[at] = index[scope]
    result = files.empty(len(slices), np.int32)
    for part in parts:
        is_none = (slices.category[part] == PYTHON) | is_module[slices.name[part]]
        result[part] = np.where(is_none, 0, own[place_in(calls, modules[part])])
        files.let_go()
    return result, scopes


def place_in(calls: NDArray[np.int64], modules: NDArray[np.int32]) -> NDArray[np.int64]:
    """Where modules are among all calls, -1 for none."""
    return np.where(modules < 0, -1, np.searchsorted(calls, modules)).astype(np.int64)


def module_scopes(capture: HostCapture) -> tuple[NDArray[np.int32] | None, list[str]]:
    """For each slice, the index of the modules around it in the list that is returned, the first of which is none.

    None if there are no modules.
    """
    slices, scopes = capture.slices, [""]
    is_module = module_names(capture)
    if not is_module.any():
        return None, scopes
    result = np.zeros(len(slices), np.int32)
    rows = np.flatnonzero((slices.category != PYTHON) | is_module[slices.name]).astype(np.int64)
    ordered = rows[order_of(slices, rows)]
    marked = is_module[slices.name[ordered]]
    outer = enclosing(*sorted_columns(slices, ordered), marked, MAX_DEPTH)
    own, index = np.zeros(len(ordered) + 1, np.int32), {"": 0}  # the last one is that of -1, which is no module
    names = slices.name[ordered]
    for at in np.flatnonzero(marked).tolist():
        scope = f"{scopes[own[outer[at]]]}/{capture.names[names[at]][len(MODULE) :]}".lstrip("/")
        if scope not in index:
            index[scope] = len(scopes)
            scopes.append(scope)
        own[at] = index[scope]
    result[ordered] = np.where(marked, 0, own[outer])
    return result, scopes


def sorted_columns(slices: Slices, rows: NDArray[np.int64]) -> SliceColumns:
    """The tracks, begins and durations of rows."""
    return slices.track[rows], slices.start_ns[rows], slices.duration_ns[rows]


def sorted_self_times(
    tracks: NDArray[np.int32], starts: NDArray[np.int64], durations: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The self times of slices that are in order."""
    if core is None:
        return python_self_times(tracks, starts, durations)
    return from_core(core.self_times(tracks, starts, durations), np.int64)


def enclosing(
    tracks: NDArray[np.int32],
    starts: NDArray[np.int64],
    durations: NDArray[np.int64],
    marked: NDArray[np.bool_],
    max_depth: int,
) -> NDArray[np.int32]:
    """For slices that are in order, the index of the innermost marked one around each, -1 if there is none.

    Marked ones within `max_depth` others contain nothing.
    """
    if core is None:
        return python_enclosing(tracks, starts, durations, marked, max_depth)
    return from_core(core.enclosing(tracks, starts, durations, marked, max_depth), np.int32)


def innermost(
    tracks: NDArray[np.int32],
    starts: NDArray[np.int64],
    durations: NDArray[np.int64],
    groups: NDArray[np.int8],
) -> SliceSegments:
    """For slices that are in order, when those of a group are the ones that began last among all on their track.

    Each stretch has its first slice. Those of a group add up to the self times of its slices. At each moment the answer
    depends on nothing but the slices that run then, so that of a part of the time is a part of the answer.
    """
    if core is None:
        return python_innermost(tracks, starts, durations, groups)
    slices, begins, ends = core.innermost(tracks, starts, durations, groups)
    return from_core(slices, np.int32), from_core(begins, np.int64), from_core(ends, np.int64)


def from_core(memory: bytearray, dtype: type[Number]) -> NDArray[Number]:
    """A column of the core."""
    return np.frombuffer(memory, dtype) if memory else np.empty(0, dtype)


def python_self_times(
    tracks: NDArray[np.int32], starts: NDArray[np.int64], durations: NDArray[np.int64]
) -> NDArray[np.int64]:
    """`sorted_self_times` without the core."""
    left, open_, track_before = durations.tolist(), list[tuple[int, int]](), -1
    columns = zip(tracks.tolist(), starts.tolist(), durations.tolist(), strict=True)
    for at, (track, start, duration) in enumerate(columns):
        if track != track_before:
            open_, track_before = [], track
        while open_ and open_[-1][0] <= start:
            open_.pop()
        end, covered = min(start + duration, LATEST_NS), start
        while open_ and covered < end:
            outer_end, outer = open_[-1]
            until = min(end, outer_end)
            left[outer] -= max(0, until - covered)
            covered = max(covered, until)
            if outer_end > end:
                break
            open_.pop()  # what is left of it is that of this slice; each slice is looked at a few times only
        open_.append((end, at))
    return np.array(left, np.int64)


def python_enclosing(
    tracks: NDArray[np.int32],
    starts: NDArray[np.int64],
    durations: NDArray[np.int64],
    marked: NDArray[np.bool_],
    max_depth: int,
) -> NDArray[np.int32]:
    """`enclosing` without the core."""
    result, open_, track_before = list[int](), list[tuple[int, int]](), -1
    columns = zip(tracks.tolist(), starts.tolist(), durations.tolist(), marked.tolist(), strict=True)
    for at, (track, start, duration, is_marked) in enumerate(columns):
        if track != track_before:
            open_, track_before = [], track
        while open_ and open_[-1][0] <= start:
            open_.pop()
        result.append(open_[-1][1] if open_ else -1)
        if is_marked and len(open_) < max_depth:
            open_.append((min(start + duration, LATEST_NS), at))
    return np.array(result, np.int32)


def python_innermost(
    tracks: NDArray[np.int32],
    starts: NDArray[np.int64],
    durations: NDArray[np.int64],
    groups: NDArray[np.int8],
) -> SliceSegments:
    """`innermost` without the core."""
    found, open_, covered = list[list[int]](), list[tuple[int, int]](), 0

    def append(at: int, end: int) -> None:
        if found and found[-1][2] == covered:
            last = found[-1][0]
            if groups[last] == groups[at] and tracks[last] == tracks[at]:
                found[-1][2] = end
                return
        found.append([at, covered, end])

    def cover_until(moment: int) -> None:
        nonlocal covered
        while open_ and covered < moment:
            end, at = open_[-1]
            if min(end, moment) > covered:
                append(at, min(end, moment))
                covered = min(end, moment)
            if end <= covered:
                open_.pop()

    track_before = -1
    columns = zip(tracks.tolist(), starts.tolist(), durations.tolist(), strict=True)
    for at, (track, start, duration) in enumerate(columns):
        if track != track_before:
            cover_until(LATEST_NS)
            open_.clear()
            track_before = track
        cover_until(start)
        covered = start
        open_.append((min(start + duration, LATEST_NS), at))
    cover_until(LATEST_NS)
    slices, begins, ends = zip(*found, strict=True) if found else ((), (), ())
    return np.array(slices, np.int32), np.array(begins, np.int64), np.array(ends, np.int64)
