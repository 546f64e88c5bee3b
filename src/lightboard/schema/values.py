"""Values of all kinds other than scalars: their steps, and the keys that identify them."""

from typing import Annotated

from pydantic import Field

from lightboard.schema.model import Number, RequestModel, ResponseModel, RunId
from lightboard.schema.scalars import RunIds, TagName

PluginName = Annotated[str, Field(max_length=1000)]
ValueKey = Annotated[str, Field(max_length=100)]


class ValuesRequest(RequestModel):
    """Series of one kind: those of `tags` (null = all) in `runs` (null = all).

    `orphans` adds values that a restart superseded.
    """

    plugin: PluginName
    tags: Annotated[list[TagName], Field(max_length=2000, fail_fast=True)] | None = None
    runs: RunIds | None = None
    orphans: bool = False


class ValueSeries(ResponseModel):
    """The values of one tag of one run. Each list has one item per value.

    `walls` are in seconds since the epoch, `sizes` in bytes of the file. A key identifies its value as long as the file
    exists.
    """

    tag: str
    run: RunId
    steps: list[int]
    walls: list[Number]
    sizes: list[int]
    keys: list[str]


class ValuesResponse(ResponseModel):
    """One entry per existing series, ordered by tag in natural order, then by slot."""

    generation: int
    series: list[ValueSeries]


class ValueSteps(ResponseModel):
    """The distinct steps of several series in ascending order."""

    generation: int
    steps: list[int]


class ValueQuery(RequestModel):
    """One value, by its kind, the name of its run, its tag, and its key `at`."""

    plugin: PluginName
    run: str
    tag: str
    at: ValueKey


class ValuePreview(ResponseModel):
    """A preview of one value. `what` is "tensor", "image", "histogram", "audio", "number" or "nothing".

    `dtype` and `shape` are those of a tensor, `numbers` or `strings` its first items in row-major order.
    """

    what: str
    dtype: str
    shape: list[int]
    numbers: list[Number]
    strings: list[str]
