"""The one place from which the rest of the house decodes events: the compiled core if there is one, else the slow twin.

Both offer the same; `NATIVE` says which it is. See `protocol.py` for what a decoder promises, `charts.py` for the
functions on parts, `block.py` for the binary form of a chart.
"""

from collections.abc import Sequence
from typing import Any

from lightboard._native import core
from lightboard.events.protocol import Bytes, Decoder, Part, SeriesInfo, Stats

__all__ = [
    "NATIVE",
    "Decoder",
    "FileRead",
    "Part",
    "SeriesInfo",
    "Stats",
    "chart_many",
    "crc32c",
    "new_decoder",
    "read_files",
    "references",
    "series_chart",
    "series_points",
    "series_stats",
    "smooth",
]

# Parts belong to one implementation or the other, never to both: both come from here, so mixing cannot happen.
_implementation: Any = core
if core is None:
    from lightboard.events import twin  # only now: loading it takes as long as a small log takes to read

    _implementation = twin
else:
    core.describe_as(SeriesInfo)

FileRead = tuple[int, int, int, int, int, int, int]
"""Of a file that was read: bytes consumed; size, mtime in ns, device and inode when it was opened; crc32c of its first
bytes and of the last before the decoder's offset."""

NATIVE = core is not None
"""Whether the compiled core is in use."""


def new_decoder() -> Decoder:
    """A decoder for one event file, at its first byte."""
    decoder: Decoder = _implementation.Decoder()
    return decoder


def read_files(items: Sequence[tuple[str, Decoder]], limit: int, sample_bytes: int) -> list[FileRead | None]:
    """Open each (path, decoder), decode about `limit` bytes, sample up to `sample_bytes` at either end, and close it.

    All in one call without the interpreter's lock. None for what is no regular file or could not be read: what the
    decoder took by then it keeps, and whoever wants to know why looks alone.
    """
    read: list[FileRead | None] = _implementation.read_files(items, limit, sample_bytes)
    return read


def crc32c(data: Bytes, crc: int = 0) -> int:
    """CRC-32C of `data`, going on from `crc`."""
    return int(_implementation.crc32c(data, crc))


def smooth(values: Bytes, weight: float) -> bytes:
    """TensorBoard's smoothing over packed float64. Raises ValueError unless 0 <= weight <= 1."""
    return bytes(_implementation.smooth(values, weight))


def series_stats(parts: Sequence[Part], purge: bool) -> Stats:
    """Figures of a series; with `purge` the points a restart made void are left out (and counted).

    This and the other functions on parts raise IndexError for a series that is not there, ValueError for one of the
    wrong form: `references` wants references, all others scalars.
    """
    return Stats(*_implementation.series_stats(parts, purge))


def series_points(parts: Sequence[Part], purge: bool) -> tuple[bytes, bytes, bytes, bytes]:
    """Steps (i64), wall times (f64), values (f64), superseded marks (u8, all 0 with `purge`), little-endian."""
    columns: tuple[bytes, bytes, bytes, bytes] = _implementation.series_points(parts, purge)
    return columns


def references(parts: Sequence[Part], purge: bool) -> tuple[bytes, bytes, bytes, bytes, bytes]:
    """Part numbers (u32), offsets and lengths (u64), steps (i64), wall times (f64) of a reference series."""
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
) -> bytes:
    """One series block (see `block.py`): what a chart of width `px` draws between x0 and x1.

    `axis`: 0 step, 1 seconds since the first visible point, 2 seconds since the epoch. Raises ValueError for another
    axis, a bound that is NaN, px outside 1..65536, smoothing outside 0..1.
    """
    block: bytes = _implementation.series_chart(parts, purge, run, axis, x0, x1, px, smoothing, aux)
    return block


def chart_many(
    requests: Sequence[tuple[Sequence[Part], int]],
    purge: bool,
    axis: int,
    x0: float,
    x1: float,
    px: int,
    smoothing: float,
    aux: bool,
) -> bytes:
    """The blocks of several series, each given as (parts, run id), one after another. Errors as `series_chart`."""
    blocks: bytes = _implementation.chart_many(requests, purge, axis, x0, x1, px, smoothing, aux)
    return blocks
