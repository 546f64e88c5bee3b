"""Texts: one value to look at, and what a search over all of them found."""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import Answer, Question, RunId, Whole
from lightboard.schema.scalars import RunIds, TagName
from lightboard.schema.values import ValueKey


class TextQuery(Question):
    """One value: run by name, tag, key. `most` bytes are enough; `slice` chooses among the tables of a pile of them.

    With `markdown` the cells are sanitised HTML, of at most 65,536 bytes of text.
    """

    run: str
    tag: TagName
    at: ValueKey
    form: Literal["raw", "markdown"] = "raw"
    most: Annotated[int, Field(ge=1, le=4 << 20)] = 65_536
    slice: Whole = 0


class TextDataQuery(Question):
    """One string of one value, by its number; with `save` the browser keeps it."""

    run: str
    tag: TagName
    at: ValueKey
    cell: Whole = 0
    save: bool = False


class TextValue(Answer):
    """The strings of a value row by row, as text or as HTML. `shape` is the tensor's: [] is one text.

    Table number `slice` of `slices` has `rows` and `columns`; `cells` may be fewer and the last one `cut` short. `size`
    counts the bytes of all strings of the table. `plain`: some cells are the text as it was written, although HTML was
    asked for, since their Markdown would take too long to render.
    """

    shape: list[int]
    slice: int
    slices: int
    rows: int
    columns: int
    cells: list[str]
    size: int
    cut: bool
    plain: bool


class TextMark(Question):
    """One value: tag, id of the run, key."""

    tag: TagName
    run: RunId
    at: ValueKey


class TextSearch(Question):
    """Look for `pattern`, a word or with `regex` a regular expression, in `tags` and `runs` (null = all).

    `after` is the `last` of the answer before, to go on from there.
    """

    pattern: Annotated[str, Field(min_length=1, max_length=1000)]
    regex: bool = False
    case: bool = False
    tags: Annotated[list[TagName], Field(max_length=2000, fail_fast=True)] | None = None
    runs: RunIds | None = None
    orphans: bool = False
    after: TextMark | None = None
    most: Annotated[int, Field(ge=1, le=1000)] = 200


class TextHit(Answer):
    """A value that matches: `matches` places, and the first with what is around it. `cell` counts its strings."""

    tag: str
    run: RunId
    at: str
    step: int
    cell: int
    matches: int
    before: str
    match: str
    after: str


class LastSearched(Answer):
    """The value that was searched last."""

    tag: str
    run: RunId
    at: str


class TextFound(Answer):
    """What was found in a bounded time: `searched` of `total` values are done, `last` is where to go on, null at the
    end. `pattern_given_up`: the pattern took too long on a value, which was passed over.
    """

    hits: list[TextHit]
    searched: int
    total: int
    last: LastSearched | None
    pattern_given_up: bool
