"""Histograms over steps, downsampled to columns of pixels, for heat maps, ridges and percentile lines.

`docs/http.md` describes the binary format. Not here: reading histograms (`query.histograms`), computing densities
(`query.densities`).
"""

import struct
from collections.abc import Generator, Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from lightboard.errors import NotFound
from lightboard.events.sampling import sample_indices
from lightboard.query import densities
from lightboard.query.densities import Floats, Ints, Range, with_margin
from lightboard.query.histograms import Ranges, Series, Steps, range_steps, series_steps
from lightboard.query.provider import DataProvider, IndexProvider, ValueProvider

MAGIC = b"LBH1"
HEAD = struct.Struct("<4sIQdddIIII")
BLOCK = struct.Struct("<IIIIQQddd")

PARTS = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
"""The quantiles drawn as lines, in addition to the minimum and the maximum."""

MERGED = 1
"""Flag of a block: a column may represent several steps."""

TOP_COLUMN = 0.95
"""The fraction of columns whose fullest cell stays below full colour, so that one spike does not dim all others."""

NOISE = 1e-9
"""Cells with less mass than this are rounding errors."""

CHUNK = 200
"""Histograms divided into cells per call."""


class MapStyle(NamedTuple):
    """What a map shows: at most `columns` columns of `rows` cells, from the values between `x0` and `x1` on `axis`.

    `axis` is 0 for steps, 1 for seconds since the first value, 2 for seconds since the epoch. If `shared`, all runs
    have one range, computed from the runs `range_runs` (None: the runs drawn). If there are more values than columns,
    `pick` samples values, one of which is that nearest to step `kept`; otherwise a column is the mean of neighbouring
    values. `depth` is the number of bits of a cell, 8 or 16.
    """

    columns: int
    rows: int
    range: Literal["robust", "full"]
    shared: bool
    range_runs: Sequence[int] | None
    pick: bool
    kept: int | None
    depth: int
    axis: int
    x0: float
    x1: float
    orphans: bool


class Columns(NamedTuple):
    """One run downsampled to c columns.

    Arrays are [c], except `lines` [9, c] (minimum, PARTS, maximum) and `cells` [c, rows]. `cells`, `below` and `above`
    are fractions of the mass. A column represents `members` values from `steps` to `last_steps`; `walls` (seconds) and
    `totals` are those of its first value. `held` counts all values of the series, `sampled_indices` those that were
    read, and `unshown` those of them that could not be parsed.
    """

    run: int
    held: int
    sampled_indices: int
    unshown: int
    range: Range
    first_wall: float
    steps: Floats
    walls: Floats
    last_steps: Floats
    members: Ints
    totals: Floats
    lines: Floats
    cells: npt.NDArray[np.float32]
    below: Floats
    above: Floats

    @property
    def nbytes(self) -> int:
        """The size in memory."""
        return sum(part.nbytes for part in self if isinstance(part, np.ndarray))


class MappedRun(NamedTuple):
    """The result of a first pass over a run. `fullest` is the mass of the fullest cell of each column, [c].

    `columns` is None if they do not fit into MAX_HELD_BYTES; then they are computed again for the response.
    """

    run: int
    name: str
    range: Range
    fullest: npt.NDArray[np.float32]
    columns: Columns | None


EMPTY = Series(np.zeros(0), np.zeros(0), densities.masses_of([]), Ranges(None, None), 0, 0)
"""Stands for a run that was removed while a map was drawn."""

MAX_HELD_BYTES = 16 << 20
"""Limit of the columns held until the last run is read. Columns beyond it are computed again when they are sent."""


