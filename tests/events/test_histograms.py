"""Histograms of both formats as rows, one or many, and their distributions."""

import math
import struct

import numpy as np
import pytest

from lightboard.errors import Unshowable
from lightboard.events.histograms import (
    NORMAL_BASIS_POINTS,
    basis_point_values,
    parse_histogram,
    parse_histograms,
    round_like_tensorboard,
)
from lightboard.events.payloads import MAX_BYTES
from lightboard.testing.event_files import (
    DOUBLE,
    FLOAT,
    STRING,
    bytes_field,
    double_field,
    histogram_value,
    image_value,
    tensor,
    tensor_value,
)

Row = tuple[float, float, float]


def tensor_histogram(*rows: Row, dtype: int = DOUBLE, content: bool = True) -> bytes:
    """A Summary.Value with a tensor [k, 3]."""
    numbers = [number for row in rows for number in row]
    return tensor_value("w", tensor(dtype, numbers, shape=[len(rows), 3], content=content))


def rows_of(data: bytes) -> list[list[float]]:
    rows: list[list[float]] = parse_histogram(data).rows.tolist()
    return rows


@pytest.mark.parametrize("content", [True, False])
@pytest.mark.parametrize("dtype", [DOUBLE, FLOAT])
def test_tensor_rows_are_buckets(dtype: int, content: bool) -> None:
    """Left, right, count; as raw bytes or in the repeated field."""
    assert rows_of(tensor_histogram((-1.0, 0.0, 3.0), (0.0, 0.5, 4.0), dtype=dtype, content=content)) == [
        [-1.0, 0.0, 3.0],
        [0.0, 0.5, 4.0],
    ]


def test_histograms_may_be_empty() -> None:
    """k may be 0, with or without a shape."""
    empty = tensor_value("w", tensor(DOUBLE, [], shape=[0, 3]))
    shapeless = tensor_value("w", tensor(DOUBLE, [], shape=None))
    assert [parse_histogram(data).rows.shape for data in (empty, shapeless)] == [(0, 3), (0, 3)]


def test_legacy_histograms_lose_empty_buckets_at_both_ends() -> None:
    """The outer edges are the minimum and maximum, not TensorFlow's greatest double."""
    limits, counts = [-1.5, -1.0, 0.0, 1.0, 1.7e308], [0.0, 2.0, 0.0, 5.0, 0.0]
    value = histogram_value("w", limits, counts)
    assert rows_of(value) == [[-1.5, -1.0, 2.0], [-1.0, 0.0, 0.0], [0.0, 1.7e308, 5.0]]


def test_legacy_histograms_without_counts_are_empty() -> None:
    """As in TensorBoard."""
    assert rows_of(histogram_value("w", [0.0, 1.0], [0.0, 0.0])) == []


def test_a_single_bucket_spans_minimum_to_maximum() -> None:
    """A legacy histogram of one value."""
    message = double_field(1, 2.0) + double_field(2, 2.0)
    message += bytes_field(6, struct.pack("<d", 9.0)) + bytes_field(7, struct.pack("<d", 1.0))
    assert rows_of(bytes_field(1, b"w") + bytes_field(5, message)) == [[2.0, 2.0, 1.0]]


def test_limits_without_counts_are_dropped() -> None:
    """The shorter list decides."""
    message = double_field(2, 1.0)
    message += bytes_field(6, struct.pack("<3d", 0.5, 1.0, 2.0)) + bytes_field(7, struct.pack("<2d", 1.0, 2.0))
    assert rows_of(bytes_field(1, b"w") + bytes_field(5, message)) == [[0.0, 0.5, 1.0], [0.5, 1.0, 2.0]]


