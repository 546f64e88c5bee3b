"""Histograms over steps, cut to pixels: what a heat map, ridges or percentiles draw of a tag for some runs.

The binary layout is described in `docs/http.md`. Not here: reading, and where mass lies.
"""

import struct
from collections.abc import Generator, Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from lightboard.errors import NotFound
from lightboard.events.sampling import kept_indices
from lightboard.query import densities
from lightboard.query.densities import Floats, Ints, Range, with_margin
from lightboard.query.histograms import Ranges, Series, Steps, range_steps, series_steps
from lightboard.query.provider import Provider

MAGIC = b"LBH1"
HEAD = struct.Struct("<4sIQdddIIII")
BLOCK = struct.Struct("<IIIIQQddd")

PARTS = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
"""Quantile lines, between the least and the greatest."""

MERGED = 1
"""Flag: columns stand for several steps each."""

TOP_COLUMN = 0.95
"""The part of the columns whose fullest cell stays below full colour: one spike must not dim all the rest."""

NOISE = 1e-9
"""Less of the mass is an error of rounding."""

CHUNK = 200
"""Histograms put into cells at once."""


class MapStyle(NamedTuple):
    """What a map shows: at most `columns` columns of `rows` cells, from the steps between `x0` and `x1` of `axis`
    (0 step, 1 seconds since the first, 2 epoch seconds). `shared`: one range for all, which `range_runs` decide, or
    without them those drawn. `pick` takes real steps, `kept` among them, where there are
    more than columns; otherwise neighbours share one, which is their mean. `depth`: bits of a cell, 8 or 16."""

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
    """One run cut to columns, c of them: arrays are [c], `lines` [9, c], `cells` [c, rows] in parts of the mass.

    `members` values lie in each column; steps and walls are those of its first one.
    """

    run: int
    held: int
    looked_at: int
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
        """What it takes in memory."""
        return sum(part.nbytes for part in self if isinstance(part, np.ndarray))


class Drawn(NamedTuple):
    """A run once its columns were made: its range, and its columns, unless they take too much to be held."""

    run: int
    name: str
    range: Range
    fullest: npt.NDArray[np.float32]
    columns: Columns | None


EMPTY = Series(np.zeros(0), np.zeros(0), densities.masses_of([]), Ranges(None, None), 0, 0)
"""Of a run that went while a map was drawn."""

HELD_BYTES = 16 << 20
"""Cells of a map that are held until all are known; those of further runs are made once more when they are sent."""


def draw_map(
    provider: Provider, tag: str, runs: Sequence[int] | None, style: MapStyle
) -> Generator[bytes | int | None, None, None]:
    """The map of a tag for the runs of these ids, or all, in pieces; runs that lack it are left out.

    None where the work can give way, a number before more bytes are held. One series at a time is read, twice where
    the cells of all do not fit into HELD_BYTES: what has full colour is known only at the end. The head says how many
    runs follow, so that one which changes meanwhile is drawn as it is by then, and one which goes is empty.
    """
    generation = provider.generation
    shared = yield from shared_range(provider, tag, runs if style.range_runs is None else style.range_runs, style)
    drawn: list[Drawn] = []
    held = 0
    for run, name in names_of(provider, runs):
        yield None
        try:
            one = yield from drawn_run(provider, (run, name, tag), shared, style)
        except NotFound:
            continue  # the run lacks the tag, or it is gone by now
        fits = held + one.nbytes <= HELD_BYTES
        held += one.nbytes if fits else 0
        drawn.append(Drawn(run, name, one.range, fullest_cells(one), one if fits else None))
        yield held
    top = top_of(drawn)
    low = min((known.range[0] for known in drawn), default=0.0)
    high = max((known.range[1] for known in drawn), default=1.0)
    yield HEAD.pack(MAGIC, len(drawn), generation, low, high, top, style.rows, style.depth, len(PARTS) + 2, 0)
    for known in drawn:
        columns = known.columns or (yield from drawn_again(provider, known, tag, shared, style))
        yield block_of(columns, top, style.depth)


def drawn_run(provider: Provider, at: tuple[int, str, str], shared: Range, style: MapStyle) -> Steps[Columns]:
    """One run (id, name) and tag cut to columns. Raises NotFound before its first step."""
    run, name, tag = at
    series = yield from series_steps(provider, name, tag, style.orphans)
    own = range_of(series.ranges, style)
    return (yield from columns_of(run, series, with_margin(*(own if own and not style.shared else shared)), style))


def drawn_again(provider: Provider, one: "Drawn", tag: str, shared: Range, style: MapStyle) -> Steps[Columns]:
    """The columns of a run that were not held."""
    try:
        return (yield from drawn_run(provider, (one.run, one.name, tag), shared, style))
    except NotFound:
        return (yield from columns_of(one.run, EMPTY, one.range, style))


def names_of(provider: Provider, runs: Sequence[int] | None) -> list[tuple[int, str]]:
    """Id and name of the runs asked for, or of all, in the order of slots."""
    wanted = None if runs is None else set(runs)
    return [(row.id, row.name) for row in provider.runs() if wanted is None or row.id in wanted]


