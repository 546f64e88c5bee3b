"""ZIP archives that are sent while they are written."""

import io
import zipfile
from collections.abc import Iterator

from lightboard.board.export.archive import Member, zip_pieces


def test_files_round_trip() -> None:
    """Names and bytes, in order, also empty ones."""
    members = [Member("a/каша.csv", [b"1,2\r\n", b"3"], 10), Member("empty", [], 0), Member("b", [b"x" * 10**6], 10**6)]
    archive = zipfile.ZipFile(io.BytesIO(b"".join(zip_pieces(members))))

    assert archive.testzip() is None
    assert [(name, archive.read(name)) for name in archive.namelist()] == [
        ("a/каша.csv", b"1,2\r\n3"),
        ("empty", b""),
        ("b", b"x" * 10**6),
    ]


def test_chunks_are_sent_immediately() -> None:
    """The first before the second file is requested."""
    asked = []

    def pieces() -> Iterator[bytes]:
        for number in range(3):
            asked.append(number)
            yield bytes(range(256)) * 4096

    maker = zip_pieces([Member("a", pieces(), 10**6)])

    assert (len(next(maker)) > 0, asked) == (True, [0])


def test_only_huge_files_use_zip64() -> None:
    """Old programs cannot unpack it."""
    small, huge = (b"".join(zip_pieces([Member("a", [b"x"], most)])) for most in (1, 1 << 32))

    assert (small[4:6], huge[4:6]) == (b"\x14\x00", b"\x2d\x00")
    assert zipfile.ZipFile(io.BytesIO(huge)).read("a") == b"x"
