"""Scalar series: questions about charts and statistics, and answers in JSON.

The answer of a chart is binary; its layout is described in `docs/http.md` and made in `query.scalars`.
"""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import Answer, Number, Question, RunId

Axis = Literal["step", "relative", "wall"]
TagName = Annotated[str, Field(max_length=100_000)]


class ChartQuestion(Question):
    """One chart: a tag, the runs to draw (null = all that have it) and the x range (null = open end)."""

    tag: TagName
    runs: Annotated[list[RunId], Field(max_length=100_000)] | None = None
    x0: float | None = None
    x1: float | None = None


class ChartsQuestion(Question):
    """Several charts of the same width. `px` is the width of the drawing in device pixels.

    x is in steps, in seconds since the first visible point (relative) or in epoch seconds (wall). `aux` asks for
    the other coordinate of each point, `orphans` for points that a restart superseded.
    """

    axis: Axis = "step"
    px: Annotated[int, Field(ge=8, le=4000)]
    smoothing: Annotated[float, Field(ge=0, le=0.999)] = 0.0
    aux: bool = False
    orphans: bool = False
    charts: Annotated[list[ChartQuestion], Field(max_length=2000)]


class StatsQuestion(Question):
    """Statistics of whole series."""

    tags: Annotated[list[TagName], Field(max_length=2000)]
    runs: Annotated[list[RunId], Field(max_length=100_000)] | None = None
    orphans: bool = False


class SeriesStats(Answer):
    """Statistics of one series over its visible points; min, max and mean over the finite ones (NaN if none)."""

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


class StatsAnswer(Answer):
    """One entry per series that exists, tags in the order asked, runs by slot."""

    generation: int
    stats: list[SeriesStats]


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
