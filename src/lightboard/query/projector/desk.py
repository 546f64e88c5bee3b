"""What a board can be asked about embeddings: the face of this package. Any thread may ask.

Not here: HTTP, JSON.
"""

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
"""How long a list of tensors is good while no change was heard of: checkpoints may come without one."""

MOST_METADATA_BYTES = 256 << 20
MOST_COMPONENT_BYTES = 64 << 20
MOST_BOOKMARKS_BYTES = 16 << 20

MOST_POINTS = {("tsne", 2): 50_000, ("tsne", 3): 20_000, ("umap", 2): 250_000, ("umap", 3): 250_000}
"""What takes a few minutes on two cores; of more points so many are laid out, chosen at random."""

WIDE_DIMS = 128
NARROW_DIMS = 50
"""Vectors wider than the one are brought to the other by PCA before t-SNE and UMAP look for neighbours."""

NEEDS = {"tsne": "openTSNE", "umap": "umap"}
INSTALL = "pip install 'lightboard[projector]'"


class Wish(NamedTuple):
    """A layout as asked for, of the points `rows`, None for all. `params` are the numbers of t-SNE and UMAP.

    `axes` are pairs of words, for each axis of a custom projection what the labels of `column` say where it begins and
    where it ends: a text that they contain or a pattern between slashes.
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


class Desk:
    """Answers from the files that the configs of `provider` name; `layouts` works on what takes long."""

    def __init__(self, provider: Provider, layouts: Layouts | None = None) -> None:
        self.layouts = layouts or Layouts()
        self.tables = Tables()
        self._provider = provider
        self._metadata: LruCache[Metadata] = LruCache(MOST_METADATA_BYTES, lambda one: one.bytes)
        self._components: LruCache[pca.Components] = LruCache(MOST_COMPONENT_BYTES, lambda one: one.scores.nbytes)
        self._listing = threading.Lock()
        self._listed: tuple[int, float, Found] | None = None

    def close(self) -> None:
        """End what works in the background."""
        self.layouts.close()

    # What there is

    def found(self) -> Found:
        """Every tensor, and what is wrong with configs."""
        with self._listing:
            now, generation, listed = time.monotonic(), self._provider.generation, self._listed
            if listed is None or listed[0] != generation or now - listed[1] > LISTED_SECS:
                listed = generation, now, list_entries(list(self._provider.assets()), self.tables)
                self._listed = listed
            return listed[2]

    def entry(self, run: str, name: str) -> Entry:
        """The tensor of that name; without its step the last one. Raises NotFound."""
        own = [each for each in self.found().entries if each.run == run]
        exact = [each for each in own if each.name == name]
        for each in exact or [each for each in reversed(own) if each.tensor == name]:
            return each
        raise NotFound(f"run {run!r} has no tensor {name!r}", hint="/api/v1/projector lists them")

    def missing(self) -> dict[str, str]:
        """Methods that cannot be had, and what would bring them."""
        return {method: INSTALL for method, module in NEEDS.items() if importlib.util.find_spec(module) is None}

    def metadata(self, entry: Entry) -> Metadata | None:
        """The metadata of its points; None if the config names none. Raises Unshowable."""
        if not entry.embedding.metadata_path:
            return None
        file = open_file(entry.folder, entry.embedding.metadata_path)
        held = self.tables.size(entry).held
        return self._metadata.get((*stamp_of(file), held), lambda: parse_metadata(file.all(MOST_BYTES), held))

    def sprite(self, entry: Entry) -> tuple[File, ImageType] | None:
        """The picture of its points and what it is; None if the config names none. Raises Unshowable."""
        if entry.embedding.sprite is None:
            return None
        file = open_file(entry.folder, entry.embedding.sprite.path)
        return file, sprite.picture_of(file)

    def bookmarks(self, entry: Entry) -> bytes:
        """The bookmarks that came with it, a JSON list. Raises NotFound, Unshowable."""
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

    # What can be asked of one tensor

    def size(self, entry: Entry) -> Size:
        """Rows and columns. Raises Unshowable."""
        return self.tables.size(entry)

    def neighbours(self, entry: Entry, row: int, count: int, metric: Metric) -> Neighbours:
        """The points nearest to one. Raises BadRequest, Unshowable."""
        matrix = self.tables.rows(entry)
        check_rows([row], len(matrix))
        return neighbours(matrix, row, count, metric)

    def search(self, entry: Entry, column: str, query: str, *, regex: bool) -> search.Matches:
        """The points whose metadata match. Raises BadRequest, Unshowable."""
        return search.search(self._some_metadata(entry).column(column), query, regex=regex)

    def labels(self, entry: Entry, column: str, rows: Sequence[int] | None) -> list[str]:
        """What the metadata say of these points, or of all. Raises BadRequest, Unshowable."""
        found = self._some_metadata(entry).column(column)
        codes = found.codes
        if rows is not None:
            check_rows(rows, len(codes))
            codes = codes[list(rows)]
        return [found.labels[code] for code in codes.tolist()]

    def vectors(self, entry: Entry, rows: Sequence[int]) -> Matrix:
        """These rows as they are. Raises BadRequest, Unshowable."""
        matrix = self.tables.rows(entry)
        check_rows(rows, len(matrix))
        picked: Matrix = matrix[list(rows)]
        return picked

    def _some_metadata(self, entry: Entry) -> Metadata:
        found = self.metadata(entry)
        if found is None:
            raise Unshowable(f"tensor {entry.name!r} has no metadata")
        return found

    # Layouts

    def lay_out(self, entry: Entry, wish: Wish) -> Layout:
        """The layout asked for: there already, made at once, or begun. Raises BadRequest, Unshowable."""
        name = self._id(entry, wish)
        standing = self.layouts.standing(name)
        if standing is not None:
            return standing
        if wish.method in NEEDS:
            return self._begin(name, entry, wish)
        return self.layouts.put(self._at_once(name, entry, wish))

    def _id(self, entry: Entry, wish: Wish) -> str:
        told = repr((self.tables.stamp(entry), entry.embedding.metadata_path, wish))
        return hashlib.sha256(told.encode("utf-8", "backslashreplace")).hexdigest()[:24]

    def _at_once(self, name: str, entry: Entry, wish: Wish) -> Layout:
        matrix = self.tables.rows(entry)
        rows = as_rows(wish.rows, len(matrix))
        layout = Layout(name, "done", wish.method, len(matrix) if rows is None else len(rows), rows, 1.0, 1)
        if wish.method == "custom":
            places = self._projected(entry, matrix, wish)
            return made(layout, places if rows is None else places[rows])
        found = self._principal(entry, matrix, rows, wish)
        scores = columns_of(found.scores, list(wish.components) or list(range(wish.dims)))
        return made(layout, scores, tuple(found.variance))

    def _principal(self, entry: Entry, matrix: Matrix, rows: Rows | None, wish: Wish) -> pca.Components:
        key = (self.tables.stamp(entry), None if rows is None else rows.tobytes(), wish.spherize)
        return self._components.get(key, lambda: pca.components(prepared(matrix, rows, wish)))

    def _projected(self, entry: Entry, matrix: Matrix, wish: Wish) -> Matrix:
        """All points along the axes asked for; an axis of which nothing is said is a principal component."""
        said = [(at, pair) for at, pair in enumerate(wish.axes[: wish.dims]) if any(pair)]
        places = columns_of(self._principal(entry, matrix, None, wish).scores, list(range(wish.dims)))
        if said:
            ends = [[self._rows_at(entry, wish.column, word) for word in pair] for _, pair in said]
            axes = [custom.Axis(begin, end, pair) for (begin, end), (_, pair) in zip(ends, said, strict=True)]
            places[:, [at for at, _ in said]] = custom.project(prepared(matrix, None, wish), axes)
        return places

    def _rows_at(self, entry: Entry, column: str, words: str) -> Sequence[int] | None:
        if not words:
            return None
        pattern = words[1:-1] if len(words) > 2 and words[0] == words[-1] == "/" else ""
        return search.rows_with(self._some_metadata(entry).column(column), pattern or words, regex=bool(pattern))

    def _begin(self, name: str, entry: Entry, wish: Wish) -> Layout:
        if wish.method in self.missing():
            raise Unshowable(f"{NEEDS[wish.method]} is not installed", hint=self.missing()[wish.method])
        held = self.tables.size(entry).held
        asked = as_rows(wish.rows, held)
        total = held if asked is None else len(asked)
        if total < 4:
            raise BadRequest("at least 4 points can be laid out so")
        picked = points.sample(total, MOST_POINTS[wish.method, wish.dims])
        rows = asked if picked is None else picked if asked is None else asked[picked]

        def prepare() -> Job:
            matrix = prepared(self.tables.rows(entry), rows, wish)
            if wish.metric == "cosine":
                matrix = points.unit(matrix)
            if matrix.shape[1] > WIDE_DIMS:
                matrix = pca.components(matrix, NARROW_DIMS).scores
            return Job(matrix, wish.method, wish.dims, wish.params)

        return self.layouts.queue(Layout(name, "queued", wish.method, total, rows), prepare)


def columns_of(scores: Matrix, wanted: Sequence[int]) -> Matrix:
    """These columns; zeros for those that there are none of."""
    found = np.zeros((len(scores), len(wanted)), np.float32)
    for at, column in enumerate(wanted):
        if column < scores.shape[1]:
            found[:, at] = scores[:, column]
    return found


def made(layout: Layout, positions: Matrix, variance: tuple[float, ...] = ()) -> Layout:
    """A layout that was made at once."""
    return Layout(
        layout.id, "done", layout.method, layout.total, layout.rows, 1.0, 1, variance=variance, positions=positions
    )


def prepared(matrix: Matrix, rows: Rows | None, wish: Wish) -> Matrix:
    """The rows to lay out, all of them numbers, spherized if that is wished."""
    picked = points.chosen(matrix, rows)
    return points.spherized(picked) if wish.spherize else picked


def as_rows(rows: Sequence[int] | None, count: int) -> Rows | None:
    """Row numbers in order, each once. Raises BadRequest."""
    if rows is None:
        return None
    if not rows:
        raise BadRequest("no points are named")
    check_rows(rows, count)
    return np.unique(np.array(rows, np.uint32))


def check_rows(rows: Sequence[int], count: int) -> None:
    """Raises BadRequest where one is no row."""
    if rows and (min(rows) < 0 or max(rows) >= count):
        raise BadRequest(f"rows go from 0 to {count - 1}")
