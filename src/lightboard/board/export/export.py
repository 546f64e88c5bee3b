"""Exports series as one CSV table, one JSON document, or an archive with a file per series.

Only a part of one series is in memory at a time. Series that are removed meanwhile are left out.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Literal, NamedTuple

from lightboard.board.export import rows
from lightboard.board.export.archive import Member, zip_pieces
from lightboard.board.export.names import Names, parts_of, split_ending
from lightboard.errors import NotFound
from lightboard.query.export import LongSeries
from lightboard.query.scalars import Points

Format = Literal["csv", "json"]

FOLDER = "scalars"

MAX_ROW_BYTES = 100
"""Maximum size of a step, wall time and value as text, with brackets."""

PIECE_BYTES = 1 << 18
"""Small pieces are joined up to this size, since each costs an iteration of the event loop."""

Read = Callable[[str, str, bool], LongSeries]
"""Reads all points of a series, with or without superseded ones. Raises NotFound."""


class SeriesId(NamedTuple):
    """One series."""

    run: str
    tag: str


class TextFile(NamedTuple):
    """A file that is added to the archive unchanged."""

    name: str
    text: str


def table(read: Read, series: Iterable[SeriesId], *, orphans: bool) -> Iterator[bytes]:
    """One long CSV table: run, tag, step, wall_time, value, and superseded with `orphans`."""
    yield rows.head("run", "tag", orphans=orphans)
    for (run, tag), points in read_series(read, series, orphans):
        yield from rows.csv_rows(points.pieces, rows.cells(run, tag), orphans=orphans)


def document(read: Read, series: Iterable[SeriesId], *, orphans: bool) -> Iterator[bytes]:
    """{"series": [{"run", "tag", "points": [[wall time, step, value], ...]}, ...]}; superseded is a fourth item."""
    yield b'{"series":['
    comma = b""
    for (run, tag), points in read_series(read, series, orphans):
        yield comma
        yield from rows.json_series(run, tag, points.pieces, orphans=orphans)
        comma = b","
    yield b"]}"


def archive(
    read: Read, series: Iterable[SeriesId], texts: Iterable[TextFile], *, format: Format, orphans: bool
) -> Iterator[bytes]:
    """A ZIP with `scalars/<tag>/<run>.csv` or .json, an `index.csv` that maps files to series, and `texts`.

    Slashes in tags and in the names of `texts` separate folders.
    """
    return zip_pieces(members(read, series, texts, format, orphans))


def members(
    read: Read, series: Iterable[SeriesId], texts: Iterable[TextFile], format: Format, orphans: bool
) -> Iterator[Member]:
    """The files of the archive. The index is known only at the end, so it is last."""
    unique_names = Names(FOLDER)
    index_path = unique_names.unique_path("index", ending=".csv")
    index = [b"file,run,tag,points\r\n"]
    for name, text in texts:
        *folders, last = parts_of(name)
        stem, ending = split_ending(last)
        path = unique_names.unique_path(*folders, stem, ending=ending)
        data = text.encode("utf-8", "backslashreplace")
        yield Member(path, [data], len(data))
    for (run, tag), points in read_series(read, series, orphans):
        path = unique_names.unique_path(FOLDER, *parts_of(tag), run, ending=f".{format}")
        count = Count(points.pieces)
        yield Member(path, pieces_of(run, tag, count, format, orphans), MAX_ROW_BYTES * (points.most_points + 100))
        index.append(rows.cells(path, run, tag) + b"%d\r\n" % count.points)
    yield Member(index_path, index, sum(map(len, index)))


class Count:
    """Forwards pieces of a series and counts their points."""

    def __init__(self, pieces: Iterable[Points]) -> None:
        self.pieces = pieces
        self.points = 0

    def __iter__(self) -> Iterator[Points]:
        for piece in self.pieces:
            self.points += len(piece.steps)
            yield piece


def pieces_of(run: str, tag: str, points: Iterable[Points], format: Format, orphans: bool) -> Iterator[bytes]:
    """The file of one series."""
    if format == "json":
        yield from rows.json_series(run, tag, points, orphans=orphans)
        return
    yield rows.head(orphans=orphans)
    yield from rows.csv_rows(points, b"", orphans=orphans)


def read_series(read: Read, series: Iterable[SeriesId], orphans: bool) -> Iterator[tuple[SeriesId, LongSeries]]:
    """Each existing series with its points, without duplicates."""
    seen: set[SeriesId] = set()
    for series_id in series:
        if series_id in seen:
            continue
        seen.add(series_id)
        try:
            points = read(series_id.run, series_id.tag, orphans)
        except NotFound:
            continue
        yield series_id, points


def join_small_pieces(pieces: Iterable[bytes], least_bytes: int = PIECE_BYTES) -> Iterator[bytes]:
    """Join pieces until they have at least `least_bytes` bytes."""
    waiting: list[bytes] = []
    size = 0
    for piece in pieces:
        waiting.append(piece)
        size += len(piece)
        if size >= least_bytes:
            yield b"".join(waiting)
            waiting.clear()
            size = 0
    yield b"".join(waiting)
