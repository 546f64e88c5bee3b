"""Local files. Never opens a file for writing."""

import os
import stat
from collections.abc import Iterator

from lightboard.storage.base import (
    Folder,
    ObjectInfo,
    OnError,
    Select,
    Storage,
    ignore_error,
    join,
    printable,
    select_all,
)
from lightboard.storage.files import MAX_VISITS, info_of, read_fd

_OPEN = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class LocalStorage:
    """The tree below one folder, which need not exist yet."""

    remote = False
    local = True

    def __init__(self, folder: str) -> None:
        self.folder = os.path.abspath(os.path.expanduser(folder))
        self.url = printable(self.folder)

    def full_path(self, path: str) -> str:
        """The path for system calls."""
        return os.path.join(self.folder, path) if path else self.folder

    def locate(self, path: str) -> str:
        return printable(self.full_path(path))

    def stat(self, path: str) -> ObjectInfo:
        return info_of(path, os.stat(self.full_path(path)))

    def subfolder(self, folder: str) -> Storage:
        from lightboard.storage.confined import ConfinedStorage  # not at the top, because most boards do not need it

        return ConfinedStorage(os.path.realpath(self.full_path(folder)))

    def open_fd(self, path: str) -> int:
        # Non-blocking, because opening a FIFO with the name of an event file would block forever.
        fd = os.open(self.full_path(path), _OPEN)
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            os.close(fd)
            raise OSError(f"not a regular file: {self.locate(path)}")
        return fd

    def read(self, path: str, offset: int, length: int) -> bytes:
        fd = self.open_fd(path)
        try:
            return read_fd(fd, offset, length)
        finally:
            os.close(fd)

    def walk(
        self, root: str = "", *, deep: bool = True, select: Select = select_all, on_error: OnError = ignore_error
    ) -> Iterator[Folder]:
        visits: dict[tuple[int, int], int] = {}
        pending = [root]
        while pending:
            path = pending.pop()
            try:
                folder = self._list(path, select, on_error, visits)
            except OSError as error:
                on_error(path, error)
                continue
            yield folder
            if deep:
                pending.extend(reversed(folder.folders))

    def _list(self, path: str, select: Select, on_error: OnError, visits: dict[tuple[int, int], int]) -> Folder:
        files: list[ObjectInfo] = []
        folders: list[str] = []
        links: list[str] = []
        seen = 0
        linked = False
        with os.scandir(self.full_path(path)) as entries:
            for entry in entries:
                below = join(path, entry.name)
                try:
                    if entry.is_dir():
                        if not entry.is_symlink():
                            folders.append(below)
                        elif self._may_follow(below, visits):
                            links.append(below)
                        continue
                    seen += 1
                    if select(entry.name):
                        status = entry.stat()
                        if stat.S_ISREG(status.st_mode):
                            files.append(info_of(below, status))
                            linked = linked or entry.is_symlink()
                except OSError as error:
                    on_error(below, error)
        files.sort()
        return Folder(path, files, sorted(folders + links), seen, sorted(links), linked)

    def _may_follow(self, path: str, visits: dict[tuple[int, int], int]) -> bool:
        """Whether to follow a linked folder. Only links can form loops, so only they are checked."""
        target = _identity(os.stat(self.full_path(path)))
        visits[target] = visits.get(target, 0) + 1
        if visits[target] > MAX_VISITS:
            return False
        above = path
        while above:
            above = above.rpartition("/")[0]
            if _identity(os.stat(self.full_path(above))) == target:
                return False
        return True


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino
