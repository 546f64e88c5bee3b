"""PR curves: their six rows, their metrics, and invalid values."""

import math
import struct

import numpy as np
import pytest

from lightboard.errors import Unshowable
from lightboard.events.byte_reader import ByteReader
from lightboard.events.pr_curves import PrCurve, count_thresholds, curve_stats, read_curve, version_of
from lightboard.testing.event_files import (
    DOUBLE,
    FLOAT,
    bytes_field,
    summary_metadata,
    tensor,
    tensor_value,
    varint_field,
)

ROWS = ((4, 3, 1, 0), (4, 2, 0, 0), (0, 2, 4, 4), (0, 1, 3, 4), (0.5, 0.6, 1.0, 0.0), (1.0, 0.75, 0.25, 0.0))


def reader_of(value: bytes) -> ByteReader:
    return ByteReader(lambda at, length: value[at : at + length], len(value))


def curve_reader(rows: tuple[tuple[float, ...], ...] = ROWS, dtype: int = FLOAT) -> ByteReader:
    """A reader over the value of a curve."""
    shape = (len(rows), len(rows[0]))
    return reader_of(tensor_value("pr", tensor(dtype, [n for row in rows for n in row], shape=shape, content=True)))


def lists(curve: PrCurve) -> list[list[float]]:
    return [row.tolist() for row in curve]


def test_rows_are_read() -> None:
    """float32 values become doubles without rounding."""
    stored = [list(struct.unpack("<4f", struct.pack("<4f", *row))) for row in ROWS]

    assert lists(read_curve(curve_reader())) == stored
    assert lists(read_curve(curve_reader(dtype=DOUBLE))) == [list(map(float, row)) for row in ROWS]


def test_thresholds_are_evenly_spaced() -> None:
    """From 0 to 1, one for each column."""
    assert read_curve(curve_reader()).thresholds.tolist() == [0.0, 1 / 3, 2 / 3, 1.0]


def test_average_precision_sums_over_thresholds() -> None:
    """Gain in recall times precision, from the highest threshold down."""
    rng = np.random.default_rng(1)
    recall = np.sort(rng.random(201))[::-1]
    precision = rng.random(201)
    curve = PrCurve(*[np.zeros(201)] * 4, precision, recall)
    total, before = 0.0, 0.0
    for at in range(200, -1, -1):
        total += (recall[at] - before) * precision[at]
        before = recall[at]

    assert curve_stats(curve).average_precision == pytest.approx(total, abs=1e-12)


def test_best_f1_and_its_threshold() -> None:
    """The first threshold where the harmonic mean of precision and recall is largest."""
    _, best_f1, best_threshold = curve_stats(read_curve(curve_reader(dtype=DOUBLE)))

    assert (best_f1, best_threshold) == (pytest.approx(2 / 3, abs=1e-12), 0.0)


def test_nan_thresholds_are_ignored() -> None:
    """If all are NaN, so are the metrics."""
    nan = float("nan")
    some = PrCurve(*[np.zeros(3)] * 4, np.array([0.5, nan, 1.0]), np.array([1.0, 0.7, 0.5]))
    none = PrCurve(*[np.zeros(1)] * 4, np.array([nan]), np.array([nan]))

    assert curve_stats(some).average_precision == 0.75
    assert all(math.isnan(number) for number in curve_stats(none))


def test_thresholds_without_positives_are_not_shown() -> None:
    """As in TensorBoard. A curve without counts keeps its first threshold."""
    nothing = tuple((0.0,) * 4 for _ in range(6))

    assert [count_thresholds(read_curve(curve_reader(rows))) for rows in (ROWS, nothing)] == [3, 1]


def test_weighted_counts_below_one_are_kept() -> None:
    """Weights may sum to one. TensorBoard rounds such counts to zero."""
    curve = read_curve(curve_reader(tuple(tuple(number / 100 for number in row) for row in ROWS)))

    assert (count_thresholds(curve), count_thresholds(curve, whole=True)) == (3, 1)


@pytest.mark.parametrize(
    "window",
    [
        curve_reader(((1.0, 2.0),) * 5),
        reader_of(tensor_value("pr", tensor(FLOAT, [1.0]))),
        reader_of(tensor_value("pr", tensor(FLOAT, [], shape=(6, 0)))),
        reader_of(tensor_value("pr", tensor(FLOAT, [0.0], shape=(6, 10_001)))),
        reader_of(tensor_value("pr", tensor(FLOAT, [0.0], shape=(6, 1 << 40)))),
        reader_of(b"\xff\xff"),
        reader_of(b""),
    ],
)
def test_invalid_curves_are_unshowable(window: ByteReader) -> None:
    """Five rows, a scalar, no thresholds, too many, a huge shape, malformed bytes, no bytes."""
    with pytest.raises(Unshowable):
        read_curve(window)


def test_content_versions_default_to_zero() -> None:
    """Also with malformed metadata."""
    later = summary_metadata("pr_curves", varint_field(1, 3) + varint_field(2, 201))
    usual = summary_metadata("pr_curves", varint_field(2, 201))

    assert [version_of(data) for data in (later, usual, b"", bytes_field(1, b"\xff"))] == [3, 0, 0, 0]
