"""Columns of the run table: one figure of one tag for every run."""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import Answer, Number, Question, RunId
from lightboard.schema.scalars import TagName

Stat = Literal["first", "last", "min", "max", "mean", "min_step", "max_step", "last_step", "points"]


class ColumnQuestion(Question):
    """A figure of a tag's visible points; min, max and mean are over the finite ones."""

    tag: TagName
    stat: Stat


class ColumnsQuestion(Question):
    """Several columns, for all runs; `orphans` counts points in that a restart superseded."""

    columns: Annotated[list[ColumnQuestion], Field(max_length=1000, fail_fast=True)]
    orphans: bool = False


class ColumnsAnswer(Answer):
    """`columns` in the order asked, each with one value for each of `runs`, which are all runs by slot.

    Null where the run has no such scalar, or no such step; NaN where no value is finite.
    """

    generation: int
    runs: list[RunId]
    columns: list[list[Number | None]]
