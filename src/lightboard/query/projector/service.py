"""Embeddings of a board: the public interface of this package. Thread-safe. Knows nothing about HTTP and JSON."""

import hashlib
import importlib.util
import json
import threading
import time
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from lightboard.errors import BadRequest, NotFound, Unshowable
from lightboard.events.image_types import ImageType
from lightboard.lru_cache import LruCache
from lightboard.query.projector import custom, pca, points, search, sprite
from lightboard.query.projector.entries import Entry, EntryList, list_entries
from lightboard.query.projector.folder import File, open_file
from lightboard.query.projector.layouts import Job, Layout, Layouts, Rows
from lightboard.query.projector.matrix import Matrix, Size
from lightboard.query.projector.metadata import MAX_FILE_BYTES, Metadata, parse_metadata
from lightboard.query.projector.neighbours import Metric, Neighbours, neighbours
from lightboard.query.projector.tables import Tables, stamp_of
from lightboard.query.provider import IndexProvider

Method = Literal["pca", "tsne", "umap", "custom"]

LISTED_SECS = 1.0
"""How long a list of tensors is cached without a known change: a new checkpoint may cause no event."""

MAX_METADATA_BYTES = 256 << 20
MAX_COMPONENT_BYTES = 64 << 20
"""Limits of cached metadata and principal components."""

MAX_BOOKMARKS_BYTES = 16 << 20

MAX_POINTS = {("tsne", 2): 50_000, ("tsne", 3): 20_000, ("umap", 2): 250_000, ("umap", 3): 250_000}
"""Limit of the points of a layout, which takes a few minutes on two cores. Larger tables are sampled at random."""

WIDE_DIMS = 128
NARROW_DIMS = 50
"""Vectors with more dimensions than the first are reduced to the second by PCA before t-SNE and UMAP."""

NEEDS = {"tsne": "openTSNE", "umap": "umap"}
INSTALL = "pip install 'lightboard[projector]'"


class LayoutRequest(NamedTuple):
    """A requested layout of the points `rows` (None: all). `params` are the parameters of t-SNE or UMAP.

    `axes` define a custom projection: for each axis, what the labels in `column` match at its start and at its end,
    either text that they contain or a regular expression between slashes.
    """

    method: Method
    dims: int
    params: dict[str, float]
    rows: Sequence[int] | None = None
    components: Sequence[int] = ()
    column: str = ""
    axes: tuple[tuple[str, str], ...] = ()
    spherize: bool = False
    metric: Metric = "euclidean"


