"""Scalar series: cut to pixels for charts, summed up, whole, or sampled for answers that must stay short."""

import struct
import sys
from array import array
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from lightboard.errors import TagNotFound
from lightboard.events.decode import Line, Part, Stats, chart_many, group_many, series_points, series_stats
from lightboard.query.runs import run_named
from lightboard.query.thinning import kept_indices
from lightboard.series.catalog import Catalog
from lightboard.series.run import Run

PLUGIN = "scalars"
N = TypeVar("N", int, float)

AXES = {"step": 0, "relative": 1, "wall": 2, "tag": 3}
STATISTICS = {"mean": 0, "median": 1}
BANDS = {"none": 0, "sd": 1, "se": 2, "minmax": 3}

HEAD = struct.Struct("<4sIQ")
CHART_HEAD = struct.Struct("<IIQ")
MAGIC = b"LBC1"


class ChartStyle(NamedTuple):
    """What all charts of one request share. `axis` is a value of AXES, `px` the width in device pixels; `x_tag` names
    the tag that is x where the axis is one; `statistic` and `band` are values of STATISTICS and BANDS."""

    axis: int
    px: int
    smoothing: float
    aux: bool
    orphans: bool
    x_tag: str = ""
    statistic: int = 0
    band: int = 1


class Group(NamedTuple):
    """Runs that are drawn as one line."""

    id: int
    runs: frozenset[int]


class ChartRequest(NamedTuple):
    """One chart; `runs` None = all that have the tag; the x range may be open (-inf, inf)."""

    tag: str
    runs: frozenset[int] | None
    x0: float
    x1: float
    groups: Sequence[Group] = ()


class SeriesStats(NamedTuple):
    """Statistics, and of which tag and run they are."""

    tag: str
    run: int
    stats: Stats


class Points(NamedTuple):
    """Columns of one series, equally long: steps, wall times in seconds, values, 1 where superseded."""

    steps: Sequence[int]
    walls: Sequence[float]
    values: Sequence[float]
    superseded: Sequence[int]


def draw_charts(catalog: Catalog, style: ChartStyle, requests: Sequence[ChartRequest], purge: bool) -> bytes:
    """The body of a chart answer: a head, then for each chart a head and its blocks, runs by slot, groups as asked.

    Head: "LBC1", number of charts (u32), generation (u64). Chart head: index (u32), number of blocks (u32), bytes
    of the blocks (u64). All little-endian; every part is a multiple of 8 bytes long. A tag nobody has gives no
    blocks, nor does a group of which no run has it; where x is a tag, a run needs both.
    """
    generation, runs = catalog.generation, catalog.runs()
    pieces = [HEAD.pack(MAGIC, len(requests), generation)]
    for index, request in enumerate(requests):
        count, blocks = draw_chart(runs, style, request, purge)
        pieces += [CHART_HEAD.pack(index, count, len(blocks)), blocks]
    return b"".join(pieces)


def draw_chart(runs: Sequence[Run], style: ChartStyle, request: ChartRequest, purge: bool) -> tuple[int, bytes]:
    """The blocks of one chart, and how many they are."""
    tag, wanted, x0, x1, asked = request
    lines = lines_of(runs, tag, wanted, style)
    blocks = chart_many(lines, purge, style.axis, x0, x1, style.px, style.smoothing, style.aux)
    if not asked:
        return len(lines), blocks
    of_run = {line[1]: line for line in lines_of(runs, tag, frozenset().union(*(group.runs for group in asked)), style)}
    groups = [([of_run[run] for run in sorted(group.runs & of_run.keys())], group.id) for group in asked]
    groups = [group for group in groups if group[0]]
    blocks += group_many(groups, style.statistic, style.band, purge, style.axis, x0, x1, style.px, style.smoothing)
    return len(lines) + len(groups), blocks


