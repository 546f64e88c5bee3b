"""Reads histograms from summaries as rows of left edge, right edge and count.

There are two formats: a tensor [k, 3], and the older HistogramProto. The latter is converted like in TensorBoard's
data_compat: empty buckets at both ends are dropped, and the outer edges are the minimum and maximum. Edges and counts
are not validated: they may be NaN, infinite, out of order or negative.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from lightboard.errors import Unshowable
from lightboard.events import tensor as dtypes
from lightboard.events.arrays import tensor_numbers
from lightboard.events.messages import HISTOGRAM, TENSOR, Value, parse_value
from lightboard.events.payloads import MAX_BYTES, too_large_message
from lightboard.events.wire import BYTES, FIXED64, VARINT, MalformedError, fields

Rows: TypeAlias = npt.NDArray[np.float64]
"""[k, 3]: left edge, right edge, count. k may be 0."""

NORMAL_BASIS_POINTS = (0, 668, 1587, 3085, 5000, 6915, 8413, 9332, 10000)
"""The median of a normal distribution and its whole and half standard deviations, in basis points."""

MIN, MAX, LIMITS, COUNTS = 1, 2, 6, 7
"""Fields of a HistogramProto."""

MAX_LAYOUTS = 4
"""Values of a series with more layouts than this are read one by one."""


class Histogram(NamedTuple):
    """One histogram. `old`: it was in the older format, which TensorBoard rounds to float32."""

    rows: Rows
    old: bool


def parse_histogram(data: bytes) -> Histogram:
    """The histogram of a serialized Summary.Value. Raises Unshowable."""
    if len(data) > MAX_BYTES:
        raise Unshowable(too_large_message(len(data)), hint="download the value instead")
    try:
        value = parse_value(data, 0, len(data))
        if value.payload == HISTOGRAM:
            return Histogram(_old_rows(data, value.begin, value.end), True)
        if value.payload == TENSOR:
            return Histogram(_tensor_rows(tensor_numbers(data[value.begin : value.end])), False)
    except MalformedError:
        raise Unshowable("the histogram is malformed, or the file has changed", hint="reload and try again") from None
    raise Unshowable("the value holds no histogram")


def parse_histograms(values: Sequence[bytes]) -> list[Histogram | None]:
    """The histogram of each serialized Summary.Value; None if it cannot be shown.

    Like `parse_histogram`, but faster for many values, because most values of one series differ only in their numbers.
    """
    by_length: defaultdict[int, list[int]] = defaultdict(list)
    for at, value in enumerate(values):
        by_length[len(value)].append(at)
    found: list[Histogram | None] = [None] * len(values)
    for group in by_length.values():
        for at, histogram in zip(group, _parse_same_length([values[at] for at in group]), strict=True):
            found[at] = histogram
    return found


def _parse_same_length(values: Sequence[bytes]) -> list[Histogram | None]:
    """The histograms of values of equal length. Values with the same layout are read together, the rest one by one."""
    found: list[Histogram | None] = [None] * len(values)
    pending = list(range(len(values)))
    for _ in range(MAX_LAYOUTS):
        layout = _layout_of(values[pending[0]]) if pending else None
        if layout is None:
            break
        block, same = _select_same_layout([values[at] for at in pending], layout)
        selected = [at for at, is_same in zip(pending, same, strict=True) if is_same]
        for at, histogram in zip(selected, _read_block(block, layout), strict=True):
            found[at] = histogram
        pending = [at for at, is_same in zip(pending, same, strict=True) if not is_same]
    for at in pending:
        found[at] = _histogram_or_none(values[at])
    return found


def round_like_tensorboard(histogram: Histogram) -> Rows:
    """The rows with the precision that TensorBoard shows."""
    if not histogram.old:
        return histogram.rows
    with np.errstate(over="ignore"):
        return histogram.rows.astype(np.float32).astype(np.float64)


def basis_point_values(rows: Rows) -> list[tuple[int, float]]:
    """(basis points, value) of TensorBoard's distributions: linear within buckets, 0 if there are no buckets."""
    points = np.array(NORMAL_BASIS_POINTS, np.float64)
    if not len(rows):
        return [(point, 0.0) for point in NORMAL_BASIS_POINTS]
    left, right, counts = rows[0, 0], rows[:, 1], rows[:, 2]
    with np.errstate(all="ignore"):
        weights = (counts * points[-1] / (counts.sum() or 1.0)).cumsum()
        at = np.searchsorted(weights, points, side="right")
        inside = at < len(rows)
        at = np.minimum(at, len(rows) - 1)
        before = np.where(at > 0, weights[at - 1], 0.0)
        low = np.where(before == 0.0, left, np.maximum(right[at - 1], left))
        high = np.minimum(right[at], right[-1])
        values = low + (points - before) * (high - low) / (weights[at] - before)
    return list(zip(NORMAL_BASIS_POINTS, np.where(inside, values, right[-1]).tolist(), strict=True))


