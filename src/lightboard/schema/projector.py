"""Embeddings: tensors, their metadata and sprites, layouts, nearest neighbours and search.

Positions and columns are also sent in binary; `docs/http.md` describes the formats.
"""

from typing import Annotated, Literal

from pydantic import Field

from lightboard.schema.model import Number, RequestModel, ResponseModel, Whole

Name = Annotated[str, Field(max_length=10_000)]
Row = Annotated[int, Field(ge=0, le=2**32 - 1)]
RowList = Annotated[str, Field(max_length=60_000, pattern=r"^[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*$")]
"""Row numbers and ranges that include both ends, such as `0-99,105`."""


class TensorQuery(RequestModel):
    """One tensor, by the names of its run and of the tensor."""

    run: Name
    name: Name


class ColumnQuery(TensorQuery):
    """One column of the metadata, as numbers or categories. If `form` is null, the kind of the column decides."""

    column: Name
    form: Literal["number", "category"] | None = None
    format: Literal["binary", "json"] = "binary"


class LabelsQuery(TensorQuery):
    """The texts of one column, for the points in `rows` (null = all)."""

    column: Name
    rows: RowList | None = None


class VectorsQuery(TensorQuery):
    """The vectors of the points in `rows` (null = all)."""

    rows: RowList | None = None
    format: Literal["json", "tsv"] = "json"


class ColumnInfo(ResponseModel):
    """A column of the metadata. `distinct` is its number of different texts."""

    name: str
    kind: Literal["number", "category", "text"]
    distinct: int


class MetadataInfo(ResponseModel):
    """The columns of a metadata file and its number of lines.

    Lines beyond the number of points are ignored. Points beyond the number of lines have empty texts.
    """

    columns: list[ColumnInfo]
    lines: int


class SpriteInfo(ResponseModel):
    """The size of a sprite image and of one tile (width, height) in pixels. Tiles are in row-major order."""

    width: int
    height: int
    tile: tuple[int, int]


class TensorInfo(ResponseModel):
    """One tensor. `name` is unique in its run; `tensor` is the writer's name, which is the same at all steps.

    `rows` and `dims` are 0 if it cannot be read. Only the first `held` rows are loaded, which are fewer than `rows`
    only in very large tensors. `problem` says why the tensor cannot be shown, `warning` which of its other files
    (metadata, sprite) cannot be read.
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


class ConfigProblem(ResponseModel):
    """A problem in the projector config of a run."""

    run: str
    problem: str


class MissingMethod(ResponseModel):
    """A layout method that needs a library that is not installed. `hint` is the command to install it."""

    method: Literal["tsne", "umap"]
    hint: str


class TensorList(ResponseModel):
    """All tensors that configs name, ordered by run, by position in the config, and by step."""

    generation: int
    tensors: list[TensorInfo]
    problems: list[ConfigProblem]
    missing: list[MissingMethod]


class ColumnResponse(ResponseModel):
    """One column. A category has the index in `labels` of each point in `codes`; a number column has `values`."""

    kind: Literal["number", "category"]
    labels: list[str] | None
    codes: list[int] | None
    values: list[Number] | None


class LabelsResponse(ResponseModel):
    """One text for each requested point, in the requested order."""

    labels: list[str]


End = Annotated[str, Field(max_length=1000)]
"""A text that labels contain, or a regular expression between slashes. An empty one means the centre of all points."""


class LayoutParams(RequestModel):
    """The parameters of all methods. Each method ignores those of the others.

    All methods: `spherize` shifts points by their mean and scales them to length 1. pca: `components`, numbered from 0,
    one for each dimension. custom: the points at which the axes begin (`left`, `down`) and end (`right`, `up`), by
    their labels in `column`; an axis with neither is a principal component. tsne: `perplexity`, `learning_rate` (null =
    automatic) and `iterations`. umap: `neighbors` and `min_dist`. tsne and umap: `metric`.
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


class LayoutBody(TensorQuery):
    """A layout of the points in `rows` (null = all) in 2 or 3 dimensions."""

    method: Literal["pca", "tsne", "umap", "custom"]
    dims: Literal[2, 3] = 2
    params: Annotated[LayoutParams, Field(default_factory=LayoutParams)]
    rows: Annotated[list[Row], Field(max_length=1_000_000, fail_fast=True)] | None = None


class LayoutResponse(ResponseModel):
    """The state of a layout. `progress` goes from 0 to 1; `frame` counts the positions computed so far.

    Of `total` requested points, `points` are laid out; if there are fewer, they were chosen at random. `rows` are their
    row numbers, only in the response to the request that starts the layout; null if they are all rows of the tensor.
    `variance` is the fraction of the variance of each principal component, at most 10.
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


class PositionsQuery(RequestModel):
    """The positions of a layout. `frame` is the expected frame; the response always has the latest positions."""

    frame: Whole | None = None


class NeighboursRequest(TensorQuery):
    """The `count` points nearest to the point `row`."""

    row: Row
    count: Annotated[int, Field(ge=1, le=1000)] = 20
    metric: Literal["cosine", "euclidean"] = "cosine"


class NeighboursResponse(ResponseModel):
    """The nearest points, closest first, without the point itself. The cosine distance is 1 minus the cosine."""

    rows: list[int]
    distances: list[Number]


class SearchRequest(TensorQuery):
    """Points whose text in `column` contains `query` (case-insensitive), or matches it if `regex`."""

    column: Name
    query: Annotated[str, Field(max_length=1000)]
    regex: bool = False


class SearchResponse(ResponseModel):
    """The first matching rows in ascending order. `total` is the number of all matching rows."""

    rows: list[int]
    total: int


class VectorsResponse(ResponseModel):
    """One vector for each row."""

    rows: list[int]
    vectors: list[list[Number]]