class ProjectorService:
    """Reads the files named in the projector configs of `provider`. `layouts` runs long computations."""

    def __init__(self, provider: IndexProvider, layouts: Layouts | None = None) -> None:
        self.layouts = layouts or Layouts()
        self.tables = Tables()
        self._provider = provider
        self._metadata: LruCache[Metadata] = LruCache(MAX_METADATA_BYTES, lambda metadata: metadata.bytes)
        self._components: LruCache[pca.Components] = LruCache(MAX_COMPONENT_BYTES, lambda result: result.scores.nbytes)
        self._listing = threading.Lock()
        self._listed: tuple[int, float, EntryList] | None = None

    def close(self) -> None:
        """Stop background work."""
        self.layouts.close()

    def found(self) -> EntryList:
        """All tensors, and the errors of configs."""
        with self._listing:
            now, generation, listed = time.monotonic(), self._provider.generation, self._listed
            if listed is None or listed[0] != generation or now - listed[1] > LISTED_SECS:
                listed = generation, now, list_entries(list(self._provider.assets()), self.tables)
                self._listed = listed
            return listed[2]

    def entry(self, run: str, name: str) -> Entry:
        """The tensor of this name; if the name has no step, its last one. Raises NotFound."""
        entries = [entry for entry in self.found().entries if entry.run == run]
        exact = [entry for entry in entries if entry.name == name]
        for entry in exact or [entry for entry in reversed(entries) if entry.tensor == name]:
            return entry
        raise NotFound(f"run {run!r} has no tensor {name!r}", hint="/api/v1/projector lists them")

    def missing(self) -> dict[str, str]:
        """Methods whose packages are not installed, and how to install them."""
        return {method: INSTALL for method, module in NEEDS.items() if importlib.util.find_spec(module) is None}

    def metadata(self, entry: Entry) -> Metadata | None:
        """The metadata of the points, or None if the config names none. Raises Unshowable."""
        if not entry.embedding.metadata_path:
            return None
        file = open_file(entry.folder, entry.embedding.metadata_path)
        rows = self.tables.size(entry).held
        return self._metadata.get((*stamp_of(file), rows), lambda: parse_metadata(file.all(MAX_FILE_BYTES), rows))

    def sprite(self, entry: Entry) -> tuple[File, ImageType] | None:
        """The sprite image and its type, or None if the config names none. Raises Unshowable."""
        if entry.embedding.sprite is None:
            return None
        file = open_file(entry.folder, entry.embedding.sprite.path)
        return file, sprite.picture_of(file)

    def bookmarks(self, entry: Entry) -> bytes:
        """The bookmarks file, a JSON list. Raises NotFound, Unshowable."""
        if not entry.embedding.bookmarks_path:
            raise NotFound(f"tensor {entry.name!r} has no bookmarks")
        data = open_file(entry.folder, entry.embedding.bookmarks_path).all(MAX_BOOKMARKS_BYTES)
        try:
            bookmarks = json.loads(data)
        except (ValueError, RecursionError):
            bookmarks = None
        if not isinstance(bookmarks, list):
            raise Unshowable("the bookmarks are not a JSON list")
        return data

    def size(self, entry: Entry) -> Size:
        """The number of rows and columns. Raises Unshowable."""
        return self.tables.size(entry)

    def neighbours(self, entry: Entry, row: int, count: int, metric: Metric) -> Neighbours:
        """The nearest neighbours of a point. Raises BadRequest, Unshowable."""
        matrix = self.tables.rows(entry)
        check_rows([row], len(matrix))
        return neighbours(matrix, row, count, metric)

    def search(self, entry: Entry, column: str, query: str, *, regex: bool) -> search.Matches:
        """The points whose metadata match. Raises BadRequest, Unshowable."""
        return search.search(self._some_metadata(entry).column(column), query, regex=regex)

    def labels(self, entry: Entry, column: str, rows: Sequence[int] | None) -> list[str]:
        """The labels of these points (None: of all) in a metadata column. Raises BadRequest, Unshowable."""
        cells = self._some_metadata(entry).column(column)
        codes = cells.codes
        if rows is not None:
            check_rows(rows, len(codes))
            codes = codes[list(rows)]
        return [cells.labels[code] for code in codes.tolist()]

    def vectors(self, entry: Entry, rows: Sequence[int]) -> Matrix:
        """The original vectors of these rows. Raises BadRequest, Unshowable."""
        matrix = self.tables.rows(entry)
        check_rows(rows, len(matrix))
        picked: Matrix = matrix[list(rows)]
        return picked

    def _some_metadata(self, entry: Entry) -> Metadata:
        metadata = self.metadata(entry)
        if metadata is None:
            raise Unshowable(f"tensor {entry.name!r} has no metadata")
        return metadata

    def lay_out(self, entry: Entry, request: LayoutRequest) -> Layout:
        """The requested layout: cached, computed now, or queued. Raises BadRequest, Unshowable."""
        name = self._id(entry, request)
        existing = self.layouts.find(name)
        if existing is not None:
            return existing
        if request.method in NEEDS:
            return self._queue(name, entry, request)
        return self.layouts.put(self._compute(name, entry, request))

    def _id(self, entry: Entry, request: LayoutRequest) -> str:
        key = repr((self.tables.stamp(entry), entry.embedding.metadata_path, request))
        return hashlib.sha256(key.encode("utf-8", "backslashreplace")).hexdigest()[:24]

    def _compute(self, name: str, entry: Entry, request: LayoutRequest) -> Layout:
        matrix = self.tables.rows(entry)
        rows = as_rows(request.rows, len(matrix))
        layout = Layout(name, "done", request.method, len(matrix) if rows is None else len(rows), rows, 1.0, 1)
        if request.method == "custom":
            positions = self._projected(entry, matrix, request)
            return finished_layout(layout, positions if rows is None else positions[rows])
        components = self._principal(entry, matrix, rows, request)
        scores = columns_of(components.scores, list(request.components) or list(range(request.dims)))
        return finished_layout(layout, scores, tuple(components.variance))

    def _principal(self, entry: Entry, matrix: Matrix, rows: Rows | None, request: LayoutRequest) -> pca.Components:
        key = (self.tables.stamp(entry), None if rows is None else rows.tobytes(), request.spherize)
        return self._components.get(key, lambda: pca.components(prepared(matrix, rows, request)))

    def _projected(self, entry: Entry, matrix: Matrix, request: LayoutRequest) -> Matrix:
        """All points projected on the requested axes. An undefined axis is a principal component."""
        defined = [(index, pair) for index, pair in enumerate(request.axes[: request.dims]) if any(pair)]
        positions = columns_of(self._principal(entry, matrix, None, request).scores, list(range(request.dims)))
        if defined:
            ends = [[self._rows_at(entry, request.column, query) for query in pair] for _, pair in defined]
            axes = [custom.Axis(begin, end, pair) for (begin, end), (_, pair) in zip(ends, defined, strict=True)]
            positions[:, [index for index, _ in defined]] = custom.project(prepared(matrix, None, request), axes)
        return positions

    def _rows_at(self, entry: Entry, column: str, query: str) -> Sequence[int] | None:
        if not query:
            return None
        pattern = query[1:-1] if len(query) > 2 and query[0] == query[-1] == "/" else ""
        return search.rows_with(self._some_metadata(entry).column(column), pattern or query, regex=bool(pattern))

    def _queue(self, name: str, entry: Entry, request: LayoutRequest) -> Layout:
        if request.method in self.missing():
            raise Unshowable(f"{NEEDS[request.method]} is not installed", hint=self.missing()[request.method])
        count = self.tables.size(entry).held
        requested = as_rows(request.rows, count)
        total = count if requested is None else len(requested)
        if total < 4:
            raise BadRequest("a layout needs at least 4 points")
        picked = points.sample(total, MAX_POINTS[request.method, request.dims])
        rows = requested if picked is None else picked if requested is None else requested[picked]

        def prepare() -> Job:
            matrix = prepared(self.tables.rows(entry), rows, request)
            if request.metric == "cosine":
                matrix = points.unit(matrix)
            if matrix.shape[1] > WIDE_DIMS:
                matrix = pca.components(matrix, NARROW_DIMS).scores
            return Job(matrix, request.method, request.dims, request.params)

        return self.layouts.queue(Layout(name, "queued", request.method, total, rows), prepare)


