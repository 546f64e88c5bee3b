"""Columns of the run table: one figure of one tag for every run, quick for ten thousand of them.

A tag is gone through once, however many of its figures are asked for; the compiled core takes all runs in one call.
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
"""What may be asked for, and what it is called among the figures of a series."""

WHOLE = frozenset(("min_step", "max_step", "last_step", "points"))
"""Those that are whole numbers."""

SIZE = len(Stats._fields)

Values = list[float | int | None]


class ColumnRequest(NamedTuple):
    """A column; `stat` is a key of FIELDS."""

    tag: str
    stat: str


class Columns(NamedTuple):
    """Ids of all runs by slot, and for each column one value for each of them; None where there is none."""

    runs: list[int]
    columns: list[Values]


def read_columns(catalog: Catalog, requests: Sequence[ColumnRequest], purge: bool) -> Columns:
    """The columns in the order asked."""
    runs = catalog.runs()
    figures = {tag: Figures(runs, tag, purge) for tag in dict.fromkeys(request.tag for request in requests)}
    return Columns([run.id for run in runs], [figures[tag].column(stat) for tag, stat in requests])


class Figures:
    """All figures of one tag, for all runs."""

    def __init__(self, runs: Sequence[Run], tag: str, purge: bool) -> None:
        self._size = len(runs)
        self._places: list[int] = []
        series: list[list[Part]] = []
        for place, run in enumerate(runs):
            parts = scalar_parts(run, tag)
            if parts is not None:
                self._places.append(place)
                series.append(parts)
        packs = stats_many(series, purge)
        self._whole = column(array("q", packs))
        self._real = column(array("d", packs))

    def column(self, stat: str) -> Values:
        """One value for each run: None for a run without the tag, or without any visible point of it."""
        found: Values = [None] * self._size
        held = self._field("points")
        for place, value, points in zip(self._places, self._values(stat), held, strict=True):
            if points:
                found[place] = value
        return found

    def _field(self, stat: str) -> "array[int] | array[float]":
        at = Stats._fields.index(FIELDS[stat])
        return self._whole[at::SIZE] if stat in WHOLE else self._real[at::SIZE]

    def _values(self, stat: str) -> Sequence[float | int | None]:
        values = self._field(stat)
        if stat not in ("min_step", "max_step"):
            return values
        # Where nothing is finite there is no lowest or highest value, hence no step of it.
        extremes = self._field(stat.removesuffix("_step"))
        return [None if math.isnan(extreme) else step for step, extreme in zip(values, extremes, strict=True)]
