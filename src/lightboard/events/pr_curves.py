"""Precision-recall curves as the pr_curves plugin stores them, and their statistics.

One value is a tensor of six rows with a column for each threshold k/(n-1): true and false positives, true and false
negatives, precision, recall. Counts may be weighted and therefore fractional.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lightboard.errors import Unshowable
from lightboard.events.arrays import read_numbers
from lightboard.events.byte_reader import ByteReader
from lightboard.events.messages import content_spans
from lightboard.events.wire import VARINT, MalformedError, fields

PLUGIN = "pr_curves"

ROWS = 6

MAX_THRESHOLDS = 10_000
"""The maximum length of a curve. Writers use 127 or 201."""

LATEST_VERSION = 0

Column = npt.NDArray[np.float64]


class PrCurve(NamedTuple):
    """One curve with one item per threshold in each column. `precision` and `recall` are as stored."""

    true_positives: Column
    false_positives: Column
    true_negatives: Column
    false_negatives: Column
    precision: Column
    recall: Column

    @property
    def thresholds(self) -> Column:
        """From 0 to 1; [0] for a curve with a single threshold."""
        return np.linspace(0.0, 1.0, len(self.recall))


class PrCurveStats(NamedTuple):
    """Statistics of one curve. `best_f1` is the highest F1 and `best_threshold` the first threshold that has it."""

    average_precision: float
    best_f1: float
    best_threshold: float


def read_curve(reader: ByteReader) -> PrCurve:
    """The curve in a Summary.Value. Raises Unshowable, ValueNotFound."""
    numbers = read_numbers(reader)
    if numbers.ndim != 2 or len(numbers) < ROWS or not numbers.shape[1]:
        shape = " x ".join(map(str, numbers.shape)) or "one number"
        raise Unshowable(f"a PR curve has six rows and a column for each threshold; this value is {shape}")
    if numbers.shape[1] > MAX_THRESHOLDS:
        raise Unshowable(
            f"the curve has {numbers.shape[1]} thresholds, more than the {MAX_THRESHOLDS} that are shown",
            hint="download the value instead",
        )
    return PrCurve(*numbers[:ROWS].astype(np.float64))


def count_thresholds(curve: PrCurve, *, whole: bool = False) -> int:
    """How many thresholds count. At the end of most curves nothing is positive, and precision is meaningless.

    `whole` counts like TensorBoard, which ignores less than one weighted example.
    """
    true, false = curve.true_positives, curve.false_positives
    found = np.flatnonzero(np.trunc(true) + np.trunc(false) if whole else true + false)
    return int(found[-1]) + 1 if len(found) else 1


def curve_stats(curve: PrCurve) -> PrCurveStats:
    """Average precision and best F1; NaN if no threshold has finite numbers.

    The average is the sum of (R_n - R_n-1) P_n from the highest threshold down, with a recall of 0 before it.
    """
    precision, recall = curve.precision, curve.recall
    finite = np.isfinite(precision) & np.isfinite(recall)
    if not finite.any():
        return PrCurveStats(float("nan"), float("nan"), float("nan"))
    precision, recall, thresholds = precision[finite], recall[finite], curve.thresholds[finite]
    gained = -np.diff(recall, append=0.0)
    scores = f1_of(precision, recall)
    best = int(np.argmax(scores))
    return PrCurveStats(float(gained @ precision), float(scores[best]), float(thresholds[best]))


def f1_of(precision: Column, recall: Column) -> Column:
    """The harmonic mean; 0 if both are 0."""
    total = precision + recall
    return np.divide(2 * precision * recall, total, out=np.zeros_like(total), where=total != 0)


def version_of(metadata: bytes) -> int:
    """The version of the plugin's content in a serialized SummaryMetadata; 0 if it states none."""
    version = 0
    try:
        for begin, end in content_spans(metadata):
            for number, wire_type, value, _ in fields(metadata, begin, end):
                if number == 1 and wire_type == VARINT:
                    version = value
    except MalformedError:
        pass  # use what was read before the error
    return version
