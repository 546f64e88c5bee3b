"""Determines which points of a series are superseded by a restart, by the rule of TensorBoard's EventAccumulator.

From file version 2 on, a SessionLog START at step s supersedes every earlier point of the run with a step of s or more.
Before version 2, or if no file states a version, a summary whose step is below the last step of the run does the same
to the points of its own tags. A file without a version has the version of the file before it. The last step of a run is
that of the last event that was not below it, summary or not; files of version 2 do not change it. A file has one
version, the last that it states. TensorBoard would apply a changed version from the middle of a file on, but no writer
does that.

TensorBoard's server differs from its EventAccumulator in one respect: it ignores the first START of a run. A run that
was resumed once, in a second file, is therefore drawn with its superseded points. We follow EventAccumulator.
"""

from collections.abc import Sequence
from typing import NamedTuple

from lightboard.events.columns import Columns
from lightboard.events.python_decoder import Decoder


class Point(NamedTuple):
    """A point or reference of a series."""

    position: int
    """Index among all points of the series."""
    part: int
    row: int
    columns: Columns
    superseded: bool
    restart: int
    """Number of STARTs of the run before this point."""

    @property
    def step(self) -> int:
        return self.columns.steps[self.row]

    @property
    def wall(self) -> float:
        return self.columns.walls[self.row]

    @property
    def value(self) -> float:
        return self.columns.values[self.row]


class _Row(NamedTuple):
    part: int
    row: int
    step: int


def all_points(parts: Sequence[tuple[Decoder, int]]) -> list[Point]:
    """Every point of a series in file order, with superseded points marked."""
    version, last_step, restarts = 0, -1, 0
    kept: list[_Row] = []
    rows: list[tuple[int, int, Columns, int]] = []
    for number, (decoder, index) in enumerate(parts):
        columns = decoder.columns(index) if index >= 0 else Columns(b"", "scalar")
        version = decoder.file_version or version
        starts = [step for step, _, _ in decoder.starts()] if version >= 2 else []
        done = 0
        for row, step in enumerate(columns.steps):
            if version >= 2:
                kept = _supersede(kept, starts[done : columns.epochs[row]])
                done = columns.epochs[row]
            elif _is_below_last_step(columns, row, last_step):
                kept = _supersede(kept, [step])
            kept.append(_Row(number, row, step))
            rows.append((number, row, columns, restarts + min(done, len(starts))))
        kept = _supersede(kept, starts[done:])
        restarts += len(starts)
        if version < 2 and (decoder.settled or decoder.highest_early >= last_step):
            last_step = decoder.last_step
    current = {(one.part, one.row) for one in kept}
    return [
        Point(position, part, row, columns, (part, row) not in current, restart)
        for position, (part, row, columns, restart) in enumerate(rows)
    ]


def visible_points(parts: Sequence[tuple[Decoder, int]], purge: bool) -> list[Point]:
    """The visible points: all, or with `purge` those that are not superseded."""
    return [point for point in all_points(parts) if not (purge and point.superseded)]


def _supersede(kept: list[_Row], steps: Sequence[int]) -> list[_Row]:
    for step in steps:
        kept = [one for one in kept if one.step < step]
    return kept


def _is_below_last_step(columns: Columns, row: int, last_step: int) -> bool:
    """Whether the event of this point was below the last step. False for all but the first row of an event."""
    if row and columns.serials[row] == columns.serials[row - 1]:
        return False
    return columns.late[row] or (columns.early[row] and columns.steps[row] < last_step)
