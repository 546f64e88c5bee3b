"""Texts: single values, and a search over all texts."""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import RequestModel, ResponseModel, RunId, Whole
from lightboard.schema.scalars import RunIds, TagName
from lightboard.schema.values import ValueKey


class TextQuery(RequestModel):
    """One value, by the name of its run, its tag, and its key `at`. At most `most` bytes of text are returned.

    `slice` selects one of the tables of a tensor with more than two dimensions. With `markdown`, the cells are rendered
    to sanitised HTML, from at most 65,536 bytes of text.
    """

    run: str
    tag: TagName
    at: ValueKey
    form: Literal["raw", "markdown"] = "raw"
    most: Annotated[int, Field(ge=1, le=4 << 20)] = 65_536
    slice: Whole = 0


class TextDataQuery(RequestModel):
    """One string of one value, by its index `cell`. With `save`, browsers download it instead of displaying it."""

    run: str
    tag: TagName
    at: ValueKey
    cell: Whole = 0
    save: bool = False


class TextValue(ResponseModel):
    """The strings of a value in row-major order, as text or as HTML.

    `shape` is that of the tensor; [] is a single text. Table `slice` of `slices` has `rows` x `columns` strings. If
    `cut`, `cells` has fewer strings, and the last one may be truncated. `size` is the number of bytes of all strings of
    the table. If `plain`, some cells are plain text although HTML was requested, because rendering their Markdown would
    take too long.
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


class TextMark(RequestModel):
    """One value, by its tag, the id of its run, and its key `at`."""

    tag: TagName
    run: RunId
    at: ValueKey


class TextSearchRequest(RequestModel):
    """A search for a text, or with `regex` for a regular expression, in `tags` and `runs` (null = all).

    `case` makes it case-sensitive. To continue a search, set `after` to `last` of the previous response.
    """

    pattern: Annotated[str, Field(min_length=1, max_length=1000)]
    regex: bool = False
    case: bool = False
    tags: Annotated[list[TagName], Field(max_length=2000, fail_fast=True)] | None = None
    runs: RunIds | None = None
    orphans: bool = False
    after: TextMark | None = None
    most: Annotated[int, Field(ge=1, le=1000)] = 200


class TextHit(ResponseModel):
    """A value with `matches` matches.

    `before`, `match` and `after` are the text around the first one, in the string with index `cell` of the value.
    """

    tag: str
    run: RunId
    at: str
    step: int
    cell: int
    matches: int
    before: str
    match: str
    after: str


class SearchPosition(ResponseModel):
    """The value that was searched last."""

    tag: str
    run: RunId
    at: str


class TextSearchResponse(ResponseModel):
    """The hits of one request, which takes a limited time.

    `searched` of `total` values were searched so far. `last` is the value to continue after, null once all are
    searched. If `pattern_given_up`, the value searched last was skipped because the pattern took too long.
    """

    hits: list[TextHit]
    searched: int
    total: int
    last: SearchPosition | None
    pattern_given_up: bool
