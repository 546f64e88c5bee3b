"""Series as bytes to take away: one table, one JSON document, or an archive with a file for each.

Holds a stretch of one series at a time, however long and many they are. A series that goes away meanwhile is left out.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Literal, NamedTuple

from lightboard.board.export import rows
from lightboard.board.export.archive import Member, zipped
from lightboard.board.export.names import Names, parts_of, split_ending
from lightboard.errors import NotFound
from lightboard.query.export import LongSeries
from lightboard.query.scalars import Points

Format = Literal["csv", "json"]

FOLDER = "scalars"

MOST_ROW_BYTES = 100
"""Of a step, a wall time and a value as text, with brackets."""

PIECE_BYTES = 1 << 18
"""Small pieces are sent together: each costs a turn of the event loop."""

Read = Callable[[str, str, bool], LongSeries]
"""All points of a run's tag, with superseded ones or without; raises NotFound."""


class Chosen(NamedTuple):
    """One series."""

    run: str
    tag: str


class Text(NamedTuple):
    """A file that goes into the archive as it is."""

    name: str
    text: str


def table(read: Read, series: Iterable[Chosen], *, orphans: bool) -> Iterator[bytes]:
    """One long CSV table: run, tag, step, wall_time, value, and superseded with `orphans`."""
    yield rows.head("run", "tag", orphans=orphans)
    for (run, tag), points in found(read, series, orphans):
        yield from rows.csv_rows(points.pieces, rows.cells(run, tag), orphans=orphans)


def document(read: Read, series: Iterable[Chosen], *, orphans: bool) -> Iterator[bytes]:
    """{"series": [{"run", "tag", "points": [[wall time, step, value], ...]}, ...]}; superseded is a fourth item."""
    yield b'{"series":['
    comma = b""
    for (run, tag), points in found(read, series, orphans):
        yield comma
        yield from rows.json_series(run, tag, points.pieces, orphans=orphans)
        comma = b","
    yield b"]}"


def archive(
    read: Read, series: Iterable[Chosen], texts: Iterable[Text], *, format: Format, orphans: bool
) -> Iterator[bytes]:
    """A ZIP of `scalars/<tag>/<run>.csv` or .json, `index.csv` that says which is which, and `texts`.

    Slashes of tags make folders, there as in the names of `texts`.
    """
    return zipped(members(read, series, texts, format, orphans))


def members(
    read: Read, series: Iterable[Chosen], texts: Iterable[Text], format: Format, orphans: bool
) -> Iterator[Member]:
    """The files of the archive; the index comes last because only then it is known."""
    names = Names(FOLDER)
    index_path = names.free("index", ending=".csv")
    index = [b"file,run,tag,points\r\n"]
    for name, text in texts:
        *folders, last = parts_of(name)
        stem, ending = split_ending(last)
        path = names.free(*folders, stem, ending=ending)
        data = text.encode("utf-8", "backslashreplace")
        yield Member(path, [data], len(data))
    for (run, tag), points in found(read, series, orphans):
        path = names.free(FOLDER, *parts_of(tag), run, ending=f".{format}")
        count = Count(points.pieces)
        yield Member(path, pieces_of(run, tag, count, format, orphans), MOST_ROW_BYTES * (points.most_points + 100))
        index.append(rows.cells(path, run, tag) + b"%d\r\n" % count.points)
    yield Member(index_path, index, sum(map(len, index)))


class Count:
    """Passes pieces of a series on and counts their points."""

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


def found(read: Read, series: Iterable[Chosen], orphans: bool) -> Iterator[tuple[Chosen, LongSeries]]:
    """Each series and its points, as long as it is there; none twice."""
    seen: set[Chosen] = set()
    for chosen in series:
        if chosen in seen:
            continue
        seen.add(chosen)
        try:
            points = read(chosen.run, chosen.tag, orphans)
        except NotFound:
            continue
        yield chosen, points


def gathered(pieces: Iterable[bytes], least_bytes: int = PIECE_BYTES) -> Iterator[bytes]:
    """The same bytes in pieces that are not small."""
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
