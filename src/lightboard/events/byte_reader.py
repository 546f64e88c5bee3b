"""Reads parts of a value in a file on demand, so that its fields can be iterated without loading it.

A value may be larger than memory, and its lengths may be wrong. Only requested bytes and a few bytes of each field are
read. What the fields mean is defined elsewhere.
"""

from collections.abc import Callable, Iterator

from lightboard.events.wire import BYTES, FIXED32, FIXED64, VARINT, Field, MalformedError, varint

ReadRange = Callable[[int, int], bytes]
"""Called with an offset and a length. Returns fewer bytes only at the end."""

CHUNK_BYTES = 4096
"""How much is read to find the next fields: most are close together."""

MAX_HEAD_BYTES = 20
"""The largest size of a key and a length."""


class ByteReader:
    """A range of bytes of known length that is read on demand. Offsets are relative to its beginning.

    `length` is in bytes. Not thread-safe.
    """

    def __init__(self, read: ReadRange, length: int) -> None:
        self._read = read
        self.length = length
        self._at = 0
        self._chunk = b""

    def slice(self, at: int, end: int) -> bytes:
        """The bytes in [at, end). Raises MalformedError if some are missing."""
        if not 0 <= at <= end <= self.length:
            raise MalformedError
        data = self._read(at, end - at) if end > at else b""
        if len(data) != end - at:
            raise MalformedError
        return data

    def head(self, at: int) -> bytes:
        """Some bytes from `at` on, at least `MAX_HEAD_BYTES` except at the end."""
        begin = at - self._at
        if begin < 0 or begin + MAX_HEAD_BYTES > len(self._chunk):
            self._at = at
            self._chunk = self._read(at, min(CHUNK_BYTES, self.length - at))
            begin = 0
        return self._chunk[begin : begin + MAX_HEAD_BYTES]


def read_fields(reader: ByteReader, at: int, end: int) -> Iterator[Field]:
    """Iterate over the fields of the message in [at, end), like `wire.fields`. Raises MalformedError.

    Groups, which no writer of events uses, are malformed here.
    """
    while at < end:
        head = reader.head(at)
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
