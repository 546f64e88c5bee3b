"""Tags of one kind over all runs, and how many tags there are of each kind."""

from pydantic import Field

from lightboard.schema.model import Answer, Question, RunId


class TagsQuery(Question):
    """Which kind; without one the answer only counts.

    `filter` is a part of a tag, in any case; `limit` and `offset` cut a page out of what it leaves. `after` is the last
    tag of the page before: pages that are asked for so fit together whatever comes and goes meanwhile.
    """

    plugin: str | None = None
    filter: str = Field(default="", max_length=1024)
    limit: int | None = Field(default=None, ge=1, le=1_000_000)
    offset: int = Field(default=0, ge=0, le=2**53)
    after: str | None = None


class Tag(Answer):
    """One tag. `description` is sanitised HTML, empty if no writer gave one."""

    tag: str
    plugin: str
    display_name: str
    description: str
    runs: list[RunId]


class TagList(Answer):
    """Tags of one kind in natural order. `total` counts those that the filter leaves."""

    generation: int
    total: int
    tags: list[Tag]


class PluginCounts(Answer):
    """Number of distinct tags of each kind that the log holds."""

    generation: int
    plugins: dict[str, int]
