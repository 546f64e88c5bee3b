"""PR curves: which are asked for, and their numbers."""

from typing import Annotated

from pydantic import Field

from lightboard.schema.model import Answer, Number, Question, RunId, Step
from lightboard.schema.scalars import RunIds, TagName


class PrCurvesQuestion(Question):
    """The curves of `tag` for `runs` (null = all), each at its step nearest to `step` (null = its last)."""

    tag: TagName
    runs: RunIds | None = None
    step: Step | None = None
    orphans: bool = False


class PrCurve(Answer):
    """One curve, one item per threshold from 0 to 1, as stored; counts of weighted examples are no whole numbers.

    `shown` is how many count: at the thresholds after them nothing is called positive. `error` says why a curve has
    no numbers, "" if it has.
    """

    run: RunId
    step: int
    wall: Number
    key: str
    error: str
    shown: int
    average_precision: Number
    best_f1: Number
    best_threshold: Number
    thresholds: list[Number]
    true_positives: list[Number]
    false_positives: list[Number]
    true_negatives: list[Number]
    false_negatives: list[Number]
    precision: list[Number]
    recall: list[Number]


class PrCurvesAnswer(Answer):
    """One curve for each run that has any, by slot."""

    generation: int
    tag: str
    curves: list[PrCurve]


class PrProgressQuestion(Question):
    """The figures of `tag` over the steps for `runs` (null = all), at most `most` steps of each, evenly chosen."""

    tag: TagName
    runs: RunIds | None = None
    most: Annotated[int, Field(ge=2, le=2000)] = 300
    orphans: bool = False


class PrProgress(Answer):
    """The figures of one run, one item per step; NaN where a curve cannot be read. `held` counts all its steps."""

    run: RunId
    held: int
    steps: list[int]
    walls: list[Number]
    average_precision: list[Number]
    best_f1: list[Number]


class PrProgressAnswer(Answer):
    """One entry for each run that has any, by slot."""

    generation: int
    tag: str
    series: list[PrProgress]
