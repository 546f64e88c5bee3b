"""A fake storage in memory. Tests make its files grow, shrink, be replaced, vanish or become unreadable."""

import errno
import os
import posixpath
import threading
from collections.abc import Callable, Iterator

from lightboard.errors import OutsideRoot
from lightboard.storage.base import (
    Folder,
    ObjectInfo,
    OnError,
    Select,
    ignore_error,
    join,
    printable,
    select_all,
    split,
)


class _File:
    __slots__ = ("data", "identity", "mtime_ns")

    def __init__(self, data: bytes, identity: int, mtime_ns: int) -> None:
        self.data = data
        self.identity = identity
        self.mtime_ns = mtime_ns


class MemoryStorage:
    """Files by path. Every change advances a clock by one second, so that no two states are equal.

    `before_read(path, offset)` is called before each read, so that a file can change between two reads of one visit.
    """

    def __init__(self, files: dict[str, bytes] | None = None, *, url: str = "memory://", remote: bool = False) -> None:
        self.url = url
        self.remote = remote
        self.local = False
        self.before_read: Callable[[str, int], None] | None = None
        self.reads: list[tuple[str, int, int]] = []
        self._files: dict[str, _File] = {}
        self._links: dict[str, str] = {}
        self._denied: set[str] = set()
        self._exhausted = False
        self._steps: list[Callable[[], None]] = []
        self._clock = 1_700_000_000
        self._serial = 0
        self._lock = threading.RLock()
        for path, data in (files or {}).items():
            self.write(path, data)

    # Changes

    def write(self, path: str, data: bytes) -> None:
        """Create the file, or replace its bytes without changing its identity."""
        with self._lock:
            file = self._files.get(path)
            if file is None:
                self._serial += 1
                self._files[path] = _File(bytes(data), self._serial, self._tick())
            else:
                file.data, file.mtime_ns = bytes(data), self._tick()

    def append(self, path: str, data: bytes) -> None:
        """Append to the file, which is created if necessary."""
        with self._lock:
            file = self._files.get(path)
            self.write(path, (file.data if file else b"") + data)

    def truncate(self, path: str, size: int) -> None:
        """Truncate the file to `size` bytes."""
        self.write(path, self._file(path).data[:size])

    def replace(self, path: str, data: bytes) -> None:
        """Replace the file by another of the same name, as a rename does."""
        with self._lock:
            self._files.pop(path, None)
            self.write(path, data)

    def touch(self, path: str) -> None:
        """Change only the modification time."""
        self.write(path, self._file(path).data)

    def remove(self, path: str) -> None:
        """Delete a file, or a folder with everything below it."""
        with self._lock:
            gone = [name for name in self._files if name == path or name.startswith(path + "/")]
            for name in gone:
                del self._files[name]
            self._links.pop(path, None)

    def link(self, path: str, target: str) -> None:
        """Create a link to the folder `target`."""
        self._links[path] = target

    def deny(self, path: str) -> None:
        """Make the file or folder unreadable."""
        self._denied.add(path)

    def allow(self, path: str) -> None:
        """Make it readable again."""
        self._denied.discard(path)

    def exhaust_descriptors(self, *, exhausted: bool = True) -> None:
        """Simulate that the process has no descriptors left, or has some again."""
        self._exhausted = exhausted

    # Scripts

    def script(self, *steps: Callable[[], None]) -> None:
        """Add changes, one for each call of `advance`."""
        self._steps.extend(steps)

    def advance(self) -> bool:
        """Make the next change. False if none is left."""
        if not self._steps:
            return False
        self._steps.pop(0)()
        return True

    # The protocol

    def locate(self, path: str) -> str:
        return printable(self.url + path)

    def open_fd(self, path: str) -> None:  # noqa: ARG002  # named by the protocol
        return None

    def subfolder(self, folder: str) -> "MemorySubfolder":
        return MemorySubfolder(self, self._resolve(folder))

    def is_within(self, folder: str, path: str) -> bool:
        """Whether `path`, with links followed, is in the real folder `folder`."""
        inside = posixpath.normpath("/" + folder).rstrip("/") + "/"
        return f"{posixpath.normpath('/' + self._resolve(path))}/".startswith(inside)

    def stat(self, path: str) -> ObjectInfo:
        with self._lock:
            return self._info(path)

    def read(self, path: str, offset: int, length: int) -> bytes:
        if self.before_read is not None:
            self.before_read(path, offset)
        with self._lock:
            self._check(path)
            self.reads.append((path, offset, length))
            return self._file(path).data[offset : offset + length]

    def walk(
        self, root: str = "", *, deep: bool = True, select: Select = select_all, on_error: OnError = ignore_error
    ) -> Iterator[Folder]:
        pending = [root]
        while pending:
            path = pending.pop()
            try:
                with self._lock:
                    folder = self._list(path, select)
            except OSError as error:
                on_error(path, error)
                continue
            yield folder
            if deep:
                pending.extend(reversed(folder.folders))

    # Internals

    def _tick(self) -> int:
        self._clock += 1
        return self._clock * 1_000_000_000

    def _resolve(self, path: str) -> str:
        for link, target in self._links.items():
            if path == link or path.startswith(link + "/"):
                return self._resolve(join(target, path[len(link) + 1 :]))
        return path

    def _check(self, path: str) -> None:
        if self._exhausted:
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE), path)
        above = self._resolve(path)
        while above:
            if above in self._denied:
                raise PermissionError(13, "Permission denied", path)
            above = split(above)[0]

    def _file(self, path: str) -> _File:
        file = self._files.get(self._resolve(path))
        if file is None:
            raise FileNotFoundError(2, "No such file", path)
        return file

    def _info(self, path: str) -> ObjectInfo:
        file = self._file(path)
        return ObjectInfo(path, len(file.data), file.mtime_ns, str(file.identity))

    def _list(self, path: str, select: Select) -> Folder:
        self._check(path)
        real = self._resolve(path)
        inside = f"{real}/" if real else ""
        files: list[ObjectInfo] = []
        folders: set[str] = set()
        seen = 0
        for name in (*self._files, *self._links):
            if not name.startswith(inside) or name == real:
                continue
            child, _, rest = name[len(inside) :].partition("/")
            if rest or name not in self._files:
                if not self._is_loop(join(path, child)):
                    folders.add(join(path, child))
                continue
            seen += 1
            if select(child):
                files.append(self._info(join(path, child)))
        if real and not seen and not folders:
            raise FileNotFoundError(2, "No such folder", path)
        return Folder(path, sorted(files), sorted(folders), seen, sorted(folders & self._links.keys()), False)

    def _is_loop(self, path: str) -> bool:
        if path not in self._links and self._resolve(path) == path:
            return False
        target = self._resolve(path)
        above = path
        while above:
            above = split(above)[0]
            if self._resolve(above) == target:
                return True
        return False


