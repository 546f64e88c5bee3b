"""PR curves in values: six rows, what they come to, and what is refused."""

import math
import struct

import numpy as np
import pytest

from lightboard.errors import Unshowable
from lightboard.events.pr_curves import PrCurve, curve_of, figures_of, shown_length, version_of
from lightboard.events.window import Window
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


def window_of(value: bytes) -> Window:
    return Window(lambda at, length: value[at : at + length], len(value))


def curve_window(rows: tuple[tuple[float, ...], ...] = ROWS, dtype: int = FLOAT) -> Window:
    """A window on the value of a curve."""
    shape = (len(rows), len(rows[0]))
    return window_of(tensor_value("pr", tensor(dtype, [n for row in rows for n in row], shape=shape, content=True)))


def lists(curve: PrCurve) -> list[list[float]]:
    return [row.tolist() for row in curve]


def test_rows_are_read_as_they_are_stored() -> None:
    """float32 as doubles, doubles as they are."""
    stored = [list(struct.unpack("<4f", struct.pack("<4f", *row))) for row in ROWS]

    assert lists(curve_of(curve_window())) == stored
    assert lists(curve_of(curve_window(dtype=DOUBLE))) == [list(map(float, row)) for row in ROWS]


def test_thresholds_go_evenly_from_0_to_1() -> None:
    """Their number is that of the columns."""
    assert curve_of(curve_window()).thresholds.tolist() == [0.0, 1 / 3, 2 / 3, 1.0]


def test_average_precision_is_the_sum_over_the_thresholds() -> None:
    """Gained recall times precision, from the highest threshold down; against the sum written out."""
    rng = np.random.default_rng(1)
    recall = np.sort(rng.random(201))[::-1]
    precision = rng.random(201)
    curve = PrCurve(*[np.zeros(201)] * 4, precision, recall)
    total, before = 0.0, 0.0
    for at in range(200, -1, -1):
        total += (recall[at] - before) * precision[at]
        before = recall[at]

    assert figures_of(curve).average_precision == pytest.approx(total, abs=1e-12)


def test_best_f1_and_where() -> None:
    """The largest harmonic mean of precision and recall, and the first threshold it is reached at."""
    _, best_f1, best_threshold = figures_of(curve_of(curve_window(dtype=DOUBLE)))

    assert (best_f1, best_threshold) == (pytest.approx(2 / 3, abs=1e-12), 0.0)


def test_thresholds_without_numbers_do_not_count() -> None:
    """A NaN among precisions leaves the others standing; nothing but NaN comes to nothing."""
    nan = float("nan")
    some = PrCurve(*[np.zeros(3)] * 4, np.array([0.5, nan, 1.0]), np.array([1.0, 0.7, 0.5]))
    none = PrCurve(*[np.zeros(1)] * 4, np.array([nan]), np.array([nan]))

    assert figures_of(some).average_precision == 0.75
    assert all(math.isnan(number) for number in figures_of(none))


def test_the_end_at_which_nothing_is_called_positive_is_not_shown() -> None:
    """As in TensorBoard; of a curve of nothing the first threshold stays."""
    nothing = tuple((0.0,) * 4 for _ in range(6))

    assert [shown_length(curve_of(curve_window(rows))) for rows in (ROWS, nothing)] == [3, 1]


def test_less_than_one_weighted_example_counts() -> None:
    """Weights may sum up to one; TensorBoard takes such counts for none."""
    curve = curve_of(curve_window(tuple(tuple(number / 100 for number in row) for row in ROWS)))

    assert (shown_length(curve), shown_length(curve, whole=True)) == (3, 1)


@pytest.mark.parametrize(
    "window",
    [
        curve_window(((1.0, 2.0),) * 5),
        window_of(tensor_value("pr", tensor(FLOAT, [1.0]))),
        window_of(tensor_value("pr", tensor(FLOAT, [], shape=(6, 0)))),
        window_of(tensor_value("pr", tensor(FLOAT, [0.0], shape=(6, 10_001)))),
        window_of(tensor_value("pr", tensor(FLOAT, [0.0], shape=(6, 1 << 40)))),
        window_of(b"\xff\xff"),
        window_of(b""),
    ],
)
def test_what_is_no_curve_is_refused(window: Window) -> None:
    """Too few rows, one number, no threshold, too many, more than memory holds, broken, nothing."""
    with pytest.raises(Unshowable):
        curve_of(window)


def test_version_of_the_content() -> None:
    """0 unless the writer says another; broken metadata says none."""
    later = summary_metadata("pr_curves", varint_field(1, 3) + varint_field(2, 201))
    usual = summary_metadata("pr_curves", varint_field(2, 201))

    assert [version_of(data) for data in (later, usual, b"", bytes_field(1, b"\xff"))] == [3, 0, 0, 0]