def columns_of(scores: Matrix, columns: Sequence[int]) -> Matrix:
    """These columns, with zeros for columns that do not exist."""
    selected = np.zeros((len(scores), len(columns)), np.float32)
    for index, column in enumerate(columns):
        if column < scores.shape[1]:
            selected[:, index] = scores[:, column]
    return selected


def finished_layout(layout: Layout, positions: Matrix, variance: tuple[float, ...] = ()) -> Layout:
    """A finished layout."""
    return Layout(
        layout.id, "done", layout.method, layout.total, layout.rows, 1.0, 1, variance=variance, positions=positions
    )


def prepared(matrix: Matrix, rows: Rows | None, request: LayoutRequest) -> Matrix:
    """The rows to lay out, with column means for non-finite values, spherized if requested."""
    picked = points.chosen(matrix, rows)
    return points.spherized(picked) if request.spherize else picked


def as_rows(rows: Sequence[int] | None, count: int) -> Rows | None:
    """Sorted unique row numbers. Raises BadRequest."""
    if rows is None:
        return None
    if not rows:
        raise BadRequest("no points are selected")
    check_rows(rows, count)
    return np.unique(np.array(rows, np.uint32))


def check_rows(rows: Sequence[int], count: int) -> None:
    """Raises BadRequest if a row number is out of range."""
    if rows and (min(rows) < 0 or max(rows) >= count):
        raise BadRequest(f"rows go from 0 to {count - 1}")
