"""An archive that is sent while it is made."""

import io
import zipfile
from collections.abc import Iterator

from lightboard.board.export.archive import Member, zipped


def test_what_goes_in_comes_out() -> None:
    """In order, names and bytes, also where nothing is in it."""
    members = [Member("a/каша.csv", [b"1,2\r\n", b"3"], 10), Member("empty", [], 0), Member("b", [b"x" * 10**6], 10**6)]
    archive = zipfile.ZipFile(io.BytesIO(b"".join(zipped(members))))

    assert archive.testzip() is None
    assert [(name, archive.read(name)) for name in archive.namelist()] == [
        ("a/каша.csv", b"1,2\r\n3"),
        ("empty", b""),
        ("b", b"x" * 10**6),
    ]


def test_it_is_sent_while_it_is_made() -> None:
    """Nothing waits for the end: the first bytes come before the second piece is asked for."""
    asked = []

    def pieces() -> Iterator[bytes]:
        for number in range(3):
            asked.append(number)
            yield bytes(range(256)) * 4096

    maker = zipped([Member("a", pieces(), 10**6)])

    assert (len(next(maker)) > 0, asked) == (True, [0])


def test_only_a_huge_file_takes_the_form_for_huge_ones() -> None:
    """Old programs cannot unpack that."""
    small, huge = (b"".join(zipped([Member("a", [b"x"], most)])) for most in (1, 1 << 32))

    assert (small[4:6], huge[4:6]) == (b"\x14\x00", b"\x2d\x00")
    assert zipfile.ZipFile(io.BytesIO(huge)).read("a") == b"x"
