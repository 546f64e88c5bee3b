"""Precision-recall curves as the pr_curves plugin stores them, and the figures read off them.

One value is a tensor of six rows, a column for each threshold k/(n-1): true and false positives, true and false
negatives, precision, recall. Counts may be weighted, so that they are no whole numbers. Not here: which runs and steps.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lightboard.errors import Unshowable
from lightboard.events.arrays import numbers_of
from lightboard.events.window import Window
from lightboard.events.wire import BYTES, VARINT, MalformedError, fields

PLUGIN = "pr_curves"

ROWS = 6

MAX_THRESHOLDS = 10_000
"""A curve of more is not shown; writers make 127 or 201."""

LATEST_VERSION = 0

Column = npt.NDArray[np.float64]


class PrCurve(NamedTuple):
    """One curve, one item per threshold in each; `precision` and `recall` are the stored ones."""

    true_positives: Column
    false_positives: Column
    true_negatives: Column
    false_negatives: Column
    precision: Column
    recall: Column

    @property
    def thresholds(self) -> Column:
        """From 0 to 1; the only one of a curve of one is 0."""
        return np.linspace(0.0, 1.0, len(self.recall))


class Figures(NamedTuple):
    """What one curve comes to. `best_f1` is the largest F1 and `best_threshold` where it is reached first."""

    average_precision: float
    best_f1: float
    best_threshold: float


def curve_of(window: Window) -> PrCurve:
    """The curve in a Summary.Value. Raises Unshowable, ValueNotFound."""
    numbers = numbers_of(window)
    if numbers.ndim != 2 or len(numbers) < ROWS or not numbers.shape[1]:
        shape = " x ".join(map(str, numbers.shape)) or "one number"
        raise Unshowable(f"a PR curve has six rows and a column for each threshold; this value is {shape}")
    if numbers.shape[1] > MAX_THRESHOLDS:
        raise Unshowable(
            f"the curve has {numbers.shape[1]} thresholds, more than the {MAX_THRESHOLDS} that are shown",
            hint="download the value instead",
        )
    return PrCurve(*numbers[:ROWS].astype(np.float64))


def shown_length(curve: PrCurve, *, whole: bool = False) -> int:
    """How many thresholds count: at the end of most curves nothing is called positive, and precision means nothing.

    `whole` counts as TensorBoard does, to which less than one weighted example is none.
    """
    true, false = curve.true_positives, curve.false_positives
    found = np.flatnonzero(np.trunc(true) + np.trunc(false) if whole else true + false)
    return int(found[-1]) + 1 if len(found) else 1


def figures_of(curve: PrCurve) -> Figures:
    """Average precision and best F1; NaN where no threshold has numbers.

    The average is the sum of (R_n - R_n-1) P_n from the highest threshold down, where recall begins at 0.
    """
    precision, recall = curve.precision, curve.recall
    finite = np.isfinite(precision) & np.isfinite(recall)
    if not finite.any():
        return Figures(float("nan"), float("nan"), float("nan"))
    precision, recall, thresholds = precision[finite], recall[finite], curve.thresholds[finite]
    gained = -np.diff(recall, append=0.0)
    scores = f1_of(precision, recall)
    best = int(np.argmax(scores))
    return Figures(float(gained @ precision), float(scores[best]), float(thresholds[best]))


def f1_of(precision: Column, recall: Column) -> Column:
    """The harmonic mean; 0 where both are."""
    total = precision + recall
    return np.divide(2 * precision * recall, total, out=np.zeros_like(total), where=total != 0)


def version_of(metadata: bytes) -> int:
    """The version of the plugin's content in a serialized SummaryMetadata; 0 where it says none."""
    version = 0
    try:
        for begin, end in _content_spans(metadata):
            for number, wire_type, value, _ in fields(metadata, begin, end):
                if number == 1 and wire_type == VARINT:
                    version = value
    except MalformedError:
        pass  # what was read so far counts
    return version


def _content_spans(metadata: bytes) -> list[tuple[int, int]]:
    """Where PluginData.content lies. Raises MalformedError."""
    spans = []
    for number, wire_type, value, stop in fields(metadata, 0, len(metadata)):
        if number == 1 and wire_type == BYTES:
            for inner, inner_type, begin, end in fields(metadata, value, stop):
                if inner == 2 and inner_type == BYTES:
                    spans.append((begin, end))
    return spans
