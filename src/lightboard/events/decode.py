"""Decodes events with the compiled core or, if it is missing, with the pure-Python implementation.

All other packages decode through this module. Both have the same interface; `NATIVE` tells which one is in use. See
`protocol.py` for decoders, `charts.py` for the functions on parts, `block.py` for the binary form of charts.

Functions on parts raise Cancelled if the work that calls them was cancelled, so that loops over series end.
"""

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from lightboard import cancellation
from lightboard._native import core
from lightboard.events.protocol import STATS, Bytes, Decoder, Part, SeriesInfo, Stats

__all__ = [
    "NATIVE",
    "Decoder",
    "FileRead",
    "Line",
    "Part",
    "SeriesInfo",
    "Stats",
    "chart_many",
    "count_rows",
    "crc32c",
    "group_many",
    "new_decoder",
    "parse_table",
    "part_points",
    "read_files",
    "references",
    "series_chart",
    "series_points",
    "series_samples",
    "series_stats",
    "smooth",
    "stats_many",
]

# Parts belong to one implementation or the other, never to both: both come from here, so mixing cannot happen.
_implementation: Any = core
if core is None:
    from lightboard.events import pure_python  # only now: loading it takes as long as a small log takes to read

    _implementation = pure_python
else:
    core.describe_as(SeriesInfo)

FileRead = tuple[int, int, int, int, int, int, int]
"""Of a file that was read: bytes consumed; size, mtime in ns, device and inode when it was opened; crc32c of its first
bytes and of the last before the decoder's offset."""

Line: TypeAlias = tuple[Sequence[Part], int] | tuple[Sequence[Part], int, Sequence[Part]]
"""Parts and run id of one line of a chart; where x is another tag, that tag's parts of the same run too."""

NATIVE = core is not None
"""Whether the compiled core is in use."""


def new_decoder() -> Decoder:
    """A decoder for one event file, at its first byte."""
    decoder: Decoder = _implementation.Decoder()
    return decoder


def read_files(items: Sequence[tuple[str | int, Decoder]], limit: int, sample_bytes: int) -> list[FileRead | None]:
    """Decode about `limit` bytes of each (path or descriptor, decoder), and sample up to `sample_bytes` at either end.

    All in one call without the interpreter's lock; descriptors stay open. None for what is no regular file or could not
    be read: what the decoder took by then it keeps, and whoever wants to know why looks alone.
    """
    read: list[FileRead | None] = _implementation.read_files(items, limit, sample_bytes)
    return read


def crc32c(data: Bytes, crc: int = 0) -> int:
    """CRC-32C of `data`, going on from `crc`."""
    return int(_implementation.crc32c(data, crc))


def parse_table(text: Bytes, columns: int) -> bytes | None:
    """The numbers of lines of text, `columns` in each, as little-endian float32; without the interpreter's lock.

    None where a line has others or something is no plain decimal number: then whoever asks must look closer, and may
    find that all is well. Raises ValueError for columns below 1.
    """
    packed: bytes | None = _implementation.parse_table(text, columns)
    return packed


def smooth(values: Bytes, weight: float) -> bytes:
    """TensorBoard's smoothing over packed float64. Raises ValueError unless 0 <= weight <= 1."""
    return bytes(_implementation.smooth(values, weight))


def series_stats(parts: Sequence[Part], purge: bool) -> Stats:
    """Figures of a series; with `purge` the points a restart made void are left out (and counted).

    This and the other functions on parts raise IndexError for a series that is not there, ValueError for one of the
    wrong form: `references` wants references, all others scalars.
    """
    cancellation.check()
    return Stats._make(STATS.unpack(_implementation.stats_many([parts], purge)))


def stats_many(series: Sequence[Sequence[Part]], purge: bool) -> bytes:
    """Figures of many series, each given by its parts: as many packs as `protocol.STATS` describes."""
    cancellation.check()
    packs: bytes = _implementation.stats_many(series, purge)
    return packs


