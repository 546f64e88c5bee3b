"""Series to take away: which there are, and their points a stretch at a time, so that their length does not count."""

from array import array
from collections.abc import Iterator, Sequence
from itertools import compress
from typing import NamedTuple

from lightboard.events.decode import Part, count_rows, part_points
from lightboard.query.scalars import Points, column, parts_of, scalar_parts
from lightboard.series.catalog import Catalog

STRETCH_POINTS = 250_000
"""Points held at once: 6 MB, and few enough questions to the core."""


class LongSeries(NamedTuple):
    """Every point of one series in order, in pieces, and how many there are at most, superseded ones included."""

    most_points: int
    pieces: Iterator[Points]


def runs_having(catalog: Catalog, tag: str, wanted: frozenset[int] | None) -> list[str]:
    """Names of the runs with a scalar series `tag`, by slot, of those with `wanted` ids or of all."""
    return [
        run.name
        for run in catalog.runs()
        if (wanted is None or run.id in wanted) and scalar_parts(run, tag) is not None
    ]


def read_long_series(catalog: Catalog, run: str, tag: str, purge: bool) -> LongSeries:
    """Every point of one series; what comes while it is read may or may not be among them.

    Raises:
        RunNotFound, TagNotFound: there is no such run, or it has no such scalar.
    """
    parts = parts_of(catalog, run, tag)
    return LongSeries(count_rows([parts])[0], stretches(parts, purge))


def stretches(parts: Sequence[Part], purge: bool, most: int = STRETCH_POINTS) -> Iterator[Points]:
    """The points of a series in pieces that are not empty; with `purge` without those that a restart superseded."""
    for part, (_, index) in enumerate(parts):
        first, found = 0, most
        while index >= 0 and found == most:
            steps, walls, values, superseded = part_points(parts, part, first, most)
            found = len(superseded)
            first += found
            points = Points(
                column(array("q", steps)), column(array("d", walls)), column(array("d", values)), superseded
            )
            if purge and any(superseded):
                points = shown(points)
            if points.steps:
                yield points


def shown(points: Points) -> Points:
    """Those that no restart superseded."""
    steps, walls, values, superseded = points
    kept = [not mark for mark in superseded]
    return Points(
        list(compress(steps, kept)), list(compress(walls, kept)), list(compress(values, kept)), bytes(sum(kept))
    )
