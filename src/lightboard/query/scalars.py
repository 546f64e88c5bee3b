"""Scalar series: cut to pixels for charts, summed up, whole, or sampled for answers that must stay short."""

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
"""A chart up to this is one piece with its heads: a piece costs as much as a short line."""


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


def draw_charts(
    catalog: Catalog, style: ChartStyle, requests: Sequence[ChartRequest], purge: bool
) -> Generator[bytes | int | None, None, None]:
    """The body of a chart answer: a head, then for each chart a head and its blocks, runs by slot, groups as asked.

    Head: "LBC1", number of charts (u32), generation (u64). Chart head: index (u32), number of blocks (u32), bytes
    of the blocks (u64). All little-endian; every part is a multiple of 8 bytes long. A tag nobody has gives no
    blocks, nor does a group of which no run has it; where x is a tag, a run needs both.

    Comes chart by chart; None where the work can give way. Before the first bytes all is summed up: raises OverBudget.
    Says about how many bytes will be held at once: at first how many it could be, so that not everybody who waits has
    the plan of a large answer at hand.
    """
    generation, runs = catalog.generation, catalog.runs()
    budget = ChartBudget(style.px, smoothed=style.smoothing > 0)
    could_hold = budget.most_held_bytes(most_lines(requests, len(runs)))
    yield could_hold
    plans = []
    for request in requests:
        plans.append((yield from plan_chart(runs, style, request, budget)))
        if len(plans) < len(requests):
            yield None
    if budget.held_bytes != could_hold:
        yield budget.held_bytes
    head = HEAD.pack(MAGIC, len(requests), generation)
    for index, plan in enumerate(plans):
        blocks: list[bytes] = []
        for some in draw_lots(plan, style, purge):
            if blocks:
                yield None
            blocks.append(some)
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
    """How many lines one of the charts of some of so many runs can have, members of groups included."""
    most = 0
    for _, wanted, _, _, groups in requests:
        lines = runs if wanted is None else len(wanted)
        for group in groups:
            lines += len(group.runs)
        most = max(most, lines)
    return most


class ChartPlan(NamedTuple):
    """What one chart draws: lines and groups, each with about how long it takes, in rows."""

    lines: Sequence[Line]
    line_costs: Sequence[int]
    groups: Sequence[tuple[Sequence[Line], int]]
    group_costs: Sequence[int]
    x0: float
    x1: float


def plan_chart(
    runs: Sequence[Run], style: ChartStyle, request: ChartRequest, budget: ChartBudget
) -> Generator[None, None, ChartPlan]:
    """What one chart draws, a group at a time. Raises OverBudget."""
    tag, wanted, x0, x1, asked = request
    lines = lines_of(runs, tag, wanted, style)
    line_costs = budget.add_few_lines(len(lines))
    if line_costs is None:
        line_costs = budget.add_lines(count_rows(line[0] for line in lines))
    groups, group_costs = [], []
    if asked:
        every = lines_of(runs, tag, frozenset().union(*(group.runs for group in asked)), style)
        of_run = {line[1]: line for line in every}
        lengths = dict(zip(of_run, count_rows(line[0] for line in every), strict=True))
        for group in asked:
            yield
            chosen = sorted(group.runs & of_run.keys())
            if chosen:
                cost = budget.add_group([lengths[run] for run in chosen], whole_steps=style.axis == AXES["step"])
                group_costs.append(cost)
                groups.append(([of_run[run] for run in chosen], group.id))
    return ChartPlan(lines, line_costs, groups, group_costs, x0, x1)


LOT_ROWS = 200_000
"""Drawn in one call of the core, which takes about a millisecond."""

LOT_LINES = 2
"""At least, however long: the core draws them side by side."""

LINE_ROWS = 500
"""What a line costs besides its rows."""


def draw_lots(plan: ChartPlan, style: ChartStyle, purge: bool) -> Iterator[bytes]:
    """The blocks of one chart, so many at a time that none takes long."""
    axis, x0, x1, px, smoothing = style.axis, plan.x0, plan.x1, style.px, style.smoothing
    for begin, end in lots(plan.line_costs):
        yield chart_many(plan.lines[begin:end], purge, axis, x0, x1, px, smoothing, style.aux)
    for begin, end in lots(plan.group_costs):
        yield group_many(plan.groups[begin:end], style.statistic, style.band, purge, axis, x0, x1, px, smoothing)


def lots(costs: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Stretches [begin, end) of what takes so many rows each: LOT_LINES, or more with not many rows together."""
    begin = rows = 0
    for at, cost in enumerate(costs):
        if at >= begin + LOT_LINES and rows + cost + LINE_ROWS > LOT_ROWS:
            yield begin, at
            begin, rows = at, 0
        rows += cost + LINE_ROWS
    if begin < len(costs):
        yield begin, len(costs)


def lines_of(runs: Iterable[Run], tag: str, wanted: frozenset[int] | None, style: ChartStyle) -> Sequence[Line]:
    """The lines of `wanted` runs or all, by slot: those that have the tag, and where x is a tag that too."""
    lines = series_of(runs, tag, wanted)
    if style.axis != AXES["tag"]:
        return lines
    over = {run: parts for parts, run in series_of(runs, style.x_tag, wanted)}
    return [(parts, run, over[run]) for parts, run in lines if run in over]


def series_of(runs: Iterable[Run], tag: str, wanted: frozenset[int] | None) -> list[tuple[list[Part], int]]:
    """Parts and run id of every scalar series named `tag`, over `wanted` runs or all."""
    cancellation.check()
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


def read_stats(
    catalog: Catalog, tags: Iterable[str], wanted: frozenset[int] | None, purge: bool
) -> Iterator[SeriesStats]:
    """Statistics of each series that exists, tags in the order given, runs by slot."""
    runs = catalog.runs()
    for tag in tags:
        for parts, run_id in series_of(runs, tag, wanted):
            yield SeriesStats(tag, run_id, series_stats(parts, purge))


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
    return columns_of(series_points(parts, purge))


def columns_of(packed: tuple[bytes, bytes, bytes, bytes]) -> Points:
    """Columns out of their bytes."""
    steps, walls, values, superseded = packed
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
    return columns_of(series_samples(parts_of(catalog, run, tag), purge, most))
