"""Tags of one kind over all runs, and the number of tags of each kind."""

from pydantic import Field

from lightboard.schema.model import RequestModel, ResponseModel, RunId


class TagsQuery(RequestModel):
    """Selects tags of the kind `plugin`. Without it, the response is only the number of tags of each kind.

    `filter` is a part of the tag (case-insensitive); `limit` and `offset` select a page of the matching tags. With
    `after`, the last tag of the previous page, pages have no gaps or duplicates even if tags are added or removed
    meanwhile.
    """

    plugin: str | None = None
    filter: str = Field(default="", max_length=1024)
    limit: int | None = Field(default=None, ge=1, le=1_000_000)
    offset: int = Field(default=0, ge=0, le=2**53)
    after: str | None = None


class Tag(ResponseModel):
    """One tag. `description` is sanitised HTML, empty if no writer gave one."""

    tag: str
    plugin: str
    display_name: str
    description: str
    runs: list[RunId]


class TagList(ResponseModel):
    """Tags of one kind in natural order. `total` is the number of matching tags."""

    generation: int
    total: int
    tags: list[Tag]


class PluginCounts(ResponseModel):
    """The number of distinct tags of each kind in the logs."""

    generation: int
    plugins: dict[str, int]
