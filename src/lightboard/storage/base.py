"""What every place that holds bytes can do: list, stat, read a range.

Not here: what the bytes mean. Paths are relative to the storage, with `/`, and "" is its top. Names of the local file
system that are not text keep their bytes as surrogate escapes, so that they can be opened; `printable` makes them fit
to show.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol


class ObjectInfo(NamedTuple):
    """One file as it is now. `identity` changes when another file takes its name; `mtime_ns` in ns since the epoch.

    In an object store every change of a file puts another one in its place.
    """

    path: str
    size: int
    mtime_ns: int
    identity: str


class Folder(NamedTuple):
    """One folder as listed: the chosen files (sorted by name), the folders below, and how many files it holds in all.

    `links` are those of the folders that are links; `linked` says that a chosen file is one, so that its bytes may
    change without this folder noticing. `skipped` counts links that lead out of what may be shown: none is followed.
    """

    path: str
    files: list[ObjectInfo]
    folders: list[str]
    seen: int
    links: list[str]
    linked: bool
    skipped: int = 0


GONE = (FileNotFoundError, NotADirectoryError)
"""Errors that say for certain that nothing is there any more; after any other it may only be out of reach."""

Select = Callable[[str], bool]
OnError = Callable[[str, OSError], None]


def every(_name: str) -> bool:
    """Choose all files."""
    return True


def ignore(_path: str, _error: OSError) -> None:
    """Drop an error of a listing."""


class Storage(Protocol):
    """A tree of files that can be read. Every method may raise `OSError`; `FileNotFoundError` where nothing is.

    `remote`: every look is a request over a network, which takes its time and may be charged. `local`: files are those
    of this machine, and have descriptors.
    """

    url: str
    remote: bool
    local: bool

    def walk(
        self, root: str = "", *, deep: bool = True, select: Select = every, on_error: OnError = ignore
    ) -> Iterator[Folder]:
        """The folder `root` and, when `deep`, all below it, parents first, each level in name order.

        `select` gets the base name of a file; only chosen files are looked at and listed. Linked folders are followed;
        one that leads back to a folder above itself is left out. A folder or file that cannot be read, and a `root`
        that is not there, go to `on_error` with their path; the walk goes on.
        """
        ...

    def stat(self, path: str) -> ObjectInfo:
        """The file at `path`, links followed."""
        ...

    def read(self, path: str, offset: int, length: int) -> bytes:
        """Up to `length` bytes from `offset`; fewer only where the file ends."""
        ...

    def below(self, folder: str) -> "Storage":
        """The folder, links on the way to it followed, as a storage of its own that nothing leads out of.

        Links within are followed; with one that leads out, all but `walk` raise `LeadsOutside`.
        """
        ...

    def open_fd(self, path: str) -> int | None:
        """A read-only descriptor, to be closed by the caller; None where there are no descriptors."""
        ...

    def locate(self, path: str) -> str:
        """Where `path` lies, in full and as printable text: for messages."""
        ...


def printable(path: str) -> str:
    r"""`path` as valid Unicode: bytes that are not text come out as `\xff`."""
    if path.isascii():
        return path
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def join(folder: str, name: str) -> str:
    """The path of `name` in `folder`; either may be ""."""
    return f"{folder}/{name}" if folder and name else folder or name


def split(path: str) -> tuple[str, str]:
    """The folder and the base name of `path`."""
    folder, _, name = path.rpartition("/")
    return folder, name
