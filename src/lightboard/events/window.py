"""One value somewhere in a file, read piece by piece: a message can be walked without holding what is in it.

A value may be larger than memory, and its lengths may lie. Here only what is asked for is read, and the walk reads a
few bytes of each field. Not here: what the fields mean.
"""

from collections.abc import Callable, Iterator

from lightboard.events.wire import BYTES, FIXED32, FIXED64, VARINT, Field, MalformedError, varint

Read = Callable[[int, int], bytes]
"""Up to so many bytes (second) from an offset (first); fewer only where there are no more."""

CHUNK_BYTES = 4096
"""Heads of fields lie close together more often than not."""

HEAD_BYTES = 20
"""A key and a length take no more."""


class Window:
    """A range of bytes of known length, read on demand. Offsets count from its beginning.

    `length` in bytes. Not for two threads at once.
    """

    def __init__(self, read: Read, length: int) -> None:
        self._read = read
        self.length = length
        self._at = 0
        self._chunk = b""

    def slice(self, at: int, end: int) -> bytes:
        """The bytes in [at, end). Raises MalformedError where they are not all there."""
        if not 0 <= at <= end <= self.length:
            raise MalformedError
        data = self._read(at, end - at) if end > at else b""
        if len(data) != end - at:
            raise MalformedError
        return data

    def head(self, at: int) -> bytes:
        """Some bytes from `at`, at least `HEAD_BYTES` where the window goes on."""
        begin = at - self._at
        if begin < 0 or begin + HEAD_BYTES > len(self._chunk):
            self._at = at
            self._chunk = self._read(at, min(CHUNK_BYTES, self.length - at))
            begin = 0
        return self._chunk[begin : begin + HEAD_BYTES]


def fields_of(window: Window, at: int, end: int) -> Iterator[Field]:
    """Walk the message in [at, end) of a window, as `wire.fields` does bytes in memory. Raises MalformedError.

    Groups, which no writer of events makes, are malformed here.
    """
    while at < end:
        head = window.head(at)
        key, begin = varint(head, 0, len(head))
        if key >> 32 or key >> 3 == 0:
            raise MalformedError
        wire_type, number = key & 7, 0
        if wire_type == VARINT:
            number, begin = varint(head, begin, len(head))
            stop = at + begin
        elif wire_type == BYTES:
            length, begin = varint(head, begin, len(head))
            stop = at + begin + length
        elif wire_type in (FIXED32, FIXED64):
            stop = at + begin + (4 if wire_type == FIXED32 else 8)
        else:
            raise MalformedError
        if stop > end:
            raise MalformedError
        yield key >> 3, wire_type, number if wire_type == VARINT else at + begin, stop
        at = stop
