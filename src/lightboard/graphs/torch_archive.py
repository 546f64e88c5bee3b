"""The programs in an archive of `torch.export.save`. Only their JSON is read, never weights, which may be pickles."""

import io
import re
import struct
import zipfile
import zlib

from lightboard import cancellation
from lightboard.errors import Unshowable
from lightboard.events.byte_reader import ReadRange

MAX_DIRECTORY_BYTES = 16 << 20
"""The largest list of entries that is read: those of more than 100,000 weights."""

MAX_JSON_BYTES = 128 << 20
"""Larger programs are not read, all of an archive together: those of about 100,000 nodes."""

CHUNK_BYTES = 1 << 20
"""How much is decompressed between two checks for cancellation."""

MAX_PROGRAMS = 20
"""Programs of one archive that are read."""

PROGRAM = re.compile(r"(?:^|/)models/([^/]+)\.json$|(?:^|/)serialized_exported_program\.json$")
"""Entries with a program, of today's writers and of those before torch 2.8."""

READABLE = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Methods of compression that take no memory of their own to be undone."""

HINT = "save it again by torch.export.save"


class ArchiveFile(io.RawIOBase):
    """The bytes of an archive as a file for `zipfile`."""

    def __init__(self, read: ReadRange, size: int) -> None:
        self._read, self._size, self._at = read, size, 0

    def seekable(self) -> bool:
        """Always."""
        return True

    def readable(self) -> bool:
        """Always."""
        return True

    def tell(self) -> int:
        """The position."""
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Move to a position. Raises BadZipFile before the start."""
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        if start + offset < 0:
            raise zipfile.BadZipFile
        self._at = start + offset
        return self._at

    def read(self, size: int = -1) -> bytes:
        """The next bytes. Raises BadZipFile if they are too many."""
        wanted = max(0, self._size - self._at)
        wanted = wanted if size < 0 else min(size, wanted)
        if wanted > MAX_DIRECTORY_BYTES:
            raise zipfile.BadZipFile
        data = self._read(self._at, wanted) if wanted else b""
        self._at += len(data)
        return data


def read_programs(read: ReadRange, size: int) -> list[tuple[str, bytes]]:
    """Names and JSON of the programs in an archive. Raises Unshowable."""
    try:
        with zipfile.ZipFile(ArchiveFile(read, size)) as archive:
            found = [(match, info) for info in archive.infolist() if (match := PROGRAM.search(info.filename))]
            programs, left = list[tuple[str, bytes]](), MAX_JSON_BYTES
            for match, info in found[:MAX_PROGRAMS]:
                programs.append((match[1] or "model", read_entry(archive, info, left)))
                left -= len(programs[-1][1])
            return programs
    except Unshowable:
        raise
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, RuntimeError, ValueError):
        raise Unshowable(
            "the file is no archive that can be read", hint="its writer may have been interrupted"
        ) from None


def read_entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> bytes:
    """The bytes of an entry, whatever size it says to have. Raises Unshowable if they are more than `most`."""
    if info.compress_type not in READABLE:
        raise Unshowable("the program in the archive is compressed in a way that is not read", hint=HINT)
    data = bytearray()
    with archive.open(info) as entry:
        while piece := entry.read(CHUNK_BYTES):
            cancellation.check()
            data += piece
            if len(data) > most:
                raise Unshowable(f"the program has more than {MAX_JSON_BYTES >> 20} MB")
    return bytes(data)
