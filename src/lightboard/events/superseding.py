"""Which points of a series a restart has made void, by the rule of TensorBoard's EventAccumulator.

From file version 2 on, a SessionLog START at step s voids every point of the run that came before it and has a step of
s or more. Before version 2 (or where no file says its version) there is no START to trust: a summary whose step is
below the one the run has reached voids the points of its own tags in the same way. A file without a version goes by
the version of the files before it. The step a run has reached is that of the last event that was not below it,
summary or not; files of version 2 leave it alone. A file has one version, the last it names: TensorBoard would change
rules in the middle of a file that changes its version, which no writer does.

TensorBoard's server differs from its EventAccumulator in one thing: it lets the first START of a run pass, and so
draws a run that was resumed once, in a second file, with its dead branch. We follow EventAccumulator.
"""

from collections.abc import Sequence
from typing import NamedTuple

from lightboard.events.columns import Columns
from lightboard.events.python_decoder import Decoder


class Point(NamedTuple):
    """A point or reference in its place: which part, which row, and whether something made it void."""

    place: int
    """Position among all points of the series."""
    part: int
    row: int
    columns: Columns
    superseded: bool
    restart: int
    """Number of restarts of the run before this point, as far as they are told by START."""

    @property
    def step(self) -> int:
        return self.columns.steps[self.row]

    @property
    def wall(self) -> float:
        return self.columns.walls[self.row]

    @property
    def value(self) -> float:
        return self.columns.values[self.row]


class _Stored(NamedTuple):
    part: int
    row: int
    step: int


def series_of(parts: Sequence[tuple[Decoder, int]]) -> list[Point]:
    """Every point of a series in file order, the void ones marked."""
    version, reached, restarts = 0, -1, 0
    kept: list[_Stored] = []
    seen: list[tuple[int, int, Columns, int]] = []
    for number, (decoder, index) in enumerate(parts):
        columns = decoder.columns(index) if index >= 0 else Columns(b"", "scalar")
        version = decoder.file_version or version
        starts = [step for step, _, _ in decoder.starts()] if version >= 2 else []
        done = 0
        for row, step in enumerate(columns.steps):
            if version >= 2:
                kept = _void(kept, starts[done : columns.epochs[row]])
                done = columns.epochs[row]
            elif _goes_back(columns, row, reached):
                kept = _void(kept, [step])
            kept.append(_Stored(number, row, step))
            seen.append((number, row, columns, restarts + min(done, len(starts))))
        kept = _void(kept, starts[done:])
        restarts += len(starts)
        if version < 2 and (decoder.settled or decoder.highest_early >= reached):
            reached = decoder.reached
    alive = {(stored.part, stored.row) for stored in kept}
    return [
        Point(place, part, row, columns, (part, row) not in alive, restart)
        for place, (part, row, columns, restart) in enumerate(seen)
    ]


def visible(parts: Sequence[tuple[Decoder, int]], purge: bool) -> list[Point]:
    """The points to show: all of them, or with `purge` those no restart made void."""
    return [point for point in series_of(parts) if not (purge and point.superseded)]


def _void(kept: list[_Stored], steps: Sequence[int]) -> list[_Stored]:
    for step in steps:
        kept = [stored for stored in kept if stored.step < step]
    return kept


def _goes_back(columns: Columns, row: int, reached: int) -> bool:
    """Whether the event that brought this point lay below the step reached; asked once for each event."""
    if row and columns.serials[row] == columns.serials[row - 1]:
        return False
    return columns.late[row] or (columns.early[row] and columns.steps[row] < reached)
