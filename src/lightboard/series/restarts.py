"""Lists the restarts of a run: a SessionLog START, or steps that go back.

The decoders record both while they decode a file. This module adds the regressions between files.

A START at the beginning of the first file is not a restart. A regression counts once, however many tags go back.
`events.superseding` decides which points a restart supersedes.
"""

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

from lightboard.events.decode import Decoder
from lightboard.series.timeseries import TagTable
from lightboard.types import Step, WallTime

HEAD_BYTES = 512
"""A START this close to the beginning of a file is its first event."""


class Restart(NamedTuple):
    """A restart: its step, its time, and how it was detected."""

    step: Step
    wall_time: WallTime
    reason: Literal["start", "regression"]


def list_restarts(decoders: Sequence[Decoder], file_regressions: Sequence[Restart | None]) -> list[Restart]:
    """Every restart in the order of the bytes; see `find_regressions_between` for `file_regressions`."""
    found: list[Restart] = []
    for position, decoder in enumerate(decoders):
        regression = file_regressions[position]
        if regression is not None:
            found.append(regression)
        starts = [(offset, Restart(step, wall, "start")) for step, wall, offset in restart_events(decoder, position)]
        back = [(offset, Restart(step, wall, "regression")) for step, wall, offset in decoder.regressions()]
        found += [restart for _, restart in sorted(starts + back, key=lambda pair: pair[0])]
    return found


def count_restarts(decoders: Sequence[Decoder], file_regressions: Sequence[Restart | None]) -> int:
    """The number of restarts. The list may be shorter, because decoders store a limited number of regressions."""
    count = 0
    for position, decoder in enumerate(decoders):
        count += (
            len(restart_events(decoder, position)) + decoder.regression_count + (file_regressions[position] is not None)
        )
    return count


def restart_events(decoder: Decoder, position: int) -> list[tuple[int, float, int]]:
    """The STARTs of the file at `position`, without the one that begins the run."""
    starts = decoder.starts()
    return starts[1:] if position == 0 and opens_with_start(starts) else starts


def opens_with_start(starts: Sequence[tuple[int, float, int]]) -> bool:
    """Whether the file begins with a START."""
    return bool(starts) and starts[0][2] <= HEAD_BYTES


def find_regressions_between(decoders: Sequence[Decoder], table: TagTable) -> list[Restart | None]:
    """For each file, the regression between it and the files before it; None if there is none.

    It is the earliest first point of a series that is below the series' last point before. Files that begin with a
    START have none.
    """
    file_regressions: list[Restart | None] = [None] * len(decoders)
    ends = [decoder.ends() for decoder in decoders]
    starts_explicitly = [opens_with_start(decoder.starts()) for decoder in decoders]
    for tag in table.all:
        last: Step | None = None
        for position, (_, index) in enumerate(tag.parts):
            if index < 0:
                continue
            step, wall, end = ends[position][index]
            if last is not None and step < last and not starts_explicitly[position]:
                file_regressions[position] = earlier(file_regressions[position], Restart(step, wall, "regression"))
            last = end
    return file_regressions


def earlier(one: Restart | None, other: Restart) -> Restart:
    """The one written first; NaN times come last."""
    if one is None or math.isnan(one.wall_time) or other.wall_time < one.wall_time:
        return other
    return one
