"""Packed columns and series blocks as Python values."""

import struct
from typing import Any, NamedTuple


def unpack_column(kind: str, data: bytes) -> list[Any]:
    """The little-endian numbers of a column."""
    return [number for (number,) in struct.iter_unpack(f"<{kind}", data)]


def points(impl: Any, parts: Any, purge: bool = False) -> list[tuple[int, float, float, int]]:
    """(step, wall time, value, superseded) of every point."""
    steps, walls, values, marks = impl.series_points(parts, purge)
    return list(
        zip(
            unpack_column("q", steps),
            unpack_column("d", walls),
            unpack_column("d", values),
            marks,
            strict=True,
        )
    )


def values(impl: Any, decoder: Any, index: int = 0) -> list[float]:
    """The values of one series of one file."""
    return unpack_column("d", impl.series_points([(decoder, index)], False)[2])


def steps(impl: Any, parts: Any, purge: bool = True) -> list[int]:
    """The steps of a series, by default only those not superseded."""
    return unpack_column("q", impl.series_points(parts, purge)[0])


class Reference(NamedTuple):
    part: int
    offset: int
    length: int
    step: int
    wall: float


def references(impl: Any, parts: Any, purge: bool = False) -> list[Reference]:
    """Every reference of a series."""
    columns = impl.references(parts, purge)
    numbers = [unpack_column(kind, column) for kind, column in zip("IQQqd", columns, strict=True)]
    return [Reference(*row) for row in zip(*numbers, strict=True)]


class Chart(NamedTuple):
    """The parsed fields of a series block."""

    run: int
    raw: bool
    wide: bool
    microseconds: bool
    held: int
    in_range: int
    line: list[tuple[int, float]]
    smoothed: list[tuple[int, float]]
    restarts: list[int]
    aux: list[float] | None
    repeats: bool


def _varints(data: bytes, first: int) -> list[int]:
    """Running sums of zigzag varints, starting from `first`."""
    numbers, shift, bits = [], 0, 0
    for byte in data:
        bits |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            first += (bits >> 1) ^ -(bits & 1)
            numbers.append(first)
            shift = bits = 0
    return numbers


def parse_chart(data: bytes) -> tuple[Chart, int]:
    """The first block in `data`, and its length."""
    run, flags, n, m, held, in_range, x, first_aux, *lengths, restarts = struct.unpack_from("<IIIIQQqdIIII", data)
    at = 64

    def take(size: int) -> bytes:
        nonlocal at
        at += size
        return data[at - size : at]

    def pad() -> None:
        nonlocal at
        at += -at % 8

    kind, width = ("d", 8) if flags & 2 else ("f", 4)
    ys = unpack_column(kind, take(n * width))
    pad()
    smoothed = unpack_column(kind, take(m * width))
    pad()
    marks = unpack_column("q", take(8 * restarts))
    x_data, smoothed_data, aux_data = (take(length) for length in lengths)
    xs = [x, *_varints(x_data, x)] if n else []
    smoothed_xs = _varints(smoothed_data, x) if smoothed_data else xs[:m]
    first_millis = 0 if flags & 8 else round(first_aux * 1e3) if n and first_aux == first_aux else 0
    start = round(first_aux) if flags & 8 else first_millis
    aux = [start, *_varints(aux_data, start)] if flags & 4 and n else [] if flags & 4 else None
    pad()
    chart = Chart(
        run,
        bool(flags & 1),
        bool(flags & 2),
        bool(flags & 8),
        held,
        in_range,
        list(zip(xs, ys, strict=True)),
        list(zip(smoothed_xs, smoothed, strict=True)),
        marks,
        aux,
        bool(flags & 64),
    )
    return chart, at


def chart(impl: Any, parts: Any, **wanted: Any) -> Chart:
    """One chart with default settings, except for those in `wanted`."""
    ask = {
        "purge": True,
        "run": 0,
        "axis": 0,
        "x0": float("-inf"),
        "x1": float("inf"),
        "px": 100,
        "smoothing": 0.0,
        "aux": False,
        "x_parts": None,
        "last_of_step": False,
    } | wanted
    data = impl.series_chart(parts, *ask.values())
    found, length = parse_chart(data)
    assert length == len(data)
    return found
