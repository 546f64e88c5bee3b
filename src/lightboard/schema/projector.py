"""Embeddings: which there are, what goes with them, their layouts and what else can be asked of them.

Positions and columns also travel as bytes; their layouts are in `docs/http.md`.
"""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import Answer, Number, Question, Whole

Name = Annotated[str, Field(max_length=10_000)]
Row = Annotated[int, Field(ge=0, le=2**32 - 1)]
RowList = Annotated[str, Field(max_length=60_000, pattern=r"^[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*$")]
"""Row numbers and ranges, both ends included: `0-99,105`."""


class TensorQuery(Question):
    """One tensor, by the name of its run and its own."""

    run: Name
    name: Name


class ColumnQuery(TensorQuery):
    """One column of the metadata: as numbers, as categories, or (null) as what it is."""

    column: Name
    form: Literal["number", "category"] | None = None
    format: Literal["binary", "json"] = "binary"


class LabelsQuery(TensorQuery):
    """The texts of one column; of all points without `rows`."""

    column: Name
    rows: RowList | None = None


class VectorsQuery(TensorQuery):
    """Vectors to take away; of all points without `rows`."""

    rows: RowList | None = None
    format: Literal["json", "tsv"] = "json"


class ColumnInfo(Answer):
    """A column of the metadata; `distinct` is how many different texts it has."""

    name: str
    kind: Literal["number", "category", "text"]
    distinct: int


class MetadataInfo(Answer):
    """The columns, and how many lines the file has: of too many the first count, points too many have empty texts."""

    columns: list[ColumnInfo]
    lines: int


class SpriteInfo(Answer):
    """Size of the picture and of one tile (width, height), in pixels; tiles stand row by row."""

    width: int
    height: int
    tile: tuple[int, int]


class TensorInfo(Answer):
    """One tensor. `name` is unique in its run; `tensor` is its writer's name for it, the same at all steps.

    `rows` and `dims` are 0 where it cannot be read. `held` is how many of the rows are worked with, the first ones:
    fewer than all only in very large tensors. `problem` says why it cannot be shown; `warning` what cannot be read of
    the things that go with it.
    """

    run: str
    name: str
    tensor: str
    step: int | None
    rows: int
    held: int
    dims: int
    metadata: MetadataInfo | None
    sprite: SpriteInfo | None
    bookmarks: bool
    problem: str | None
    warning: str | None


class ConfigProblem(Answer):
    """What is wrong with the config of a run."""

    run: str
    problem: str


class MissingMethod(Answer):
    """A method that needs a library which is not installed, and the command that would bring it."""

    method: Literal["tsne", "umap"]
    hint: str


class TensorList(Answer):
    """Every tensor that a config names, by run, in the order of the configs, steps upwards."""

    generation: int
    tensors: list[TensorInfo]
    problems: list[ConfigProblem]
    missing: list[MissingMethod]


class ColumnAnswer(Answer):
    """One column. As a category each point has the number of its label in `codes`; else its number in `values`."""

    kind: Literal["number", "category"]
    labels: list[str] | None
    codes: list[int] | None
    values: list[Number] | None


class LabelsAnswer(Answer):
    """One text for each point asked for, in the order asked."""

    labels: list[str]


End = Annotated[str, Field(max_length=1000)]
"""A text that labels contain, or a pattern between slashes; empty is the middle of all points."""


class LayoutParams(Question):
    """What a method can be told; each takes what concerns it.

    All: `spherize` (shift to the mean, scale to length 1). pca: `components`, from 0, one for each dimension. custom:
    the points where the axes begin and end, by their labels in `column`; an axis without both is a principal component.
    tsne: `perplexity`, `learning_rate` (null chooses), `iterations`. umap: `neighbors`, `min_dist`. Both: `metric`.
    """

    spherize: bool = False
    components: Annotated[list[Annotated[int, Field(ge=0, le=9)]], Field(max_length=3, fail_fast=True)] | None = None
    column: Name = ""
    left: End = ""
    right: End = ""
    up: End = ""
    down: End = ""
    perplexity: Annotated[float, Field(ge=1, le=1000)] = 30
    learning_rate: Annotated[float, Field(gt=0, le=1e6)] | None = None
    iterations: Annotated[int, Field(ge=50, le=5000)] = 500
    neighbors: Annotated[int, Field(ge=2, le=200)] = 15
    min_dist: Annotated[float, Field(ge=0, le=1)] = 0.1
    metric: Literal["cosine", "euclidean"] = "euclidean"


class LayoutQuestion(TensorQuery):
    """A layout of the points in 2 or 3 dimensions; of those in `rows`, or of all."""

    method: Literal["pca", "tsne", "umap", "custom"]
    dims: Literal[2, 3] = 2
    params: Annotated[LayoutParams, Field(default_factory=LayoutParams)]
    rows: Annotated[list[Row], Field(max_length=1_000_000, fail_fast=True)] | None = None


class LayoutAnswer(Answer):
    """How far a layout is. `progress` goes from 0 to 1; `frame` counts the positions that came so far.

    `points` are laid out of `total` asked for; where they are fewer they were chosen at random. `rows` are their
    numbers, told when a layout is asked for, null where they are all of the tensor and later. `variance` has the share
    of each principal component, up to 10.
    """

    id: str
    method: Literal["pca", "tsne", "umap", "custom"]
    state: Literal["queued", "running", "done", "failed", "cancelled"]
    progress: float
    frame: int
    points: int
    total: int
    rows: list[int] | None
    variance: list[float] | None
    message: str


class PositionsQuery(Question):
    """`frame` is the one expected; the answer is always the last there is."""

    frame: Whole | None = None


class NeighboursQuestion(TensorQuery):
    """The `count` points nearest to the point `row`."""

    row: Row
    count: Annotated[int, Field(ge=1, le=1000)] = 20
    metric: Literal["cosine", "euclidean"] = "cosine"


class NeighboursAnswer(Answer):
    """Nearest first, the point itself left out. Cosine distance is 1 minus the cosine."""

    rows: list[int]
    distances: list[Number]


class SearchQuestion(TensorQuery):
    """Points whose text in `column` contains `query`, whatever its case, or in which the pattern is found."""

    column: Name
    query: Annotated[str, Field(max_length=1000)]
    regex: bool = False


class SearchAnswer(Answer):
    """The first rows that match, in order, and how many match in all."""

    rows: list[int]
    total: int


class VectorsAnswer(Answer):
    """One list of numbers for each row."""

    rows: list[int]
    vectors: list[list[Number]]
