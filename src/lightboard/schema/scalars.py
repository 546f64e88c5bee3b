"""Scalar series: questions about charts and statistics, and answers in JSON.

The answer of a chart is binary; its layout is described in `docs/http.md` and made in `query.scalars`.
"""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from lightboard.schema.model import Answer, Number, Question, RunId

Axis = Literal["step", "relative", "wall", "tag"]
TagName = Annotated[str, Field(max_length=100_000)]
RunIds = Annotated[list[RunId], Field(max_length=100_000, fail_fast=True)]


class GroupQuestion(Question):
    """Runs that are drawn as one line with a band. `id` comes back as the run of its block."""

    id: RunId
    runs: RunIds


class ChartQuestion(Question):
    """One chart: a tag, the runs to draw (null = all that have it), groups of runs to draw beside them, each as one
    line, and the x range (null = open end)."""

    tag: TagName
    runs: RunIds | None = None
    groups: Annotated[list[GroupQuestion], Field(max_length=10_000, fail_fast=True)] | None = None
    x0: float | None = None
    x1: float | None = None


class ChartsQuestion(Question):
    """Several charts of the same width. `px` is the width of the drawing in device pixels.

    x is in steps, in seconds since the first visible point (relative), in epoch seconds (wall), or the value that
    `x_tag` has in the same run at the same step (tag). `aux` asks for the other coordinate of each point, `orphans` for
    points that a restart superseded. `statistic` and `band` are those of groups: a band of one population standard
    deviation (sd), one standard error (se), or from the lowest to the highest.
    """

    axis: Axis = "step"
    x_tag: TagName | None = None
    px: Annotated[int, Field(ge=8, le=4000)]
    smoothing: Annotated[float, Field(ge=0, le=0.999)] = 0.0
    aux: bool = False
    orphans: bool = False
    statistic: Literal["mean", "median"] = "mean"
    band: Literal["none", "sd", "se", "minmax"] = "sd"
    charts: Annotated[list[ChartQuestion], Field(max_length=2000, fail_fast=True)]

    @model_validator(mode="after")
    def x_tag_goes_with_its_axis(self) -> "ChartsQuestion":
        """The one without the other would be a question misunderstood."""
        if (self.axis == "tag") != (self.x_tag is not None):
            raise ValueError("x_tag names the tag of the axis 'tag', and goes with no other")
        return self


class StatsQuestion(Question):
    """Statistics of whole series."""

    tags: Annotated[list[TagName], Field(max_length=2000, fail_fast=True)]
    runs: Annotated[list[RunId], Field(max_length=100_000, fail_fast=True)] | None = None
    orphans: bool = False


class SeriesStats(Answer):
    """Statistics of one series over its visible points; min, max and mean over the finite ones (NaN if none).

    `nonfinite_tail` counts the points at its end that are no numbers, `nonfinite_from` is the step of the first of
    these.
    """

    tag: str
    run: RunId
    held: int
    superseded: int
    first_step: int
    first_wall: Number
    first_value: Number
    last_step: int
    last_wall: Number
    last_value: Number
    min_value: Number
    min_step: int
    max_value: Number
    max_step: int
    mean: Number
    nonfinite: int
    nonfinite_tail: int
    nonfinite_from: int


class StatsAnswer(Answer):
    """One entry per series that exists, tags in the order asked, runs by slot."""

    generation: int
    stats: list[SeriesStats]


class RangeQuestion(Question):
    """Figures between two steps, both included; null is an open end."""

    tags: Annotated[list[TagName], Field(max_length=2000, fail_fast=True)]
    runs: RunIds | None = None
    first: float | None = None
    last: float | None = None
    orphans: bool = False


class RangeStats(Answer):
    """Figures of one series over the finite points of a stretch; `slope` is the change per step of the straight line
    that fits best (NaN where all points are at one step). Where the stretch ends in points that are no numbers,
    `lost_step` and `lost_value` are those of the first of these, else null."""

    tag: str
    run: RunId
    points: int
    first_step: int
    first_value: Number
    last_step: int
    last_value: Number
    min_value: Number
    min_step: int
    max_value: Number
    max_step: int
    mean: Number
    slope: Number
    lost_step: int | None
    lost_value: Number | None


class RangeAnswer(Answer):
    """One entry per series that has a finite point there, tags in the order asked, runs by slot."""

    generation: int
    ranges: list[RangeStats]


class SeriesQuery(Question):
    """One series, whole. `run` is the name; `orphans=1` adds points that a restart superseded."""

    run: str
    tag: str
    format: Literal["json", "csv"] = "json"
    orphans: bool = False


class SeriesAnswer(Answer):
    """Every point as [wall time, step, value], exact; with orphans a fourth item says 1 if superseded."""

    run: str
    tag: str
    points: list[tuple[Number, int, Number] | tuple[Number, int, Number, int]]
