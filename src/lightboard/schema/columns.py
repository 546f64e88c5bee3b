"""Columns of the run table: one statistic of one tag for all runs."""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import Number, RequestModel, ResponseModel, RunId
from lightboard.schema.scalars import TagName

Stat = Literal["first", "last", "min", "max", "mean", "min_step", "max_step", "last_step", "points"]


class ColumnSpec(RequestModel):
    """A statistic of the visible points of a tag. min, max and mean are those of the finite values."""

    tag: TagName
    stat: Stat


class ColumnsRequest(RequestModel):
    """Several columns for all runs. `orphans` includes points that a restart superseded."""

    columns: Annotated[list[ColumnSpec], Field(max_length=1000, fail_fast=True)]
    orphans: bool = False


class ColumnsResponse(ResponseModel):
    """The columns in the requested order, each with one value per run. `runs` are the ids of all runs, by slot.

    A value is null if the run has no such scalar or no such step, and NaN if the scalar has no finite value.
    """

    generation: int
    runs: list[RunId]
    columns: list[list[Number | None]]
