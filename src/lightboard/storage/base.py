"""The interface of storages: list folders, stat files, read ranges of bytes.

Paths are relative to the storage, with `/`; "" is its root. Names of local files that are not valid text keep their
bytes as surrogate escapes, so that they can be opened; `printable` converts them for display.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol


class ObjectInfo(NamedTuple):
    """The current state of a file. `identity` changes when another file takes its name; `mtime_ns` in ns since the
    epoch.

    In an object store, every change of a file replaces it.
    """

    path: str
    size: int
    mtime_ns: int
    identity: str


class Folder(NamedTuple):
    """One listed folder: the selected files (sorted by name), the subfolders, and the number of all files.

    `links` are the subfolders that are links. `linked`: a selected file is a link, so its bytes may change without a
    change of this folder. `skipped` counts links that were not followed because they lead out of the allowed folders.
    """

    path: str
    files: list[ObjectInfo]
    folders: list[str]
    seen: int
    links: list[str]
    linked: bool
    skipped: int = 0


GONE_ERRORS = (FileNotFoundError, NotADirectoryError)
"""Errors that mean that a file no longer exists. After any other error it may only be unavailable."""

Select = Callable[[str], bool]
OnError = Callable[[str, OSError], None]


def select_all(_name: str) -> bool:
    """Select all files."""
    return True


def ignore_error(_path: str, _error: OSError) -> None:
    """Ignore an error of a listing."""


class Storage(Protocol):
    """A tree of readable files. Every method may raise `OSError`, and `FileNotFoundError` if there is nothing.

    `remote`: every call is a network request, which takes time and may cost money. `local`: the files are on this
    machine and have descriptors.
    """

    url: str
    remote: bool
    local: bool

    def walk(
        self, root: str = "", *, deep: bool = True, select: Select = select_all, on_error: OnError = ignore_error
    ) -> Iterator[Folder]:
        """The folder `root` and, with `deep`, all folders below it, parents first, each level ordered by name.

        `select` is called with the base name of a file; only selected files are listed. Linked folders are followed,
        except those that lead to one of their parents. If a folder or file cannot be read, or `root` does not exist,
        `on_error` is called with its path, and the walk continues.
        """
        ...

    def stat(self, path: str) -> ObjectInfo:
        """The file at `path`. Links are followed."""
        ...

    def read(self, path: str, offset: int, length: int) -> bytes:
        """Up to `length` bytes from `offset`; fewer only at the end of the file."""
        ...

    def subfolder(self, folder: str) -> "Storage":
        """A folder as a separate storage that confines all paths to it. Links on the way to it are followed.

        Links inside are followed. For one that leads out, all methods but `walk` raise `OutsideRoot`.
        """
        ...

    def open_fd(self, path: str) -> int | None:
        """A read-only descriptor that the caller must close; None if the storage has no descriptors."""
        ...

    def locate(self, path: str) -> str:
        """The full path of `path` as printable text, for messages."""
        ...


def printable(path: str) -> str:
    r"""`path` as valid Unicode: invalid bytes become `\xff`."""
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
