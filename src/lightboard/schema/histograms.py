"""Histograms: maps of a tag over steps, single histograms, and whole series.

Maps are sent in a binary format, which `docs/http.md` describes and `query.histogrammaps` encodes.
"""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import Number, RequestModel, ResponseModel, Step
from lightboard.schema.scalars import RunIds, TagName


class MapRequest(RequestModel):
    """The histograms of a tag over steps, downsampled to `columns` x `rows` cells for each of `runs` (null = all).

    `range` is the range of values: all of it (full), or without the outermost 0.5 % of the mass at both ends (robust).
    If `shared`, all runs have one range, computed from `range_runs` (null = `runs`). If there are more steps than
    columns, a column is the mean of neighbouring steps, or one of them with `thin` pick; the step nearest to `kept` is
    always picked. `depth` is the number of bits of a cell. `axis`, `x0` and `x1` are as in charts.
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


class HistogramQuery(RequestModel):
    """One histogram of a tag: by its key `at`, or the one nearest to `step`, or else the last one.

    `run` is the name of the run.
    """

    run: str
    tag: str
    at: Annotated[str, Field(max_length=100)] | None = None
    step: Step | None = None
    orphans: bool = False


class HistogramResponse(ResponseModel):
    """One histogram as it was written: [left edge, right edge, count] of each bucket.

    It has `held` buckets. In very long histograms, each row is the sum of `merged` neighbouring buckets.
    """

    run: str
    tag: str
    key: str
    step: int
    wall: Number
    held: int
    merged: int
    buckets: list[tuple[Number, Number, Number]]


class HistogramsQuery(RequestModel):
    """All histograms of one series. `run` is the name of the run; `orphans=1` adds those that a restart superseded."""

    run: str
    tag: str
    format: Literal["json", "csv"] = "json"
    orphans: bool = False


class HistogramsResponse(ResponseModel):
    """All histograms as [wall time, step, [[left edge, right edge, count], ...]], without rounding."""

    run: str
    tag: str
    histograms: list[tuple[Number, int, list[tuple[Number, Number, Number]]]]
