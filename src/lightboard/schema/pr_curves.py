"""PR curves of a tag at one step, and their statistics over steps."""

from typing import Annotated

from pydantic import Field

from lightboard.schema.model import Number, RequestModel, ResponseModel, RunId, Step
from lightboard.schema.scalars import RunIds, TagName


class PrCurvesRequest(RequestModel):
    """The curves of `tag` in `runs` (null = all), each at its step nearest to `step` (null = its last step)."""

    tag: TagName
    runs: RunIds | None = None
    step: Step | None = None
    orphans: bool = False


class PrCurve(ResponseModel):
    """One curve as it was written, with one item per threshold from 0 to 1. Counts of weighted examples are fractional.

    Only the first `shown` thresholds are meaningful: nothing is predicted positive at those after them. `error` says
    why the curve cannot be read; "" if there is no error.
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


class PrCurvesResponse(ResponseModel):
    """One curve for each run that has the tag, by slot."""

    generation: int
    tag: str
    curves: list[PrCurve]


class PrProgressRequest(RequestModel):
    """Statistics of `tag` over steps in `runs` (null = all), at up to `most` evenly spaced steps of each run."""

    tag: TagName
    runs: RunIds | None = None
    most: Annotated[int, Field(ge=2, le=2000)] = 300
    orphans: bool = False


class PrProgress(ResponseModel):
    """Statistics of one run, one item per step, NaN if a curve cannot be read.

    `held` is the number of all its steps.
    """

    run: RunId
    held: int
    steps: list[int]
    walls: list[Number]
    average_precision: list[Number]
    best_f1: list[Number]


class PrProgressResponse(ResponseModel):
    """One entry for each run that has the tag, by slot."""

    generation: int
    tag: str
    series: list[PrProgress]