@pytest.mark.parametrize(
    "value",
    [
        image_value("w", b"png"),
        tensor_value("w", tensor(DOUBLE, [1.0, 2.0, 3.0, 4.0], shape=[2, 2])),
        tensor_value("w", tensor(STRING, [b"a"], shape=[1])),
        tensor_histogram((0.0, 1.0, 2.0))[:-1],
        bytes_field(1, b"w") + bytes_field(5, bytes_field(6, b"1234567")),
        b"",
    ],
)
def test_values_without_a_histogram_are_unshowable(value: bytes) -> None:
    """Among many it is None."""
    with pytest.raises(Unshowable):
        parse_histogram(value)
    assert parse_histograms([value]) == [None]


def test_oversized_values_are_not_read() -> None:
    """The size alone decides."""
    with pytest.raises(Unshowable, match="MB"):
        parse_histogram(bytes(MAX_BYTES + 1))


def test_batches_equal_single_reads() -> None:
    """Values of one layout, others between them, both formats, several lengths."""
    rng = np.random.default_rng(7)
    values = []
    for at in range(200):
        size = int(rng.integers(1, 5))
        edges, counts = np.sort(rng.normal(size=size + 1)), rng.integers(0, 4, size).astype(float)
        rows = [(edges[i], edges[i + 1], counts[i]) for i in range(size)]
        forms = (
            tensor_histogram(*rows),
            tensor_histogram(*rows, content=False),
            histogram_value("w", [0.0, *edges[1:]], [*counts, 1.0]),
            histogram_value(f"tag{at % 3}", list(edges[1:]), list(counts)),
            b"\xff" * (at % 9),
        )
        values.append(forms[at % len(forms)])
    found = parse_histograms(values)
    for value, one in zip(values, found, strict=True):
        try:
            alone = parse_histogram(value)
        except Unshowable:
            assert one is None
            continue
        assert one is not None
        assert (one.rows.tolist(), one.old) == (alone.rows.tolist(), alone.old)


def test_legacy_histograms_are_rounded_to_float32() -> None:
    """As in TensorBoard. Tensors keep their precision."""
    old = round_like_tensorboard(parse_histogram(histogram_value("w", [0.1, 0.2], [1.0, 2.0]))).tolist()
    new = round_like_tensorboard(parse_histogram(tensor_histogram((0.1, 0.2, 3.0)))).tolist()
    assert [old[0][0], new[0][0]] == [struct.unpack("<f", struct.pack("<f", 0.1))[0], 0.1]


def slow_basis_points(rows: list[list[float]]) -> list[tuple[int, float]]:
    """Basis points by the definition."""
    total = sum(count for _, _, count in rows) or 1.0
    found = []
    for point in NORMAL_BASIS_POINTS:
        before, value = 0.0, rows[-1][1]
        for at, (_, right, count) in enumerate(rows):
            after = before + count * 10000 / total
            if point < after:
                low = rows[0][0] if before == 0 else max(rows[at - 1][1], rows[0][0])
                value = low + (point - before) * (min(right, rows[-1][1]) - low) / (after - before)
                break
            before = after
        found.append((point, value))
    return found


def test_basis_points_are_interpolated_within_buckets() -> None:
    """Nine of them; empty buckets are skipped."""
    rng = np.random.default_rng(3)
    for size in (1, 2, 30):
        edges, counts = np.sort(rng.normal(size=size + 1)), rng.integers(0, 3, size).astype(float)
        counts[-1] += 1
        rows = np.stack([edges[:-1], edges[1:], counts], axis=1)
        for (point, value), (expected_point, expected) in zip(
            basis_point_values(rows), slow_basis_points(rows.tolist()), strict=True
        ):
            assert point == expected_point
            assert math.isclose(value, expected, rel_tol=1e-9, abs_tol=1e-12)


def test_basis_points_without_counts() -> None:
    """No buckets give zeros; buckets without counts give the last edge. As in TensorBoard."""
    assert [value for _, value in basis_point_values(np.zeros((0, 3)))] == [0.0] * 9
    assert [value for _, value in basis_point_values(np.array([[1.0, 2.0, 0.0]]))] == [2.0] * 9
