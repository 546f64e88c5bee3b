"""Scalar series: charts downsampled to pixels, statistics, all points, or samples."""

import struct
import sys
from array import array
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from lightboard import cancellation
from lightboard.errors import TagNotFound
from lightboard.events.decode import (
    Line,
    Part,
    Stats,
    chart_many,
    count_rows,
    group_many,
    series_points,
    series_samples,
    series_stats,
)
from lightboard.query.chart_budget import ChartBudget
from lightboard.query.runs import run_named
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

JOINED_BYTES = 64 << 10
"""Charts up to this size are one piece with their headers, since each piece has a fixed cost."""


class ChartStyle(NamedTuple):
    """The style of all charts of a request. `axis` is a value of AXES, `px` the width in device pixels, `x_tag` the tag
    on the x axis if `axis` is "tag"; `statistic` and `band` are values of STATISTICS and BANDS. `last_of_step`: of
    points that share a step, only the last one is drawn."""

    axis: int
    px: int
    smoothing: float
    aux: bool
    orphans: bool
    x_tag: str = ""
    statistic: int = 0
    band: int = 1
    last_of_step: bool = False


class Group(NamedTuple):
    """Runs that are drawn as one line with a band."""

    id: int
    runs: frozenset[int]


class ChartRequest(NamedTuple):
    """One chart. `runs` None: all runs with the tag. The x range may be open (-inf, inf)."""

    tag: str
    runs: frozenset[int] | None
    x0: float
    x1: float
    groups: Sequence[Group] = ()


class SeriesStats(NamedTuple):
    """Statistics of one series."""

    tag: str
    run: int
    stats: Stats


class Points(NamedTuple):
    """The columns of one series, of equal length: steps, wall times in seconds, values, 1 if superseded."""

    steps: Sequence[int]
    walls: Sequence[float]
    values: Sequence[float]
    superseded: Sequence[int]


def draw_charts(
    catalog: Catalog, style: ChartStyle, requests: Sequence[ChartRequest], purge: bool
) -> Generator[bytes | int | None, None, None]:
    """The body of a chart response: a header, then for each chart a header and its blocks, runs by slot, then groups.

    Header: "LBC1", number of charts (u32), generation (u64). Chart header: index (u32), number of blocks (u32), size of
    the blocks (u64). Little-endian, and every part is padded to 8 bytes. Runs without the tag have no block; if x is a
    tag, runs need both tags. Groups without runs have none either.

    Yields pieces for the scheduler. The cost of the request is computed before the first bytes: raises OverBudget. The
    first estimate of held bytes is an upper bound, so that few large requests are planned at once.
    """
    generation, runs = catalog.generation, catalog.runs()
    budget = ChartBudget(style.px, smoothed=style.smoothing > 0)
    upper_bound = budget.most_held_bytes(most_lines(requests, len(runs)))
    yield upper_bound
    plans = []
    for request in requests:
        plans.append((yield from plan_chart(runs, style, request, budget)))
        if len(plans) < len(requests):
            yield None
    if budget.held_bytes != upper_bound:
        yield budget.held_bytes
    head = HEAD.pack(MAGIC, len(requests), generation)
    for index, plan in enumerate(plans):
        blocks: list[bytes] = []
        for batch in draw_batches(plan, style, purge):
            if blocks:
                yield None
            blocks.append(batch)
        size = sum(map(len, blocks))
        head += CHART_HEAD.pack(index, len(plan.lines) + len(plan.groups), size)
        if size <= JOINED_BYTES:
            yield b"".join((head, *blocks))
        else:
            yield head
            yield from blocks
        head = b""
    if not plans:
        yield head


def most_lines(requests: Sequence[ChartRequest], runs: int) -> int:
    """The maximum number of lines of a chart, including members of groups."""
    most = 0
    for _, wanted, _, _, groups in requests:
        lines = runs if wanted is None else len(wanted)
        for group in groups:
            lines += len(group.runs)
        most = max(most, lines)
    return most


class ChartPlan(NamedTuple):
    """The lines and groups of one chart, each with its cost in rows."""

    lines: Sequence[Line]
    line_costs: Sequence[int]
    groups: Sequence[tuple[Sequence[Line], int]]
    group_costs: Sequence[int]
    x0: float
    x1: float


def plan_chart(
    runs: Sequence[Run], style: ChartStyle, request: ChartRequest, budget: ChartBudget
) -> Generator[None, None, ChartPlan]:
    """The plan of one chart. Yields after each group. Raises OverBudget."""
    tag, wanted, x0, x1, requested_groups = request
    lines = lines_of(runs, tag, wanted, style)
    line_costs = budget.add_few_lines(len(lines))
    if line_costs is None:
        line_costs = budget.add_lines(count_rows(line[0] for line in lines))
    groups, group_costs = [], []
    if requested_groups:
        all_members = frozenset().union(*(group.runs for group in requested_groups))
        member_lines = lines_of(runs, tag, all_members, style)
        by_run = {line[1]: line for line in member_lines}
        lengths = dict(zip(by_run, count_rows(line[0] for line in member_lines), strict=True))
        for group in requested_groups:
            yield
            members = sorted(group.runs & by_run.keys())
            if members:
                cost = budget.add_group([lengths[run] for run in members], whole_steps=style.axis == AXES["step"])
                group_costs.append(cost)
                groups.append(([by_run[run] for run in members], group.id))
    return ChartPlan(lines, line_costs, groups, group_costs, x0, x1)


