"""Columns of the run table: one statistic of one tag for all runs, fast for ten thousand runs.

All statistics of a tag are computed once, with one call of the compiled core for all runs.
"""

import math
from array import array
from collections.abc import Sequence
from typing import NamedTuple

from lightboard.events.decode import Part, Stats, stats_many
from lightboard.query.scalars import column, scalar_parts
from lightboard.series.catalog import Catalog
from lightboard.series.run import Run

FIELDS = {
    "first": "first_value",
    "last": "last_value",
    "min": "min_value",
    "max": "max_value",
    "mean": "mean",
    "min_step": "min_step",
    "max_step": "max_step",
    "last_step": "last_step",
    "points": "held",
}
"""Names of statistics, and their fields in Stats."""

WHOLE = frozenset(("min_step", "max_step", "last_step", "points"))
"""Statistics that are integers."""

SIZE = len(Stats._fields)

Values = list[float | int | None]


class ColumnRequest(NamedTuple):
    """A column; `stat` is a key of FIELDS."""

    tag: str
    stat: str


class Columns(NamedTuple):
    """Ids of all runs by slot, and for each column one value per run, or None."""

    runs: list[int]
    columns: list[Values]


def read_columns(catalog: Catalog, requests: Sequence[ColumnRequest], purge: bool) -> Columns:
    """The columns in the requested order."""
    runs = catalog.runs()
    figures = {tag: Figures(runs, tag, purge) for tag in dict.fromkeys(request.tag for request in requests)}
    return Columns([run.id for run in runs], [figures[tag].column(stat) for tag, stat in requests])


class Figures:
    """All statistics of one tag for all runs."""

    def __init__(self, runs: Sequence[Run], tag: str, purge: bool) -> None:
        self._size = len(runs)
        self._indices: list[int] = []
        series: list[list[Part]] = []
        for index, run in enumerate(runs):
            parts = scalar_parts(run, tag)
            if parts is not None:
                self._indices.append(index)
                series.append(parts)
        packs = stats_many(series, purge)
        self._whole = column(array("q", packs))
        self._real = column(array("d", packs))

    def column(self, stat: str) -> Values:
        """One value per run; None for runs without the tag or without visible points."""
        cells: Values = [None] * self._size
        counts = self._field("points")
        for index, value, points in zip(self._indices, self._values(stat), counts, strict=True):
            if points:
                cells[index] = value
        return cells

    def _field(self, stat: str) -> "array[int] | array[float]":
        offset = Stats._fields.index(FIELDS[stat])
        return self._whole[offset::SIZE] if stat in WHOLE else self._real[offset::SIZE]

    def _values(self, stat: str) -> Sequence[float | int | None]:
        values = self._field(stat)
        if stat not in ("min_step", "max_step"):
            return values
        # Without finite values there is no minimum or maximum, and no step of it.
        extremes = self._field(stat.removesuffix("_step"))
        return [None if math.isnan(extreme) else step for step, extreme in zip(values, extremes, strict=True)]
