"""What to take away."""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import Question, RunId
from lightboard.schema.scalars import TagName


class ExportSeries(Question):
    """A tag, and the runs whose series to take (null = all that have it)."""

    tag: TagName
    runs: Annotated[list[RunId], Field(max_length=100_000, fail_fast=True)] | None = None


class ExportFile(Question):
    """A file that goes into the archive as it is; `/` in its name makes folders."""

    name: Annotated[str, Field(min_length=1, max_length=1000, pattern="[^/]")]
    text: str


class ExportQuestion(Question):
    """One long table or document, or with `archive` a ZIP of a file for each series and the given `files`.

    `name` is what the download is called, without ending; `orphans` adds points that a restart superseded.
    """

    series: Annotated[list[ExportSeries], Field(max_length=100_000, fail_fast=True)]
    format: Literal["csv", "json"] = "csv"
    archive: bool = False
    files: Annotated[list[ExportFile], Field(default_factory=list, max_length=10_000, fail_fast=True)]
    orphans: bool = False
    name: Annotated[str, Field(max_length=1000)] = "scalars"