def lines_of(runs: Iterable[Run], tag: str, wanted: frozenset[int] | None, style: ChartStyle) -> Sequence[Line]:
    """The lines of `wanted` runs or all, by slot: those that have the tag, and where x is a tag that too."""
    lines = series_of(runs, tag, wanted)
    if style.axis != AXES["tag"]:
        return lines
    over = {run: parts for parts, run in series_of(runs, style.x_tag, wanted)}
    return [(parts, run, over[run]) for parts, run in lines if run in over]


def series_of(runs: Iterable[Run], tag: str, wanted: frozenset[int] | None) -> list[tuple[list[Part], int]]:
    """Parts and run id of every scalar series named `tag`, over `wanted` runs or all."""
    found = []
    for run in runs:
        if wanted is None or run.id in wanted:
            parts = scalar_parts(run, tag)
            if parts is not None:
                found.append((parts, run.id))
    return found


def scalar_parts(run: Run, tag: str) -> list[Part] | None:
    """The parts of a scalar series, or None if the run has no such."""
    found = run.tags().get(tag)
    if found is not None and found.plugin == PLUGIN and found.form == "scalar":
        return found.parts
    if found is None:
        return None
    for rival in run.tag_list():
        if rival.name == tag and rival.plugin == PLUGIN and rival.form == "scalar":
            return rival.parts
    return None


def read_stats(catalog: Catalog, tags: Iterable[str], wanted: frozenset[int] | None, purge: bool) -> list[SeriesStats]:
    """Statistics of each series that exists, tags in the order given, runs by slot."""
    runs = catalog.runs()
    return [
        SeriesStats(tag, run_id, series_stats(parts, purge))
        for tag in tags
        for parts, run_id in series_of(runs, tag, wanted)
    ]


def read_series(catalog: Catalog, run: str, tag: str, purge: bool) -> Points:
    """Every point of one series, also of one that a plugin nobody here knows wrote as numbers.

    Raises:
        RunNotFound, TagNotFound: there is no such run, or it has no such scalar.
    """
    held = run_named(catalog, run)
    others = (one.parts for one in held.tag_list() if one.name == tag and one.form == "scalar")
    return points_of(scalar_parts(held, tag) or next(others, None) or parts_of(catalog, run, tag), purge)


def parts_of(catalog: Catalog, run: str, tag: str) -> list[Part]:
    """The parts of one series. Raises RunNotFound, TagNotFound."""
    parts = scalar_parts(run_named(catalog, run), tag)
    if parts is None:
        raise TagNotFound(f"run {run!r} has no scalar {tag!r}", hint="/api/v1/tags?plugin=scalars lists them")
    return parts


def points_of(parts: list[Part], purge: bool) -> Points:
    """The visible points of a series as columns."""
    steps, walls, values, superseded = series_points(parts, purge)
    return Points(column(array("q", steps)), column(array("d", walls)), column(array("d", values)), superseded)


def column(numbers: "array[N]") -> "array[N]":
    """Numbers that came as little-endian bytes."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def read_samples(catalog: Catalog, run: str, tag: str, purge: bool, most: int) -> Points:
    """At most `most` points of one series, 0 = all: evenly spaced, with the first, last, lowest and highest.

    Raises:
        RunNotFound, TagNotFound: there is no such run, or it has no such scalar.
    """
    parts = parts_of(catalog, run, tag)
    points = points_of(parts, purge)
    if most <= 0 or len(points.steps) <= most:
        return points
    steps, walls, values, superseded = points
    stats = series_stats(parts, purge)
    lowest_and_highest = [
        place for number in (stats.min_value, stats.max_value) if (place := place_of(values, number)) >= 0
    ]
    kept = kept_indices(len(steps), most, lowest_and_highest)
    return Points(
        [steps[index] for index in kept],
        [walls[index] for index in kept],
        [values[index] for index in kept],
        [superseded[index] for index in kept],
    )


def place_of(values: Sequence[float], number: float) -> int:
    """Index of the first value equal to `number`; -1 if there is none, as when it is NaN or the series has changed."""
    try:
        return values.index(number)
    except ValueError:
        return -1
