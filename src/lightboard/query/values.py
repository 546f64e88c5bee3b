"""Locates values in their files, and reads their bytes on request.

A value is identified by its *key*, made of file and offset, which is valid as long as the file: steps repeat, and
indices change when a run is resumed. Not here: decoding, which each data kind does.
"""

import zlib
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from lightboard import cancellation
from lightboard.errors import TagNotFound, ValueNotFound
from lightboard.events.byte_reader import ByteReader
from lightboard.events.decode import references
from lightboard.series.catalog import Catalog
from lightboard.series.run import Run, RunFile
from lightboard.types import Step, WallTime

FORMS: tuple[Literal["I", "Q", "q"], ...] = ("I", "Q", "Q", "q")


class ValueLocation(NamedTuple):
    """The location of a value: a Summary.Value, or the graph for graphs. `file` is its path for display."""

    run: str
    file: str
    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class Values:
    """A series of values in the order of the files of its run. `metadata` is its serialized SummaryMetadata.

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

    def location(self, at: int) -> ValueLocation:
        """The location of the value with index `at`."""
        return ValueLocation(self.run, self.paths[self.files[at]], self.offsets[at], self.lengths[at])

    def key(self, at: int) -> str:
        """The key of the value with index `at`: checksum of the path, and offset, in hexadecimal."""
        return f"{path_key(self.paths[self.files[at]])}.{self.offsets[at]:x}"

    def keys(self, begin: int = 0, end: int | None = None) -> list[str]:
        """The keys of all values, or of those in [begin, end)."""
        heads = [path_key(path) for path in self.paths]
        named = zip(self.files[begin:end], self.offsets[begin:end], strict=True)
        return [f"{heads[file]}.{offset:x}" for file, offset in named]

    def find(self, key: str) -> int:
        """The index of the value with this key. Raises ValueNotFound."""
        head, _, digits = key.partition(".")
        try:
            offset = int(digits, 16)
        except ValueError:
            raise ValueNotFound(f"{key!r} is not a valid key") from None
        for file, path in enumerate(self.paths):
            if path_key(path) != head:
                continue
            begin = bisect_left(self.files, file)
            end = bisect_left(self.files, file + 1)
            index = bisect_left(self.offsets, offset, begin, end)
            if index < end and self.offsets[index] == offset:
                return index
        raise ValueNotFound(f"tag {self.tag!r} of run {self.run!r} has no value {key!r} any more", hint="reload")

    def nearest(self, step: Step) -> int:
        """The index of the value with the nearest step, the later one of two. There must be a value."""
        return min(range(len(self.steps)), key=lambda index: (abs(self.steps[index] - step), -index))


def path_key(path: str) -> str:
    """The part of a key for a file."""
    return f"{zlib.crc32(path.encode()):08x}"


def read_values(catalog: Catalog, plugin: str, run: str, tag: str, purge: bool) -> Values:
    """The values of one series of a kind. Raises RunNotFound, TagNotFound."""
    run_data = catalog.run(run)
    series = run_data.tag(tag, plugin)
    if series.form != "reference":
        other = next((each for each in run_data.tag_list() if each.name == tag and each.form == "reference"), None)
        if other is None or other.plugin != plugin:
            raise TagNotFound(f"tag {tag!r} of run {run!r} holds numbers instead of {plugin}")
        series = other
    columns = references(series.parts, purge)
    files, offsets, lengths, steps = (
        memoryview(column).cast(form) for column, form in zip(columns[:4], FORMS, strict=True)
    )
    walls = memoryview(columns[4]).cast("d")
    paths = [path_of(run_data, part) for part in series.parts]
    return Values(run, tag, series.metadata, steps, walls, paths, files, offsets, lengths)


def path_of(run: Run, part: tuple[object, int]) -> str:
    """The path of the file of a decoder; "" if it was removed."""
    return next((file.path for file in run.files if file.decoder is part[0]), "")


def read_bytes(catalog: Catalog, location: ValueLocation, offset: int, length: int) -> bytes:
    """Up to `length` bytes of a value from `offset`. Raises ValueNotFound if its file cannot be read."""
    cancellation.check()
    file = file_of(catalog.run(location.run), location.file)
    length = max(0, min(length, location.length - offset))
    try:
        return file.reader.read(location.offset + offset, length) if file.reader and length else b""
    except OSError as error:
        reason = error.strerror or str(error)
        raise ValueNotFound(f"the file of this value cannot be read: {reason}", hint="reload") from None


def file_of(run: Run, path: str) -> RunFile:
    """The event file at a path. Raises ValueNotFound."""
    event_file = next((file for file in run.files if file.path == path), None)
    if event_file is None:
        raise ValueNotFound("the file of this value is gone", hint="reload")
    return event_file


def window_of(catalog: Catalog, location: ValueLocation) -> ByteReader:
    """A value that is read piece by piece."""
    return ByteReader(lambda offset, length: read_bytes(catalog, location, offset, length), location.length)