class MemorySubfolder:
    """A folder of such a storage as a separate storage."""

    def __init__(self, storage: MemoryStorage, folder: str) -> None:
        self.url = storage.locate(folder)
        self.remote, self.local = storage.remote, False
        self._storage = storage
        self._folder = folder

    def locate(self, path: str) -> str:
        return self._storage.locate(join(self._folder, path))

    def open_fd(self, path: str) -> None:  # noqa: ARG002  # named by the protocol
        return None

    def subfolder(self, folder: str) -> "MemorySubfolder":
        return self._storage.subfolder(self._full_path(folder))

    def stat(self, path: str) -> ObjectInfo:
        return self._storage.stat(self._full_path(path))._replace(path=path)

    def read(self, path: str, offset: int, length: int) -> bytes:
        return self._storage.read(self._full_path(path), offset, length)

    def walk(
        self, root: str = "", *, deep: bool = True, select: Select = select_all, on_error: OnError = ignore_error
    ) -> Iterator[Folder]:
        for found in self._storage.walk(join(self._folder, root), deep=deep, select=select, on_error=on_error):
            if self._storage.is_within(self._folder, found.path):
                yield found._replace(
                    path=self._relative_path(found.path),
                    files=[info._replace(path=self._relative_path(info.path)) for info in found.files],
                    folders=[self._relative_path(path) for path in found.folders],
                    links=[self._relative_path(path) for path in found.links],
                )

    def _full_path(self, path: str) -> str:
        full = join(self._folder, path)
        if not self._storage.is_within(self._folder, full):
            raise OutsideRoot("it leads out of its folder")
        return full

    def _relative_path(self, path: str) -> str:
        return path[len(self._folder) :].lstrip("/")
