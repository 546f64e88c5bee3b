"""Scalar series: requests for charts and statistics, and responses in JSON.

Charts are sent in a binary format, which `docs/http.md` describes and `query.scalars` encodes.
"""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from lightboard.schema.model import Number, RequestModel, ResponseModel, RunId

Axis = Literal["step", "relative", "wall", "tag"]
TagName = Annotated[str, Field(max_length=100_000)]
RunIds = Annotated[list[RunId], Field(max_length=100_000, fail_fast=True)]


class GroupSpec(RequestModel):
    """Runs that are drawn as one line with a band. `id` is returned as the run of its block."""

    id: RunId
    runs: RunIds


class ChartSpec(RequestModel):
    """One chart of a tag.

    `runs` are drawn as one line each (null = all that have the tag), and each of `groups` as one line. `x0` and `x1`
    are the ends of the x range (null = open).
    """

    tag: TagName
    runs: RunIds | None = None
    groups: Annotated[list[GroupSpec], Field(max_length=10_000, fail_fast=True)] | None = None
    x0: float | None = None
    x1: float | None = None


class ChartsRequest(RequestModel):
    """Several charts of the same width. `px` is the width of the drawing in device pixels.

    x is the step, the seconds since the first visible point (relative), the seconds since the epoch (wall), or the
    value of `x_tag` in the same run at the same step (tag). `aux` adds the other coordinate of each point, `orphans`
    points that a restart superseded. `statistic` and `band` apply to groups: a band of one population standard
    deviation (sd), of one standard error (se), or from the lowest to the highest value (minmax). `repeats`: of points
    that follow each other at one step, all are drawn, or the last; the whole chart is as if there were no others.
    """

    axis: Axis = "step"
    x_tag: TagName | None = None
    px: Annotated[int, Field(ge=8, le=4000)]
    smoothing: Annotated[float, Field(ge=0, le=0.999)] = 0.0
    aux: bool = False
    orphans: bool = False
    statistic: Literal["mean", "median"] = "mean"
    band: Literal["none", "sd", "se", "minmax"] = "sd"
    repeats: Literal["all", "last"] = "all"
    charts: Annotated[list[ChartSpec], Field(max_length=2000, fail_fast=True)]

    @model_validator(mode="after")
    def x_tag_goes_with_its_axis(self) -> "ChartsRequest":
        """Raises ValueError unless `x_tag` is given for the axis 'tag', and only for it."""
        if (self.axis == "tag") != (self.x_tag is not None):
            raise ValueError("x_tag names the tag of the axis 'tag', and goes with no other")
        return self


class StatsRequest(RequestModel):
    """Statistics of whole series."""

    tags: Annotated[list[TagName], Field(max_length=2000, fail_fast=True)]
    runs: Annotated[list[RunId], Field(max_length=100_000, fail_fast=True)] | None = None
    orphans: bool = False


class SeriesStats(ResponseModel):
    """Statistics of the visible points of one series. min, max and mean are those of finite values, NaN without any.

    `held` is the number of points in memory, `superseded` how many of them a restart superseded, `nonfinite` the number
    of visible values that are not finite. `nonfinite_tail` counts those of them at the end of the series, and
    `nonfinite_from` is the step of the first of these.
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


class StatsResponse(ResponseModel):
    """One entry per existing series: tags in the requested order, runs by slot."""

    generation: int
    stats: list[SeriesStats]


class RangeRequest(RequestModel):
    """Statistics between two steps, both included. Null is an open end."""

    tags: Annotated[list[TagName], Field(max_length=2000, fail_fast=True)]
    runs: RunIds | None = None
    first: float | None = None
    last: float | None = None
    orphans: bool = False


class RangeStats(ResponseModel):
    """Statistics of the finite points of one series in a range of steps.

    `slope` is the change per step of the least-squares line (NaN if all points are at one step). If the range ends in
    values that are not finite, `lost_step` and `lost_value` are those of the first of them, else null.
    """

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


class RangeResponse(ResponseModel):
    """One entry per series with a finite point in the range: tags in the requested order, runs by slot."""

    generation: int
    ranges: list[RangeStats]


class SeriesQuery(RequestModel):
    """All points of one series. `run` is the name of the run; `orphans=1` adds points that a restart superseded."""

    run: str
    tag: str
    format: Literal["json", "csv"] = "json"
    orphans: bool = False


class SeriesResponse(ResponseModel):
    """All points as [wall time, step, value], without rounding.

    With `orphans`, a fourth item is 1 if superseded, else 0.
    """

    run: str
    tag: str
    points: list[tuple[Number, int, Number] | tuple[Number, int, Number, int]]
