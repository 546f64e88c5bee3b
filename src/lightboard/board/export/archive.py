"""Streams a ZIP archive while it is created."""

import zipfile
from collections.abc import Iterable, Iterator
from typing import NamedTuple

LEVEL = 1
"""Compresses numbers as text about threefold; higher levels are much slower for little gain."""

LARGE_BYTES = 1 << 31
"""Larger files use ZIP64, which old programs cannot unpack."""


class Member(NamedTuple):
    """One file of an archive: its path, its content, and its maximum size."""

    path: str
    pieces: Iterable[bytes]
    most_bytes: int


class ByteBuffer:
    """A write-only file that buffers bytes until they are sent. Not seekable."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._pieces.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        pass

    def take(self) -> bytes:
        """Return and clear the buffered bytes."""
        data = b"".join(self._pieces)
        self._pieces.clear()
        return data


def zip_pieces(members: Iterable[Member]) -> Iterator[bytes]:
    """The archive of `members` in pieces. Members are read one after another.

    All files have the same time stamp, so that equal members result in equal bytes.
    """
    buffer = ByteBuffer()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:  # type: ignore[call-overload]  # asks for less than typed
        for member in members:
            with archive.open(member.path, "w", force_zip64=member.most_bytes >= LARGE_BYTES) as file:
                for piece in member.pieces:
                    file.write(piece)
                    yield buffer.take()
    yield buffer.take()
