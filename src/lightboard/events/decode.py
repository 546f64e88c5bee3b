"""Decodes events with the compiled core or, if it is missing, with the pure-Python implementation.

All other packages decode through this module. Both have the same interface; `NATIVE` tells which one is in use. See
`protocol.py` for decoders, `charts.py` for the functions on parts, `block.py` for the binary format of charts.

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
    "FileReadResult",
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

# Parts must not be mixed between the implementations. They cannot be, since both decoders and functions come from here.
_implementation: Any = core
if core is None:
    from lightboard.events import pure_python  # not at the top, because it takes as long as loading a small log

    _implementation = pure_python
else:
    core.set_info_type(SeriesInfo)

FileReadResult = tuple[int, int, int, int, int, int, int]
"""The result of reading a file: bytes consumed; size, mtime in ns, device and inode when it was opened; crc32c of its
first bytes and of the last bytes before the decoder's offset."""

Line: TypeAlias = tuple[Sequence[Part], int] | tuple[Sequence[Part], int, Sequence[Part]]
"""Parts and run id of one line of a chart. If x is another tag, also that tag's parts of the same run."""

NATIVE = core is not None
"""Whether the compiled core is in use."""


def new_decoder() -> Decoder:
    """A new decoder for one event file."""
    decoder: Decoder = _implementation.Decoder()
    return decoder


def read_files(
    items: Sequence[tuple[str | int, Decoder]], limit: int, sample_bytes: int
) -> list[FileReadResult | None]:
    """Decode about `limit` bytes of each (path or descriptor, decoder), and checksum up to `sample_bytes` at either
    end.

    One call without the GIL; descriptors stay open. The result is None for a file that is not regular or could not be
    read; the decoder keeps what it consumed before the error.
    """
    read: list[FileReadResult | None] = _implementation.read_files(items, limit, sample_bytes)
    return read


def crc32c(data: Bytes, crc: int = 0) -> int:
    """CRC-32C of `data`, continuing from `crc`."""
    return int(_implementation.crc32c(data, crc))


def parse_table(text: Bytes, columns: int) -> bytes | None:
    """The numbers of lines of text, `columns` in each, as little-endian float32. Releases the GIL.

    None if a line has a different count or something is not a plain decimal number; the caller must then parse the text
    itself. Raises ValueError for columns below 1.
    """
    packed: bytes | None = _implementation.parse_table(text, columns)
    return packed


def smooth(values: Bytes, weight: float) -> bytes:
    """TensorBoard's smoothing over packed float64. Raises ValueError unless 0 <= weight <= 1."""
    return bytes(_implementation.smooth(values, weight))


def series_stats(parts: Sequence[Part], purge: bool) -> Stats:
    """Statistics of a series. With `purge`, superseded points are not included, only counted.

    This and the other functions on parts raise IndexError for a series that does not exist and ValueError for one of
    the wrong form: `references` needs references, all others scalars.
    """
    cancellation.check()
    return Stats._make(STATS.unpack(_implementation.stats_many([parts], purge)))


def stats_many(series: Sequence[Sequence[Part]], purge: bool) -> bytes:
    """Statistics of many series, each given by its parts, packed as `protocol.STATS`."""
    cancellation.check()
    packs: bytes = _implementation.stats_many(series, purge)
    return packs


def count_rows(series: Iterable[Sequence[Part]]) -> list[int]:
    """The number of points of each of many series, including superseded ones, in one call."""
    counts: list[int] = _implementation.count_rows(series)
    return counts


def series_points(parts: Sequence[Part], purge: bool) -> tuple[bytes, bytes, bytes, bytes]:
    """Steps (i64), wall times (f64), values (f64), superseded flags (u8, all 0 with `purge`), little-endian."""
    cancellation.check()
    columns: tuple[bytes, bytes, bytes, bytes] = _implementation.series_points(parts, purge)
    return columns


def series_samples(parts: Sequence[Part], purge: bool, limit: int) -> tuple[bytes, bytes, bytes, bytes]:
    """The columns of `series_points` for at most `limit` points (0 = all): evenly spaced, both ends, extremes."""
    cancellation.check()
    columns: tuple[bytes, bytes, bytes, bytes] = _implementation.series_samples(parts, purge, limit)
    return columns


def part_points(parts: Sequence[Part], part: int, first: int, limit: int) -> tuple[bytes, bytes, bytes, bytes]:
    """The columns of `series_points` for rows [first, first + limit) of one part, including superseded ones.

    Returns fewer rows at the end of the part. Rows do not change while files are read on; only their superseded flag
    may. Raises ValueError for negative numbers.
    """
    cancellation.check()
    columns: tuple[bytes, bytes, bytes, bytes] = _implementation.part_points(parts, part, first, limit)
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
    last_of_step: bool = False,
) -> bytes:
    """One series block (see `block.py`): the chart between x0 and x1 at a width of `px` pixels.

    `axis`: 0 step, 1 seconds since the first visible point, 2 seconds since the epoch, 3 the value that the series of
    `x_parts` has at the same step. With `last_of_step`, of points that share a step only the last one counts. Raises
    ValueError for another axis, a bound that is NaN, px outside 1..65536, smoothing outside 0..1.
    """
    cancellation.check()
    block: bytes = _implementation.series_chart(
        parts, purge, run, axis, x0, x1, px, smoothing, aux, x_parts, last_of_step
    )
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
    last_of_step: bool = False,
) -> bytes:
    """The concatenated blocks of several series. Raises like `series_chart`.

    Raises Cancelled if the current work is cancelled; the current series is finished first.
    """
    blocks: bytes = _implementation.chart_many(
        lines, purge, axis, x0, x1, px, smoothing, aux, cancellation.stop_flag(), last_of_step
    )
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
    last_of_step: bool = False,
) -> bytes:
    """The concatenated blocks of several groups, each given as (lines of its members, group id).

    `statistic`: 0 mean, 1 median. `band`: 0 none, 1 standard deviation, 2 standard error, 3 lowest to highest. Raises
    ValueError like `series_chart` and for another statistic or band, Cancelled like `chart_many`.
    """
    blocks: bytes = _implementation.group_many(
        groups, statistic, band, purge, axis, x0, x1, px, smoothing, cancellation.stop_flag(), last_of_step
    )
    cancellation.check()
    return blocks
