"""A ZIP archive that is sent while it is made. Knows nothing of what is in it."""

import zipfile
from collections.abc import Iterable, Iterator
from typing import NamedTuple

LEVEL = 1
"""Numbers as text shrink about threefold; higher levels take much longer for little."""

LARGE_BYTES = 1 << 31
"""Longer files need the form for large ones, which old programs cannot unpack: only they get it."""


class Member(NamedTuple):
    """One file of an archive: its path, its bytes, and how many they will be at most."""

    path: str
    pieces: Iterable[bytes]
    most_bytes: int


class Outlet:
    """Where the archive is written: keeps what nobody has taken yet. Cannot go back, as a connection cannot."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._pieces.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        pass

    def take(self) -> bytes:
        """Everything written since the last time."""
        taken = b"".join(self._pieces)
        self._pieces.clear()
        return taken


def zipped(members: Iterable[Member]) -> Iterator[bytes]:
    """The archive of `members`, which are made one after another as it goes.

    Files bear no time, so that equal members give equal bytes.
    """
    outlet = Outlet()
    with zipfile.ZipFile(outlet, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:  # type: ignore[call-overload]  # asks for less than typed
        for member in members:
            with archive.open(member.path, "w", force_zip64=member.most_bytes >= LARGE_BYTES) as file:
                for piece in member.pieces:
                    file.write(piece)
                    yield outlet.take()
    yield outlet.take()