def _tensor_rows(numbers: npt.NDArray[Any]) -> Rows:
    """A tensor as rows. It may be flat if it has no shape or no buckets. Raises Unshowable."""
    if numbers.ndim == 1 and numbers.size % 3 == 0:
        numbers = numbers.reshape(-1, 3)
    if numbers.ndim != 2 or numbers.shape[1] != 3:
        raise Unshowable(f"a histogram has three columns, this tensor has the shape {list(numbers.shape)}")
    return numbers.astype(np.float64)


def _old_rows(data: bytes, at: int, end: int) -> Rows:
    """A HistogramProto as rows. Raises MalformedError."""
    ends = {MIN: np.zeros(1), MAX: np.zeros(1)}
    lists: dict[int, list[npt.NDArray[np.float64]]] = {LIMITS: [], COUNTS: []}
    for number, wire_type, begin, stop in fields(data, at, end):
        if number in ends and wire_type == FIXED64:
            ends[number] = np.frombuffer(data[begin:stop], "<f8")
        elif number in lists and wire_type in (BYTES, FIXED64):
            if (stop - begin) % 8:
                raise MalformedError
            lists[number].append(np.frombuffer(data[begin:stop], "<f8"))
    limits, counts = (np.concatenate([*lists[number], np.zeros(0)]) for number in (LIMITS, COUNTS))
    size = min(len(limits), len(counts))
    whole = _old_block(ends[MIN], ends[MAX], limits[None, :size], counts[None, :size])
    return whole[0]


def _old_block(
    least: npt.NDArray[np.float64],
    greatest: npt.NDArray[np.float64],
    limits: npt.NDArray[np.float64],
    counts: npt.NDArray[np.float64],
) -> list[Rows]:
    """Convert n histograms with k buckets each to rows."""
    count, size = counts.shape
    full = counts > 0
    first = full.argmax(axis=1) if size else np.zeros(count, np.intp)
    last = size - 1 - full[:, ::-1].argmax(axis=1) if size else first
    rows = np.empty((count, size, 3))
    rows[:, 1:, 0] = limits[:, :-1]
    rows[:, :, 1] = limits
    rows[:, :, 2] = counts
    if size:
        each = np.arange(count)
        rows[each, first, 0] = least
        rows[each, last, 1] = greatest
    some: list[bool] = np.logical_or.reduce(full, axis=1).tolist()
    return [rows[at, first[at] : last[at] + 1] if filled else np.zeros((0, 3)) for at, filled in enumerate(some)]


# Many values at once


class _Layout(NamedTuple):
    """The positions of the numbers of a value. A value with the same bytes elsewhere has the same layout.

    `spans` of the rows of a tensor, or of minimum, maximum, limits and counts; a span is empty for a zero, which is not
    written. `dtype` is a NumPy type string.
    """

    old: bool
    dtype: str
    spans: tuple[tuple[int, int], ...]


