"""Values that stay in their files: where each of a series lies, and its bytes when somebody asks.

A value is named by its *key*, which says file and offset and holds as long as the file does: steps repeat, and places
in a list move when a run is taken up again. Not here: what the bytes mean, which each data kind knows.
"""

import zlib
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from lightboard import cancellation
from lightboard.errors import TagNotFound, ValueNotFound
from lightboard.events.decode import references
from lightboard.events.window import Window
from lightboard.series.catalog import Catalog
from lightboard.series.run import Run, RunFile
from lightboard.types import Step, WallTime

FORMS: tuple[Literal["I", "Q", "q"], ...] = ("I", "Q", "Q", "q")


class Place(NamedTuple):
    """Where one value lies: a Summary.Value, or for graphs the graph itself. `file` is its path, for people."""

    run: str
    file: str
    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class Values:
    """A series of values by the order of its run's files. `metadata` is its serialized SummaryMetadata.

    `steps`, `walls` (seconds), `files` (which of `paths`), `offsets` and `lengths` (bytes) have one item each.
    """

    run: str
    tag: str
    metadata: bytes
    steps: Sequence[Step]
    walls: Sequence[WallTime]
    paths: Sequence[str]
    files: Sequence[int]
    offsets: Sequence[int]
    lengths: Sequence[int]

    def __len__(self) -> int:
        return len(self.steps)

    def place(self, at: int) -> Place:
        """Where the value number `at` lies."""
        return Place(self.run, self.paths[self.files[at]], self.offsets[at], self.lengths[at])

    def key(self, at: int) -> str:
        """The name of value number `at`: checksum of the path and offset, in hexadecimal."""
        return f"{path_key(self.paths[self.files[at]])}.{self.offsets[at]:x}"

    def keys(self, begin: int = 0, end: int | None = None) -> list[str]:
        """The names of all values, or of those numbered [begin, end)."""
        heads = [path_key(path) for path in self.paths]
        named = zip(self.files[begin:end], self.offsets[begin:end], strict=True)
        return [f"{heads[file]}.{offset:x}" for file, offset in named]

    def find(self, key: str) -> int:
        """The number of the value of that name. Raises ValueNotFound."""
        head, _, digits = key.partition(".")
        try:
            offset = int(digits, 16)
        except ValueError:
            raise ValueNotFound(f"{key!r} names no value") from None
        for file, path in enumerate(self.paths):
            if path_key(path) != head:
                continue
            begin = bisect_left(self.files, file)
            end = bisect_left(self.files, file + 1)
            at = bisect_left(self.offsets, offset, begin, end)
            if at < end and self.offsets[at] == offset:
                return at
        raise ValueNotFound(f"tag {self.tag!r} of run {self.run!r} has no value {key!r} any more", hint="reload")

    def nearest(self, step: Step) -> int:
        """The number of the value whose step is nearest to `step`, the later one of two; there must be one."""
        return min(range(len(self.steps)), key=lambda at: (abs(self.steps[at] - step), -at))


def path_key(path: str) -> str:
    """What stands for a file in a key."""
    return f"{zlib.crc32(path.encode()):08x}"


def read_values(catalog: Catalog, plugin: str, run: str, tag: str, purge: bool) -> Values:
    """The values of one series of a kind. Raises RunNotFound, TagNotFound."""
    held = catalog.run(run)
    found = held.tag(tag, plugin)
    if found.form != "reference":
        other = next((one for one in held.tag_list() if one.name == tag and one.form == "reference"), None)
        if other is None or other.plugin != plugin:
            raise TagNotFound(f"tag {tag!r} of run {run!r} holds numbers, no {plugin}")
        found = other
    columns = references(found.parts, purge)
    files, offsets, lengths, steps = (
        memoryview(column).cast(form) for column, form in zip(columns[:4], FORMS, strict=True)
    )
    walls = memoryview(columns[4]).cast("d")
    paths = [path_of(held, part) for part in found.parts]
    return Values(run, tag, found.metadata, steps, walls, paths, files, offsets, lengths)


def path_of(run: Run, part: tuple[object, int]) -> str:
    """The path of the file that a decoder belongs to; "" once it is gone."""
    return next((file.path for file in run.files if file.decoder is part[0]), "")


def read_bytes(catalog: Catalog, place: Place, at: int, length: int) -> bytes:
    """Up to `length` bytes of a value from `at` on. Raises ValueNotFound where its file is gone."""
    cancellation.check()
    file = file_of(catalog.run(place.run), place.file)
    length = max(0, min(length, place.length - at))
    try:
        return file.opener.read(place.offset + at, length) if file.opener and length else b""
    except OSError as error:
        why = error.strerror or str(error)
        raise ValueNotFound(f"the file of this value cannot be read: {why}", hint="reload") from None


def file_of(run: Run, path: str) -> RunFile:
    """The event file of that path. Raises ValueNotFound."""
    found = next((file for file in run.files if file.path == path), None)
    if found is None:
        raise ValueNotFound("the file of this value is gone", hint="reload")
    return found


def window_of(catalog: Catalog, place: Place) -> Window:
    """A value to be walked or read piece by piece."""
    return Window(lambda at, length: read_bytes(catalog, place, at, length), place.length)
