"""Histograms: questions about maps of a tag, one histogram, and a whole series.

The answer of a map is binary; its layout is described in `docs/http.md` and made in `query.histogrammaps`.
"""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import Answer, Number, Question, Step
from lightboard.schema.scalars import RunIds, TagName


class MapQuestion(Question):
    """The histograms of a tag over steps, cut to `columns` x `rows` for each run (null = all that have it).

    `range` is that of the values: without the outermost half percent of mass at either end, or all of it; `shared` by
    `range_runs` (null = those that are drawn). Where there are more steps than columns, `thin` says whether a column is
    the mean of its steps or one step is picked for each, that nearest to `kept` among them. `depth`: bits of a cell. x
    as in charts.
    """

    tag: TagName
    runs: RunIds | None = None
    columns: Annotated[int, Field(ge=1, le=2000)]
    rows: Annotated[int, Field(ge=4, le=512)]
    range: Literal["robust", "full"] = "robust"
    shared: bool = True
    range_runs: RunIds | None = None
    thin: Literal["mean", "pick"] = "mean"
    kept: Step | None = None
    depth: Literal[8, 16] = 8
    axis: Literal["step", "relative", "wall"] = "step"
    x0: float | None = None
    x1: float | None = None
    orphans: bool = False


class HistogramQuery(Question):
    """One histogram: by its key, or the one nearest to a step, or the last. `run` is the name."""

    run: str
    tag: str
    at: Annotated[str, Field(max_length=100)] | None = None
    step: Step | None = None
    orphans: bool = False


class HistogramAnswer(Answer):
    """One histogram as it was written: [left edge, right edge, count] of each bucket. Of a very long one each row is
    `merged` neighbours together; `held` is how many buckets it has."""

    run: str
    tag: str
    key: str
    step: int
    wall: Number
    held: int
    merged: int
    buckets: list[tuple[Number, Number, Number]]


class HistogramsQuery(Question):
    """A series of histograms, whole. `run` is the name; `orphans=1` adds those that a restart superseded."""

    run: str
    tag: str
    format: Literal["json", "csv"] = "json"
    orphans: bool = False


class HistogramsAnswer(Answer):
    """Every histogram as [wall time, step, [[left edge, right edge, count], ...]], exact."""

    run: str
    tag: str
    histograms: list[tuple[Number, int, list[tuple[Number, Number, Number]]]]