def range_of(ranges: Ranges, style: MapStyle) -> Range | None:
    """The one that is asked for."""
    return ranges.robust if style.range == "robust" else ranges.full


def shared_range(provider: Provider, tag: str, runs: Sequence[int] | None, style: MapStyle) -> Steps[Range]:
    """One range for the runs of these ids that have the tag."""
    known = []
    for _, name in names_of(provider, runs):
        yield None
        try:
            own = range_of((yield from range_steps(provider, name, tag, style.orphans)), style)
        except NotFound:
            continue
        if own is not None:
            known.append(own)
    return densities.shared_range(known, robust=style.range == "robust") if known else (-0.5, 0.5)


def columns_of(run: int, series: Series, limits: Range, style: MapStyle) -> Steps[Columns]:
    """One run cut to columns."""
    inside = shown(series, style)
    first, last, chosen = cut(inside, series, style)
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
    lines = [extreme(low, group, count, np.fmin), *(mean(one, group, count) for one in middle)]
    lines.append(extreme(high, group, count, np.fmax))
    return Columns(
        run=run,
        held=series.held,
        looked_at=len(series.steps),
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


def shown(series: Series, style: MapStyle) -> Ints:
    """Numbers of the histograms in the range of x, with one neighbour on either side."""
    x = series.steps if style.axis == 0 else series.walls
    if style.axis == 1 and len(x):
        x = x - x[0]
    inside = (x >= style.x0) & (x <= style.x1)
    near = inside.copy()
    near[1:] |= inside[:-1]
    near[:-1] |= inside[1:]
    return np.flatnonzero(near)


def cut(inside: Ints, series: Series, style: MapStyle) -> tuple[Ints, Ints, Ints]:
    """First and last histogram of each column, and every histogram that is drawn."""
    count = len(inside)
    if count <= style.columns:
        return inside, inside, inside
    if style.pick:
        kept = [] if style.kept is None else [int(np.abs(series.steps[inside] - style.kept).argmin())]
        chosen = inside[kept_indices(count, style.columns, kept)]
        return chosen, chosen, chosen
    edges = np.linspace(0, count, style.columns + 1).astype(np.intp)
    return inside[edges[:-1]], inside[edges[1:] - 1], inside


def mean(line: Floats, group: Ints, count: int) -> Floats:
    """The mean of the numbers of each column; NaN where there are none."""
    known = np.isfinite(line)
    sums = np.bincount(group[known], line[known], count)
    with np.errstate(invalid="ignore"):
        return np.asarray(sums / np.bincount(group[known], minlength=count), np.float64)


def extreme(line: Floats, group: Ints, count: int, which: np.ufunc) -> Floats:
    """The least or greatest number of each column; NaN where there are none."""
    found = np.full(count, np.nan)
    which.at(found, group, line)
    return found


def fullest_cells(one: Columns) -> npt.NDArray[np.float32]:
    """The part of the mass in the fullest cell of each column."""
    return np.asarray(one.cells.max(axis=1)) if one.cells.size else np.zeros(0, np.float32)


def top_of(drawn: "Sequence[Drawn]") -> float:
    """The part of the mass in a cell that has full colour."""
    peaks = np.concatenate([*(one.fullest for one in drawn), np.zeros(0)])
    peaks = peaks[peaks > 0]
    return float(np.quantile(peaks, TOP_COLUMN)) if len(peaks) else 1.0


def block_of(one: Columns, top: float, depth: int) -> bytes:
    """One run on the wire."""
    merged = bool((one.members > 1).any())
    flags = MERGED if merged else 0
    sizes = (one.run, len(one.steps), flags, one.unshown, one.held, one.looked_at)
    arrays: list[npt.NDArray[np.generic]] = [one.steps, one.walls]
    if merged:
        arrays += [one.last_steps, one.members.astype("<u4")]
    arrays += [
        one.lines.astype("<f4"),
        one.totals.astype("<f4"),
        *(np.round(255 * side).astype("<u1") for side in (one.below, one.above)),
        scaled(one.cells, top, depth),
    ]
    return BLOCK.pack(*sizes, *one.range, one.first_wall) + b"".join(padded(array.tobytes()) for array in arrays)


def scaled(cells: npt.NDArray[np.float32], top: float, depth: int) -> npt.NDArray[np.generic]:
    """Cells as whole numbers by their square root, so that little is told from nothing; all above `top` is as full."""
    full = (1 << depth) - 1
    parts = np.sqrt(np.clip(np.where(cells < NOISE, 0.0, cells) / top, 0.0, 1.0))
    codes: npt.NDArray[np.generic] = np.ceil(full * parts).astype("<u1" if depth == 8 else "<u2")
    return codes


def padded(data: bytes) -> bytes:
    """Up to a multiple of 8 bytes."""
    return data + bytes(-len(data) % 8)