BATCH_ROWS = 200_000
"""Rows per call of the core, which takes about a millisecond."""

BATCH_LINES = 2
"""Minimum of lines per call, since the core draws them in parallel."""

LINE_ROWS = 500
"""Fixed cost of a line in rows."""


def draw_batches(plan: ChartPlan, style: ChartStyle, purge: bool) -> Iterator[bytes]:
    """The blocks of one chart, in batches of limited cost."""
    axis, x0, x1, px, smoothing = style.axis, plan.x0, plan.x1, style.px, style.smoothing
    last = style.last_of_step
    for begin, end in batches(plan.line_costs):
        yield chart_many(plan.lines[begin:end], purge, axis, x0, x1, px, smoothing, style.aux, last)
    for begin, end in batches(plan.group_costs):
        yield group_many(plan.groups[begin:end], style.statistic, style.band, purge, axis, x0, x1, px, smoothing, last)


def batches(costs: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Batches [begin, end) of items with these costs: BATCH_LINES items, or more if they are cheap."""
    begin = rows = 0
    for index, cost in enumerate(costs):
        if index >= begin + BATCH_LINES and rows + cost + LINE_ROWS > BATCH_ROWS:
            yield begin, index
            begin, rows = index, 0
        rows += cost + LINE_ROWS
    if begin < len(costs):
        yield begin, len(costs)


def lines_of(runs: Iterable[Run], tag: str, wanted: frozenset[int] | None, style: ChartStyle) -> Sequence[Line]:
    """The lines of `wanted` runs or all, by slot, that have the tag, and also `x_tag` if x is a tag."""
    lines = series_of(runs, tag, wanted)
    if style.axis != AXES["tag"]:
        return lines
    x_parts = {run: parts for parts, run in series_of(runs, style.x_tag, wanted)}
    return [(parts, run, x_parts[run]) for parts, run in lines if run in x_parts]


def series_of(runs: Iterable[Run], tag: str, wanted: frozenset[int] | None) -> list[tuple[list[Part], int]]:
    """Parts and run id of every scalar series `tag` in `wanted` runs or all."""
    cancellation.check()
    series = []
    for run in runs:
        if wanted is None or run.id in wanted:
            parts = scalar_parts(run, tag)
            if parts is not None:
                series.append((parts, run.id))
    return series


def scalar_parts(run: Run, tag: str) -> list[Part] | None:
    """The parts of a scalar series, or None."""
    first = run.tags().get(tag)
    if first is not None and first.plugin == PLUGIN and first.form == "scalar":
        return first.parts
    if first is None:
        return None
    for other in run.tag_list():  # a name may have two forms
        if other.name == tag and other.plugin == PLUGIN and other.form == "scalar":
            return other.parts
    return None


def read_stats(
    catalog: Catalog, tags: Iterable[str], wanted: frozenset[int] | None, purge: bool
) -> Iterator[SeriesStats]:
    """Statistics of each series that exists, tags in the order given, runs by slot."""
    runs = catalog.runs()
    for tag in tags:
        for parts, run_id in series_of(runs, tag, wanted):
            yield SeriesStats(tag, run_id, series_stats(parts, purge))


def read_series(catalog: Catalog, run: str, tag: str, purge: bool) -> Points:
    """All points of one series, including numbers of unknown plugins.

    Raises:
        RunNotFound, TagNotFound: there is no such run, or it has no such scalar.
    """
    run_data = run_named(catalog, run)
    others = (other.parts for other in run_data.tag_list() if other.name == tag and other.form == "scalar")
    return points_of(scalar_parts(run_data, tag) or next(others, None) or parts_of(catalog, run, tag), purge)


def parts_of(catalog: Catalog, run: str, tag: str) -> list[Part]:
    """The parts of one series. Raises RunNotFound, TagNotFound."""
    parts = scalar_parts(run_named(catalog, run), tag)
    if parts is None:
        raise TagNotFound(f"run {run!r} has no scalar {tag!r}", hint="/api/v1/tags?plugin=scalars lists them")
    return parts


def points_of(parts: list[Part], purge: bool) -> Points:
    """The visible points of a series as columns."""
    return columns_of(series_points(parts, purge))


def columns_of(packed: tuple[bytes, bytes, bytes, bytes]) -> Points:
    """Columns from packed bytes."""
    steps, walls, values, superseded = packed
    return Points(column(array("q", steps)), column(array("d", walls)), column(array("d", values)), superseded)


def column(numbers: "array[N]") -> "array[N]":
    """Numbers from little-endian bytes."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def read_samples(catalog: Catalog, run: str, tag: str, purge: bool, most: int) -> Points:
    """At most `most` points of one series, 0 = all: evenly spaced, with the first, last, lowest and highest.

    Raises:
        RunNotFound, TagNotFound: there is no such run, or it has no such scalar.
    """
    return columns_of(series_samples(parts_of(catalog, run, tag), purge, most))