def draw_map(
    provider: DataProvider, tag: str, runs: Sequence[int] | None, style: MapStyle
) -> Generator[bytes | int | None, None, None]:
    """The map of a tag in pieces, for the runs with these ids (None: all). Runs without the tag are left out.

    Yields None where the work may pause, and a number before that many bytes are held. Series are read one at a time.
    Full colour is known only after the last one, so series whose cells exceed MAX_HELD_BYTES are read twice. The header
    states how many runs follow: a run that changes meanwhile is drawn in its new state, a removed one is empty.
    """
    generation = provider.generation
    shared = yield from shared_range(provider, tag, runs if style.range_runs is None else style.range_runs, style)
    drawn: list[MappedRun] = []
    held_bytes = 0
    for run, name in names_of(provider, runs):
        yield None
        try:
            columns = yield from map_run(provider, (run, name, tag), shared, style)
        except NotFound:
            continue  # the run lacks the tag, or was removed
        fits = held_bytes + columns.nbytes <= MAX_HELD_BYTES
        held_bytes += columns.nbytes if fits else 0
        drawn.append(MappedRun(run, name, columns.range, fullest_cells(columns), columns if fits else None))
        yield held_bytes
    top = full_colour_mass(drawn)
    low = min((mapped.range[0] for mapped in drawn), default=0.0)
    high = max((mapped.range[1] for mapped in drawn), default=1.0)
    yield HEAD.pack(MAGIC, len(drawn), generation, low, high, top, style.rows, style.depth, len(PARTS) + 2, 0)
    for mapped in drawn:
        columns = mapped.columns or (yield from map_run_again(provider, mapped, tag, shared, style))
        yield block_of(columns, top, style.depth)


def map_run(provider: ValueProvider, key: tuple[int, str, str], shared: Range, style: MapStyle) -> Steps[Columns]:
    """The columns of one series: `key` is run id, run name and tag. Raises NotFound before its first step."""
    run, name, tag = key
    series = yield from series_steps(provider, name, tag, style.orphans)
    own = range_of(series.ranges, style)
    return (yield from columns_of(run, series, with_margin(*(own if own and not style.shared else shared)), style))


def map_run_again(
    provider: ValueProvider, mapped: MappedRun, tag: str, shared: Range, style: MapStyle
) -> Steps[Columns]:
    """Compute the columns of a run that did not fit into memory once more. Empty if the run was removed."""
    try:
        return (yield from map_run(provider, (mapped.run, mapped.name, tag), shared, style))
    except NotFound:
        return (yield from columns_of(mapped.run, EMPTY, mapped.range, style))


def names_of(provider: IndexProvider, runs: Sequence[int] | None) -> list[tuple[int, str]]:
    """Ids and names of the requested runs (None: all), by slot."""
    wanted = None if runs is None else set(runs)
    return [(row.id, row.name) for row in provider.runs() if wanted is None or row.id in wanted]


def range_of(ranges: Ranges, style: MapStyle) -> Range | None:
    """The range of the requested kind."""
    return ranges.robust if style.range == "robust" else ranges.full


def shared_range(provider: DataProvider, tag: str, runs: Sequence[int] | None, style: MapStyle) -> Steps[Range]:
    """One range for all of these runs (None: all) that have the tag."""
    ranges = []
    for _, name in names_of(provider, runs):
        yield None
        try:
            own = range_of((yield from range_steps(provider, name, tag, style.orphans)), style)
        except NotFound:
            continue
        if own is not None:
            ranges.append(own)
    return densities.shared_range(ranges, robust=style.range == "robust") if ranges else (-0.5, 0.5)


def columns_of(run: int, series: Series, limits: Range, style: MapStyle) -> Steps[Columns]:
    """Downsample one series to columns of cells between `limits`. Yields after each CHUNK of histograms."""
    inside = visible_indices(series, style)
    first, last, chosen = choose_columns(inside, series, style)
    masses = series.masses.take(chosen)
    group = np.repeat(np.arange(len(first)), last - first + 1) if len(chosen) > len(first) else np.arange(len(first))
    count = len(first)
    sums, below, above = np.zeros((count, style.rows)), np.zeros(count), np.zeros(count)
    for begin in range(0, len(masses), CHUNK):
        end = min(begin + CHUNK, len(masses))
        parts = densities.cells(masses.part(begin, end), *limits, style.rows)
        for total, part in zip((sums, below, above), parts, strict=True):
            np.add.at(total, group[begin:end], part)
        yield None
    filled = np.maximum(np.bincount(group, masses.filled, count), 1.0)
    low, high = densities.ends(masses)
    middle = densities.quantiles(masses, PARTS)
    lines = [extreme(low, group, count, np.fmin), *(mean(line, group, count) for line in middle)]
    lines.append(extreme(high, group, count, np.fmax))
    return Columns(
        run=run,
        held=series.held,
        sampled_indices=len(series.steps),
        unshown=series.unshown,
        range=limits,
        first_wall=float(series.walls[0]) if len(series.walls) else 0.0,
        steps=series.steps[first],
        walls=series.walls[first],
        last_steps=series.steps[last],
        members=last - first + 1,
        totals=series.masses.totals[first],
        lines=np.array(lines),
        cells=(sums / filled[:, None]).astype(np.float32),
        below=below / filled,
        above=above / filled,
    )


