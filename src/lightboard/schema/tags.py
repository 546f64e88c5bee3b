"""Tags of one kind over all runs, and how many tags there are of each kind."""

from lightboard.schema.model import Answer, Question, RunId


class TagsQuery(Question):
    """Which kind; without one the answer only counts."""

    plugin: str | None = None


class Tag(Answer):
    """One tag. `description` is sanitised HTML, empty if no writer gave one."""

    tag: str
    plugin: str
    display_name: str
    description: str
    runs: list[RunId]


class TagList(Answer):
    """Tags of one kind in natural order."""

    generation: int
    tags: list[Tag]


class PluginCounts(Answer):
    """Number of distinct tags of each kind that the log holds."""

    generation: int
    plugins: dict[str, int]
