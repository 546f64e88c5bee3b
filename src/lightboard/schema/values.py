"""Values that are no scalars: which there are, under which names they can be asked for."""

from typing import Annotated

from pydantic import Field

from lightboard.schema.model import Answer, Number, Question, RunId
from lightboard.schema.scalars import RunIds, TagName

PluginName = Annotated[str, Field(max_length=1000)]
ValueKey = Annotated[str, Field(max_length=100)]


class ValuesQuestion(Question):
    """Series of one kind: those of `tags` (null = all) in `runs` (null = all). `orphans` adds superseded values."""

    plugin: PluginName
    tags: Annotated[list[TagName], Field(max_length=2000, fail_fast=True)] | None = None
    runs: RunIds | None = None
    orphans: bool = False


class ValueSeries(Answer):
    """The values of one tag of one run, one item each: step, wall time in seconds, size in bytes in the file, and the
    key by which it can be asked for as long as its file stands."""

    tag: str
    run: RunId
    steps: list[int]
    walls: list[Number]
    sizes: list[int]
    keys: list[str]


class ValuesAnswer(Answer):
    """One entry per series that exists, tags in natural order, runs by slot."""

    generation: int
    series: list[ValueSeries]


class ValueSteps(Answer):
    """All steps of several series in ascending order, without repeats."""

    generation: int
    steps: list[int]


class ValueQuery(Question):
    """One value as it lies in the file: run by name, tag, kind, key."""

    plugin: PluginName
    run: str
    tag: str
    at: ValueKey


class ValuePreview(Answer):
    """What a value holds: `what` is "tensor", "image", "histogram", "audio", "number" or "nothing"; `dtype` and `shape`
    are a tensor's, `numbers` and `strings` its first items in row-major order."""

    what: str
    dtype: str
    shape: list[int]
    numbers: list[Number]
    strings: list[str]
