"""Reads messages of which the end may be missing: files that are still being written, or were cut off."""

from collections.abc import Iterator

from lightboard.events.byte_reader import ByteReader, ReadRange, read_fields
from lightboard.events.wire import Field, MalformedError

ANYWHERE = 1 << 50
"""An end for messages whose last bytes may be missing."""


class TruncatedReader(ByteReader):
    """A file of `size` bytes. `cut` says that something was malformed or is missing. Not thread-safe."""

    def __init__(self, read: ReadRange, size: int) -> None:
        super().__init__(read, ANYWHERE)
        self.size = size
        self.cut = False

    def fields(self, begin: int, end: int) -> Iterator[Field]:
        """The fields of a message, up to the first that is malformed. The last one may end beyond the file."""
        at = begin
        try:
            for each in read_fields(self, begin, ANYWHERE if end >= self.size else end):
                at = each[3]
                yield each
        except MalformedError:
            self.cut = self.cut or at != self.size or end > self.size