def count_rows(series: Iterable[Sequence[Part]]) -> list[int]:
    """How many points each of many series holds, superseded ones included, at one call."""
    counts: list[int] = _implementation.count_rows(series)
    return counts


def series_points(parts: Sequence[Part], purge: bool) -> tuple[bytes, bytes, bytes, bytes]:
    """Steps (i64), wall times (f64), values (f64), superseded marks (u8, all 0 with `purge`), little-endian."""
    cancellation.check()
    columns: tuple[bytes, bytes, bytes, bytes] = _implementation.series_points(parts, purge)
    return columns


def series_samples(parts: Sequence[Part], purge: bool, most: int) -> tuple[bytes, bytes, bytes, bytes]:
    """The columns of `series_points` for at most `most` points, 0 = all: spaced evenly, with both ends and extremes."""
    cancellation.check()
    columns: tuple[bytes, bytes, bytes, bytes] = _implementation.series_samples(parts, purge, most)
    return columns


def part_points(parts: Sequence[Part], part: int, first: int, most: int) -> tuple[bytes, bytes, bytes, bytes]:
    """The columns of `series_points` for rows [first, first + most) of one part, shown and void ones; fewer at its end.

    A row keeps its place and what it holds while files are read on; only its mark may change. Raises ValueError for
    numbers below 0.
    """
    cancellation.check()
    columns: tuple[bytes, bytes, bytes, bytes] = _implementation.part_points(parts, part, first, most)
    return columns


def references(parts: Sequence[Part], purge: bool) -> tuple[bytes, bytes, bytes, bytes, bytes]:
    """Part numbers (u32), offsets and lengths (u64), steps (i64), wall times (f64) of a reference series."""
    cancellation.check()
    columns: tuple[bytes, bytes, bytes, bytes, bytes] = _implementation.references(parts, purge)
    return columns


def series_chart(
    parts: Sequence[Part],
    purge: bool,
    run: int,
    axis: int,
    x0: float,
    x1: float,
    px: int,
    smoothing: float,
    aux: bool,
    x_parts: Sequence[Part] | None = None,
) -> bytes:
    """One series block (see `block.py`): what a chart of width `px` draws between x0 and x1.

    `axis`: 0 step, 1 seconds since the first visible point, 2 seconds since the epoch, 3 the value that the series of
    `x_parts` has at the same step. Raises ValueError for another axis, a bound that is NaN, px outside 1..65536,
    smoothing outside 0..1.
    """
    cancellation.check()
    block: bytes = _implementation.series_chart(parts, purge, run, axis, x0, x1, px, smoothing, aux, x_parts)
    return block


def chart_many(
    lines: Sequence[Line],
    purge: bool,
    axis: int,
    x0: float,
    x1: float,
    px: int,
    smoothing: float,
    aux: bool,
) -> bytes:
    """The blocks of several series one after another. Errors as `series_chart`.

    Raises Cancelled where the current work is cancelled, after the series at hand.
    """
    blocks: bytes = _implementation.chart_many(lines, purge, axis, x0, x1, px, smoothing, aux, cancellation.stop_flag())
    cancellation.check()
    return blocks


def group_many(
    groups: Sequence[tuple[Sequence[Line], int]],
    statistic: int,
    band: int,
    purge: bool,
    axis: int,
    x0: float,
    x1: float,
    px: int,
    smoothing: float,
) -> bytes:
    """The blocks of several groups, each given as (lines of its members, group id), one after another.

    `statistic`: 0 mean, 1 median. `band`: 0 none, 1 standard deviation, 2 standard error, 3 lowest to highest. Raises
    ValueError as `series_chart` and for another statistic or band, Cancelled as `chart_many`.
    """
    blocks: bytes = _implementation.group_many(
        groups, statistic, band, purge, axis, x0, x1, px, smoothing, cancellation.stop_flag()
    )
    cancellation.check()
    return blocks
