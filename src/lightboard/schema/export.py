"""Exports of many series."""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import RequestModel, RunId
from lightboard.schema.scalars import TagName


class ExportSeries(RequestModel):
    """The series of `tag` in `runs` (null = all runs that have it)."""

    tag: TagName
    runs: Annotated[list[RunId], Field(max_length=100_000, fail_fast=True)] | None = None


class ExportFile(RequestModel):
    """A file that is added to the archive unchanged. Slashes in its name separate folders."""

    name: Annotated[str, Field(min_length=1, max_length=1000, pattern="[^/]")]
    text: str


class ExportRequest(RequestModel):
    """An export of series as one table or document, or with `archive` as a ZIP with a file per series and `files`.

    `name` is the file name of the download without extension. `orphans` adds points that a restart superseded.
    """

    series: Annotated[list[ExportSeries], Field(max_length=100_000, fail_fast=True)]
    format: Literal["csv", "json"] = "csv"
    archive: bool = False
    files: Annotated[list[ExportFile], Field(default_factory=list, max_length=10_000, fail_fast=True)]
    orphans: bool = False
    name: Annotated[str, Field(max_length=1000)] = "scalars"