def visible_indices(series: Series, style: MapStyle) -> Ints:
    """Indices of the histograms in the x range, and of one neighbour on each side."""
    x = series.steps if style.axis == 0 else series.walls
    if style.axis == 1 and len(x):
        x = x - x[0]
    inside = (x >= style.x0) & (x <= style.x1)
    near = inside.copy()
    near[1:] |= inside[:-1]
    near[:-1] |= inside[1:]
    return np.flatnonzero(near)


def choose_columns(inside: Ints, series: Series, style: MapStyle) -> tuple[Ints, Ints, Ints]:
    """Indices of the first and the last histogram of each column, [c] each, and of all histograms drawn."""
    count = len(inside)
    if count <= style.columns:
        return inside, inside, inside
    if style.pick:
        required = [] if style.kept is None else [int(np.abs(series.steps[inside] - style.kept).argmin())]
        chosen = inside[sample_indices(count, style.columns, required)]
        return chosen, chosen, chosen
    edges = np.linspace(0, count, style.columns + 1).astype(np.intp)
    return inside[edges[:-1]], inside[edges[1:] - 1], inside


def mean(line: Floats, group: Ints, count: int) -> Floats:
    """The mean of the finite values of `line` in each of `count` groups; NaN for groups without any."""
    known = np.isfinite(line)
    sums = np.bincount(group[known], line[known], count)
    with np.errstate(invalid="ignore"):
        return np.asarray(sums / np.bincount(group[known], minlength=count), np.float64)


def extreme(line: Floats, group: Ints, count: int, which: np.ufunc) -> Floats:
    """The extreme value of `line` in each of `count` groups, by fmin or fmax; NaN for groups without any."""
    extremes = np.full(count, np.nan)
    which.at(extremes, group, line)
    return extremes


def fullest_cells(columns: Columns) -> npt.NDArray[np.float32]:
    """The mass of the fullest cell of each column, [c]."""
    return np.asarray(columns.cells.max(axis=1)) if columns.cells.size else np.zeros(0, np.float32)


def full_colour_mass(drawn: Sequence[MappedRun]) -> float:
    """The mass of a cell from which on it has full colour: the quantile TOP_COLUMN of the fullest cells."""
    peaks = np.concatenate([*(mapped.fullest for mapped in drawn), np.zeros(0)])
    peaks = peaks[peaks > 0]
    return float(np.quantile(peaks, TOP_COLUMN)) if len(peaks) else 1.0


def block_of(columns: Columns, top: float, depth: int) -> bytes:
    """Encode the block of one run: BLOCK, then the arrays, each padded to 8 bytes."""
    merged = bool((columns.members > 1).any())
    flags = MERGED if merged else 0
    sizes = (columns.run, len(columns.steps), flags, columns.unshown, columns.held, columns.sampled_indices)
    arrays: list[npt.NDArray[np.generic]] = [columns.steps, columns.walls]
    if merged:
        arrays += [columns.last_steps, columns.members.astype("<u4")]
    arrays += [
        columns.lines.astype("<f4"),
        columns.totals.astype("<f4"),
        *(np.round(255 * side).astype("<u1") for side in (columns.below, columns.above)),
        encode_cells(columns.cells, top, depth),
    ]
    head = BLOCK.pack(*sizes, *columns.range, columns.first_wall)
    return head + b"".join(padded(array.tobytes()) for array in arrays)


def encode_cells(cells: npt.NDArray[np.float32], top: float, depth: int) -> npt.NDArray[np.generic]:
    """Encode cells as integers of `depth` bits. A mass of `top` or more is the largest one.

    The scale is a square root rounded up, so that a small mass differs from none.
    """
    full = (1 << depth) - 1
    parts = np.sqrt(np.clip(np.where(cells < NOISE, 0.0, cells) / top, 0.0, 1.0))
    codes: npt.NDArray[np.generic] = np.ceil(full * parts).astype("<u1" if depth == 8 else "<u2")
    return codes


def padded(data: bytes) -> bytes:
    """Pad with zeros to a multiple of 8 bytes."""
    return data + bytes(-len(data) % 8)
