"""Where a run's writers began anew: told by a SessionLog START, or seen because steps went back.

A START right at the beginning of the first file opens the run and restarts nothing. Steps go back once for each time
that a writer does, however many tags take part. Not here: which points a restart made void (`events.superseding`).
"""

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

from lightboard.events.decode import Decoder
from lightboard.series.timeseries import TagTable
from lightboard.types import Step, WallTime

HEAD_BYTES = 512
"""A START this near to the beginning of a file opens the file."""


class Session(NamedTuple):
    """A writer begins: at which step, when, and how it is known."""

    step: Step
    wall_time: WallTime
    reason: Literal["start", "regression"]


def sessions_of(decoders: Sequence[Decoder], joins: Sequence[Session | None]) -> list[Session]:
    """Every restart, file by file in the order of the bytes. `joins` are those of `joins_of`."""
    found: list[Session] = []
    for place, decoder in enumerate(decoders):
        join = joins[place]
        if join is not None:
            found.append(join)
        starts = [(offset, Session(step, wall, "start")) for step, wall, offset in restarting(decoder, place)]
        back = [(offset, Session(step, wall, "regression")) for step, wall, offset in decoder.regressions()]
        found += [session for _, session in sorted(starts + back, key=lambda one: one[0])]
    return found


def count_sessions(decoders: Sequence[Decoder], joins: Sequence[Session | None]) -> int:
    """How many restarts there are; a list of them may end earlier, for a decoder keeps only so many regressions."""
    count = 0
    for place, decoder in enumerate(decoders):
        count += len(restarting(decoder, place)) + decoder.regression_count + (joins[place] is not None)
    return count


def restarting(decoder: Decoder, place: int) -> list[tuple[int, float, int]]:
    """The STARTs of file number `place` but the one that opens the run."""
    starts = decoder.starts()
    return starts[1:] if place == 0 and opens_with_start(starts) else starts


def opens_with_start(starts: Sequence[tuple[int, float, int]]) -> bool:
    """Does the file begin with a START?"""
    return bool(starts) and starts[0][2] <= HEAD_BYTES


def joins_of(decoders: Sequence[Decoder], table: TagTable) -> list[Session | None]:
    """For each file the regression with which it takes over from the files before it, None where there is none.

    That is the earliest first point of a series that lies below the last one before; a file that begins with a START
    needs no other reason to go back.
    """
    joins: list[Session | None] = [None] * len(decoders)
    ends = [decoder.ends() for decoder in decoders]
    quiet = [opens_with_start(decoder.starts()) for decoder in decoders]
    for tag in table.all:
        last: Step | None = None
        for place, (_, index) in enumerate(tag.parts):
            if index < 0:
                continue
            step, wall, end = ends[place][index]
            if last is not None and step < last and not quiet[place]:
                joins[place] = earlier(joins[place], Session(step, wall, "regression"))
            last = end
    return joins


def earlier(one: Session | None, other: Session) -> Session:
    """Which was written first; a time that is no number comes last."""
    if one is None or math.isnan(one.wall_time) or other.wall_time < one.wall_time:
        return other
    return one
