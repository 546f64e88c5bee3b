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
from lightboard.events.imagetypes import ImageType
from lightboard.lru_cache import LruCache
from lightboard.query.projector import custom, pca, points, search, sprite
from lightboard.query.projector.entries import Entry, Found, list_entries
from lightboard.query.projector.folder import File, open_file
from lightboard.query.projector.layouts import Job, Layout, Layouts, Rows
from lightboard.query.projector.matrix import Matrix, Size
from lightboard.query.projector.metadata import MOST_BYTES, Metadata, parse_metadata
from lightboard.query.projector.neighbours import Metric, Neighbours, neighbours
from lightboard.query.projector.tables import Tables, stamp_of
from lightboard.query.provider import Provider

Method = Literal["pca", "tsne", "umap", "custom"]

LISTED_SECS = 1.0
"""How long a list of tensors is kept without a known change: a new checkpoint may cause no event."""

MOST_METADATA_BYTES = 256 << 20
MOST_COMPONENT_BYTES = 64 << 20
MOST_BOOKMARKS_BYTES = 16 << 20

MOST_POINTS = {("tsne", 2): 50_000, ("tsne", 3): 20_000, ("umap", 2): 250_000, ("umap", 3): 250_000}
"""Most points of a layout, which take a few minutes on two cores. A random sample is taken of more."""

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

    def __init__(self, provider: Provider, layouts: Layouts | None = None) -> None:
        self.layouts = layouts or Layouts()
        self.tables = Tables()
        self._provider = provider
        self._metadata: LruCache[Metadata] = LruCache(MOST_METADATA_BYTES, lambda one: one.bytes)
        self._components: LruCache[pca.Components] = LruCache(MOST_COMPONENT_BYTES, lambda one: one.scores.nbytes)
        self._listing = threading.Lock()
        self._listed: tuple[int, float, Found] | None = None

    def close(self) -> None:
        """Stop background work."""
        self.layouts.close()

    def found(self) -> Found:
        """All tensors, and the errors of configs."""
        with self._listing:
            now, generation, listed = time.monotonic(), self._provider.generation, self._listed
            if listed is None or listed[0] != generation or now - listed[1] > LISTED_SECS:
                listed = generation, now, list_entries(list(self._provider.assets()), self.tables)
                self._listed = listed
            return listed[2]

    def entry(self, run: str, name: str) -> Entry:
        """The tensor of this name; if the name has no step, its last one. Raises NotFound."""
        own = [each for each in self.found().entries if each.run == run]
        exact = [each for each in own if each.name == name]
        for each in exact or [each for each in reversed(own) if each.tensor == name]:
            return each
        raise NotFound(f"run {run!r} has no tensor {name!r}", hint="/api/v1/projector lists them")

    def missing(self) -> dict[str, str]:
        """Methods whose packages are not installed, and how to install them."""
        return {method: INSTALL for method, module in NEEDS.items() if importlib.util.find_spec(module) is None}

    def metadata(self, entry: Entry) -> Metadata | None:
        """The metadata of the points, or None if the config names none. Raises Unshowable."""
        if not entry.embedding.metadata_path:
            return None
        file = open_file(entry.folder, entry.embedding.metadata_path)
        held = self.tables.size(entry).held
        return self._metadata.get((*stamp_of(file), held), lambda: parse_metadata(file.all(MOST_BYTES), held))

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
        data = open_file(entry.folder, entry.embedding.bookmarks_path).all(MOST_BOOKMARKS_BYTES)
        try:
            found = json.loads(data)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, list):
            raise Unshowable("the bookmarks are no JSON list")
        return data

    def size(self, entry: Entry) -> Size:
        """Rows and columns. Raises Unshowable."""
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
        found = self._some_metadata(entry).column(column)
        codes = found.codes
        if rows is not None:
            check_rows(rows, len(codes))
            codes = codes[list(rows)]
        return [found.labels[code] for code in codes.tolist()]

    def vectors(self, entry: Entry, rows: Sequence[int]) -> Matrix:
        """The original vectors of these rows. Raises BadRequest, Unshowable."""
        matrix = self.tables.rows(entry)
        check_rows(rows, len(matrix))
        picked: Matrix = matrix[list(rows)]
        return picked

    def _some_metadata(self, entry: Entry) -> Metadata:
        found = self.metadata(entry)
        if found is None:
            raise Unshowable(f"tensor {entry.name!r} has no metadata")
        return found

    def lay_out(self, entry: Entry, request: LayoutRequest) -> Layout:
        """The requested layout: cached, computed now, or queued. Raises BadRequest, Unshowable."""
        name = self._id(entry, request)
        standing = self.layouts.standing(name)
        if standing is not None:
            return standing
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
        found = self._principal(entry, matrix, rows, request)
        scores = columns_of(found.scores, list(request.components) or list(range(request.dims)))
        return finished_layout(layout, scores, tuple(found.variance))

    def _principal(self, entry: Entry, matrix: Matrix, rows: Rows | None, request: LayoutRequest) -> pca.Components:
        key = (self.tables.stamp(entry), None if rows is None else rows.tobytes(), request.spherize)
        return self._components.get(key, lambda: pca.components(prepared(matrix, rows, request)))

    def _projected(self, entry: Entry, matrix: Matrix, request: LayoutRequest) -> Matrix:
        """All points projected on the requested axes. An undefined axis is a principal component."""
        defined = [(at, pair) for at, pair in enumerate(request.axes[: request.dims]) if any(pair)]
        positions = columns_of(self._principal(entry, matrix, None, request).scores, list(range(request.dims)))
        if defined:
            ends = [[self._rows_at(entry, request.column, word) for word in pair] for _, pair in defined]
            axes = [custom.Axis(begin, end, pair) for (begin, end), (_, pair) in zip(ends, defined, strict=True)]
            positions[:, [at for at, _ in defined]] = custom.project(prepared(matrix, None, request), axes)
        return positions

    def _rows_at(self, entry: Entry, column: str, words: str) -> Sequence[int] | None:
        if not words:
            return None
        pattern = words[1:-1] if len(words) > 2 and words[0] == words[-1] == "/" else ""
        return search.rows_with(self._some_metadata(entry).column(column), pattern or words, regex=bool(pattern))

    def _queue(self, name: str, entry: Entry, request: LayoutRequest) -> Layout:
        if request.method in self.missing():
            raise Unshowable(f"{NEEDS[request.method]} is not installed", hint=self.missing()[request.method])
        held = self.tables.size(entry).held
        asked = as_rows(request.rows, held)
        total = held if asked is None else len(asked)
        if total < 4:
            raise BadRequest("at least 4 points can be laid out so")
        picked = points.sample(total, MOST_POINTS[request.method, request.dims])
        rows = asked if picked is None else picked if asked is None else asked[picked]

        def prepare() -> Job:
            matrix = prepared(self.tables.rows(entry), rows, request)
            if request.metric == "cosine":
                matrix = points.unit(matrix)
            if matrix.shape[1] > WIDE_DIMS:
                matrix = pca.components(matrix, NARROW_DIMS).scores
            return Job(matrix, request.method, request.dims, request.params)

        return self.layouts.queue(Layout(name, "queued", request.method, total, rows), prepare)


def columns_of(scores: Matrix, wanted: Sequence[int]) -> Matrix:
    """These columns, with zeros for columns that do not exist."""
    found = np.zeros((len(scores), len(wanted)), np.float32)
    for at, column in enumerate(wanted):
        if column < scores.shape[1]:
            found[:, at] = scores[:, column]
    return found


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
        raise BadRequest("no points are named")
    check_rows(rows, count)
    return np.unique(np.array(rows, np.uint32))


def check_rows(rows: Sequence[int], count: int) -> None:
    """Raises BadRequest if a row number is out of range."""
    if rows and (min(rows) < 0 or max(rows) >= count):
        raise BadRequest(f"rows go from 0 to {count - 1}")
