"""Histograms of both forms as rows, one by one and many at once, and what TensorBoard's distributions make of them."""

import math
import struct

import numpy as np
import pytest

from lightboard.errors import Unshowable
from lightboard.events.histograms import (
    NORMAL_BASIS_POINTS,
    as_tensorboard_has,
    basis_point_values,
    histogram_of,
    histograms_of,
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


def new_form(*rows: Row, dtype: int = DOUBLE, content: bool = True) -> bytes:
    """A Summary.Value with a tensor [k, 3]."""
    numbers = [number for row in rows for number in row]
    return tensor_value("w", tensor(dtype, numbers, shape=[len(rows), 3], content=content))


def rows_of(data: bytes) -> list[list[float]]:
    rows: list[list[float]] = histogram_of(data).rows.tolist()
    return rows


@pytest.mark.parametrize("content", [True, False])
@pytest.mark.parametrize("dtype", [DOUBLE, FLOAT])
def test_a_tensor_is_its_rows(dtype: int, content: bool) -> None:
    """Left, right, count, in raw bytes or in the repeated field."""
    assert rows_of(new_form((-1.0, 0.0, 3.0), (0.0, 0.5, 4.0), dtype=dtype, content=content)) == [
        [-1.0, 0.0, 3.0],
        [0.0, 0.5, 4.0],
    ]


def test_no_rows_are_a_histogram_too() -> None:
    """k may be 0, with a shape or without."""
    empty = tensor_value("w", tensor(DOUBLE, [], shape=[0, 3]))
    shapeless = tensor_value("w", tensor(DOUBLE, [], shape=None))
    assert [histogram_of(data).rows.shape for data in (empty, shapeless)] == [(0, 3), (0, 3)]


def test_the_older_form_loses_empty_buckets_at_its_ends() -> None:
    """The outer edges are the least and the greatest number, not the greatest double of TensorFlow's buckets."""
    limits, counts = [-1.5, -1.0, 0.0, 1.0, 1.7e308], [0.0, 2.0, 0.0, 5.0, 0.0]
    value = histogram_value("w", limits, counts)
    assert rows_of(value) == [[-1.5, -1.0, 2.0], [-1.0, 0.0, 0.0], [0.0, 1.7e308, 5.0]]


def test_the_older_form_with_nothing_in_it_is_empty() -> None:
    """As TensorBoard reads it."""
    assert rows_of(histogram_value("w", [0.0, 1.0], [0.0, 0.0])) == []


def test_one_bucket_reaches_from_the_least_to_the_greatest() -> None:
    """A tensor of one value."""
    message = double_field(1, 2.0) + double_field(2, 2.0)
    message += bytes_field(6, struct.pack("<d", 9.0)) + bytes_field(7, struct.pack("<d", 1.0))
    assert rows_of(bytes_field(1, b"w") + bytes_field(5, message)) == [[2.0, 2.0, 1.0]]


def test_more_limits_than_counts_are_cut() -> None:
    """What is there of both counts."""
    message = double_field(2, 1.0)
    message += bytes_field(6, struct.pack("<3d", 0.5, 1.0, 2.0)) + bytes_field(7, struct.pack("<2d", 1.0, 2.0))
    assert rows_of(bytes_field(1, b"w") + bytes_field(5, message)) == [[0.0, 0.5, 1.0], [0.5, 1.0, 2.0]]


@pytest.mark.parametrize(
    "value",
    [
        image_value("w", b"png"),
        tensor_value("w", tensor(DOUBLE, [1.0, 2.0, 3.0, 4.0], shape=[2, 2])),
        tensor_value("w", tensor(STRING, [b"a"], shape=[1])),
        new_form((0.0, 1.0, 2.0))[:-1],
        bytes_field(1, b"w") + bytes_field(5, bytes_field(6, b"1234567")),
        b"",
    ],
)
def test_what_is_no_histogram_says_so(value: bytes) -> None:
    """In words, never as an error of the program; among many it is None."""
    with pytest.raises(Unshowable):
        histogram_of(value)
    assert histograms_of([value]) == [None]


def test_a_value_beyond_the_limit_is_not_read() -> None:
    """Whatever it holds."""
    with pytest.raises(Unshowable, match="MB"):
        histogram_of(bytes(MAX_BYTES + 1))


def test_many_at_once_are_what_each_is_alone() -> None:
    """Lots that are laid out alike, others between them, of both forms and several lengths."""
    rng = np.random.default_rng(7)
    values = []
    for at in range(200):
        size = int(rng.integers(1, 5))
        edges, counts = np.sort(rng.normal(size=size + 1)), rng.integers(0, 4, size).astype(float)
        rows = [(edges[i], edges[i + 1], counts[i]) for i in range(size)]
        forms = (
            new_form(*rows),
            new_form(*rows, content=False),
            histogram_value("w", [0.0, *edges[1:]], [*counts, 1.0]),
            histogram_value(f"tag{at % 3}", list(edges[1:]), list(counts)),
            b"\xff" * (at % 9),
        )
        values.append(forms[at % len(forms)])
    found = histograms_of(values)
    for value, one in zip(values, found, strict=True):
        try:
            alone = histogram_of(value)
        except Unshowable:
            assert one is None
            continue
        assert one is not None
        assert (one.rows.tolist(), one.old) == (alone.rows.tolist(), alone.old)


def test_the_older_form_has_the_digits_of_tensorboard() -> None:
    """It is rounded to float32 there; tensors keep what they have."""
    old = as_tensorboard_has(histogram_of(histogram_value("w", [0.1, 0.2], [1.0, 2.0]))).tolist()
    new = as_tensorboard_has(histogram_of(new_form((0.1, 0.2, 3.0)))).tolist()
    assert [old[0][0], new[0][0]] == [struct.unpack("<f", struct.pack("<f", 0.1))[0], 0.1]


def lerped(rows: list[list[float]]) -> list[tuple[int, float]]:
    """Basis points in the slow and obvious way."""
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


def test_basis_points_lie_on_straight_lines_within_buckets() -> None:
    """Nine of them; empty buckets are passed over."""
    rng = np.random.default_rng(3)
    for size in (1, 2, 30):
        edges, counts = np.sort(rng.normal(size=size + 1)), rng.integers(0, 3, size).astype(float)
        counts[-1] += 1
        rows = np.stack([edges[:-1], edges[1:], counts], axis=1)
        for (point, value), (expected_point, expected) in zip(
            basis_point_values(rows), lerped(rows.tolist()), strict=True
        ):
            assert point == expected_point
            assert math.isclose(value, expected, rel_tol=1e-9, abs_tol=1e-12)


def test_basis_points_of_nothing() -> None:
    """No buckets are zeros, buckets without counts are all at the end, as in TensorBoard."""
    assert [value for _, value in basis_point_values(np.zeros((0, 3)))] == [0.0] * 9
    assert [value for _, value in basis_point_values(np.array([[1.0, 2.0, 0.0]]))] == [2.0] * 9
