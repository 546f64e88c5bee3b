"""Reads series for export, in chunks, so that memory does not depend on their length."""

from array import array
from collections.abc import Iterator, Sequence
from itertools import compress
from typing import NamedTuple

from lightboard.events.decode import Part, count_rows, part_points
from lightboard.query.scalars import Points, column, parts_of, scalar_parts
from lightboard.series.catalog import Catalog

CHUNK_POINTS = 250_000
"""Points per chunk: 6 MB, and few calls of the core."""


class LongSeries(NamedTuple):
    """All points of one series in chunks, and an upper bound of their number, including superseded ones."""

    most_points: int
    pieces: Iterator[Points]


def runs_having(catalog: Catalog, tag: str, wanted: frozenset[int] | None) -> list[str]:
    """Names of the runs with a scalar series `tag`, by slot, among the runs with `wanted` ids or all."""
    return [
        run.name
        for run in catalog.runs()
        if (wanted is None or run.id in wanted) and scalar_parts(run, tag) is not None
    ]


def read_long_series(catalog: Catalog, run: str, tag: str, purge: bool) -> LongSeries:
    """All points of one series. Points written meanwhile may or may not be included.

    Raises:
        RunNotFound, TagNotFound: there is no such run, or it has no such scalar.
    """
    parts = parts_of(catalog, run, tag)
    return LongSeries(count_rows([parts])[0], chunks(parts, purge))


def chunks(parts: Sequence[Part], purge: bool, most: int = CHUNK_POINTS) -> Iterator[Points]:
    """The points of a series in non-empty chunks, without superseded ones if `purge`."""
    for part, (_, index) in enumerate(parts):
        first, count = 0, most
        while index >= 0 and count == most:
            steps, walls, values, superseded = part_points(parts, part, first, most)
            count = len(superseded)
            first += count
            points = Points(
                column(array("q", steps)), column(array("d", walls)), column(array("d", values)), superseded
            )
            if purge and any(superseded):
                points = shown(points)
            if points.steps:
                yield points


def shown(points: Points) -> Points:
    """The points that are not superseded."""
    steps, walls, values, superseded = points
    visible = [not flag for flag in superseded]
    return Points(
        list(compress(steps, visible)),
        list(compress(walls, visible)),
        list(compress(values, visible)),
        bytes(sum(visible)),
    )