def _layout_of(data: bytes) -> _Layout | None:
    """The layout of a value in one of the two common forms; None for any other, which is read by itself."""
    if len(data) > MAX_BYTES:
        return None
    try:
        value = parse_value(data, 0, len(data))
        if value.payload == TENSOR:
            return _tensor_layout(data, value)
        if value.payload == HISTOGRAM:
            return _old_layout(data, value)
    except (MalformedError, Unshowable):
        pass
    return None


def _tensor_layout(data: bytes, value: Value) -> _Layout | None:
    dtype, contents, others = 0, [], 0
    for number, wire_type, begin, end in fields(data, value.begin, value.end):
        if number == 1 and wire_type == VARINT:
            dtype = begin
        elif number == 4 and wire_type == BYTES:
            contents.append((begin, end))
        elif number != 2:
            others += 1
    layout = {dtypes.DOUBLE: "<f8", dtypes.FLOAT: "<f4"}.get(dtype)
    if layout is None or len(contents) != 1 or others:
        return None
    rows = _tensor_rows(tensor_numbers(data[value.begin : value.end]))
    whole = rows.size * np.dtype(layout).itemsize == contents[0][1] - contents[0][0]
    return _Layout(False, layout, (contents[0],)) if whole and rows.size else None


def _old_layout(data: bytes, value: Value) -> _Layout | None:
    spans: dict[int, tuple[int, int]] = {}
    for number, wire_type, begin, end in fields(data, value.begin, value.end):
        if number not in (MIN, MAX, LIMITS, COUNTS):
            continue
        if number in spans or wire_type != (FIXED64 if number in (MIN, MAX) else BYTES):
            return None
        spans[number] = (begin, end)
    if LIMITS not in spans or COUNTS not in spans:
        return None
    sizes = {end - begin for number, (begin, end) in spans.items() if number in (LIMITS, COUNTS)}
    if len(sizes) != 1 or sizes.pop() % 8:
        return None
    return _Layout(True, "<f8", tuple(spans.get(number, (0, 0)) for number in (MIN, MAX, LIMITS, COUNTS)))


def _select_same_layout(
    values: Sequence[bytes], layout: _Layout
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.bool_]]:
    """The values with the same layout as the first, one per row, and a mask that says which these are. All have equal
    length."""
    block = np.frombuffer(b"".join(values), np.uint8).reshape(len(values), -1)
    compared = np.ones(block.shape[1], np.bool_)
    for begin, end in (*layout.spans, *_ignored_spans(values[0], layout)):
        compared[begin:end] = False
    same: npt.NDArray[np.bool_] = np.equal(block[:, compared], block[0, compared]).all(axis=1)
    return block[same], same


def _ignored_spans(data: bytes, layout: _Layout) -> list[tuple[int, int]]:
    """Positions of numbers in the older format that are not used: their count, sum and sum of squares."""
    if not layout.old:
        return []
    value = parse_value(data, 0, len(data))
    return [
        (begin, end)
        for number, wire_type, begin, end in fields(data, value.begin, value.end)
        if number in (3, 4, 5) and wire_type == FIXED64
    ]


def _read_block(block: npt.NDArray[np.uint8], layout: _Layout) -> list[Histogram]:
    """The histograms of values with the same layout."""
    numbers = [
        np.ascontiguousarray(block[:, begin:end]).view(layout.dtype).astype(np.float64) for begin, end in layout.spans
    ]
    if not layout.old:
        return [Histogram(rows, False) for rows in numbers[0].reshape(len(block), -1, 3)]
    least, greatest = (ends[:, 0] if ends.size else np.zeros(len(block)) for ends in numbers[:2])
    return [Histogram(rows, True) for rows in _old_block(least, greatest, *numbers[2:])]


def _histogram_or_none(data: bytes) -> Histogram | None:
    try:
        return parse_histogram(data)
    except Unshowable:
        return None
