"""Lists folders below a root of a project, one page at a time and with bounded work.

Files are only opened through a confined storage. The database is not used here, because this code runs in threads that
may hang.
"""

import os
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from lightboard.errors import OutsideRoot
from lightboard.ingest.logdir import is_event_file
from lightboard.storage.base import join
from lightboard.storage.confined import ConfinedStorage
from lightboard.storage.root import Identity, identity

CHECK_CLOCK_EVERY = 1024


class FolderTree(NamedTuple):
    """A folder to browse. If `sealed`, nothing outside of it is shown; else links may lead into all `roots`.

    `refused` is never shown. `disk` is equal for trees that are likely to hang together.
    """

    folder: str
    roots: tuple[str, ...]
    refused: tuple[str, ...]
    sealed: bool
    disk: str


class FolderInfo(NamedTuple):
    """`logs` says whether the folder or a direct subfolder contains event files; None if unknown.

    `modified_at` is the last change of the folder or of one of its event files.
    """

    name: str
    logs: bool | None
    modified_at: float | None


class FolderPage(NamedTuple):
    """`logs`: the folder itself contains event files. `complete` is False if some entries were not examined.

    `links_skipped` counts links that lead out of the roots, `names_skipped` names that a source cannot have.
    """

    folders: list[FolderInfo]
    total: int
    logs: bool
    links_skipped: int
    names_skipped: int
    complete: bool


@dataclass(frozen=True)
class Limits:
    """Limits for one request: entries and links of the folder, and of each listed subfolder."""

    entries: int = 200_000
    links: int = 1_000
    look_entries: int = 500
    look_folders: int = 4
    look_files: int = 8
    secs: float = 2.0


LIMITS = Limits()


@dataclass
class Scan:
    """The result of reading the names in a folder."""

    names: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    logs: bool = False
    links_skipped: int = 0
    names_skipped: int = 0
    complete: bool = True


class FolderReader:
    """Reads the folders of one tree for one request. Its time limit starts now. Methods raise OSError."""

    def __init__(self, tree: FolderTree, limits: Limits = LIMITS, clock: Callable[[], float] = time.monotonic) -> None:
        storage = ConfinedStorage(tree.folder, tree.roots, tree.refused)
        self._storage = storage.subfolder("") if tree.sealed else storage
        self._refused = identities(tree.refused)
        self._inodes = {each.inode for each in self._refused}
        self._limits = limits
        self._clock = clock
        self._end = clock() + limits.secs
        self._links_left = limits.links

    def page(
        self, path: str, *, prefix: str = "", first: int = 0, size: int = 100, can_name: Callable[[str], bool] = bool
    ) -> FolderPage:
        """Up to `size` folders whose names begin with `prefix`, sorted by name, starting with the `first`.

        Case is ignored. `can_name` says whether a source can refer to a name.
        """
        found = self._scan(path, prefix.casefold(), can_name)
        self._follow(path, found)
        names = sorted(found.names, key=lambda name: (name.casefold(), name))
        shown = [self._look(path, name) for name in names[first : first + size]]
        return FolderPage(
            folders=[folder for folder in shown if folder is not None],
            total=len(names),
            logs=found.logs,
            links_skipped=found.links_skipped,
            names_skipped=found.names_skipped,
            complete=found.complete,
        )

    def _is_late(self) -> bool:
        return self._clock() >= self._end

    def _scan(self, path: str, prefix: str, can_name: Callable[[str], bool]) -> Scan:
        """Reads the names only, without examining the entries."""
        found = Scan()
        fd = self._storage.open_folder(path)
        try:
            with os.scandir(fd) as entries:
                for number, entry in enumerate(entries, 1):
                    if number > self._limits.entries or (number % CHECK_CLOCK_EVERY == 0 and self._is_late()):
                        found.complete = False
                        break
                    is_link = entry.is_symlink()
                    if is_event_file(entry.name) and not found.logs:
                        found.logs = self._is_file(path, entry)
                    if not is_link and not entry.is_dir(follow_symlinks=False):
                        continue
                    if not entry.name.casefold().startswith(prefix) or self._is_refused(entry):
                        continue
                    if can_name(entry.name):
                        (found.links if is_link else found.names).append(entry.name)
                    else:
                        found.names_skipped += 1
        finally:
            os.close(fd)
        return found

    def _is_refused(self, entry: "os.DirEntry[str]") -> bool:
        """Whether an entry is never shown. Its inode is read with the name, so a stat is rarely needed."""
        if entry.inode() not in self._inodes:
            return False
        return identity(entry.stat(follow_symlinks=False)) in self._refused

    def _follow(self, path: str, found: Scan) -> None:
        """Adds the links that lead to folders."""
        found.links.sort()
        for name in found.links:
            if self._links_left <= 0 or self._is_late():
                found.complete = False
                return
            self._links_left -= 1
            try:
                os.close(self._storage.open_folder(join(path, name)))
                found.names.append(name)
            except OutsideRoot:
                found.links_skipped += 1
            except OSError:
                continue  # a file, or a dangling link

    def _look(self, path: str, name: str) -> FolderInfo | None:
        """Examines a folder; None if it is gone or never shown."""
        if self._is_late():
            return FolderInfo(name, None, None)
        folder = join(path, name)
        try:
            logs, modified_at, inner = self._look_into(folder)
        except FileNotFoundError:
            return None
        except OSError:
            return FolderInfo(name, None, None)
        for each in inner:
            if logs or self._is_late():
                break
            try:
                logs = self._look_into(join(folder, each))[0]
            except OSError:
                continue
        return FolderInfo(name, logs or (None if self._is_late() else False), modified_at)

    def _look_into(self, path: str) -> tuple[bool, float, list[str]]:
        """Whether the first entries of a folder include event files, its last change, and its subfolders."""
        folders: list[str] = []
        files = 0
        fd = self._storage.open_folder(path)
        try:
            modified_at = os.fstat(fd).st_mtime
            with os.scandir(fd) as entries:
                for number, entry in enumerate(entries, 1):
                    if number > self._limits.look_entries:
                        break
                    if entry.is_dir(follow_symlinks=False):
                        if len(folders) < self._limits.look_folders:
                            folders.append(entry.name)
                    elif files < self._limits.look_files and is_event_file(entry.name) and self._is_file(path, entry):
                        files += 1
                        modified_at = max(modified_at, entry.stat(follow_symlinks=False).st_mtime)
        finally:
            os.close(fd)
        return files > 0, modified_at, folders

    def _is_file(self, path: str, entry: "os.DirEntry[str]") -> bool:
        """Whether an entry is a file that may be shown, or a link to one."""
        if not entry.is_symlink():
            return entry.is_file(follow_symlinks=False)
        if self._links_left <= 0:
            return False
        self._links_left -= 1
        try:
            os.close(self._storage.open_fd(join(path, entry.name)))
        except OSError:
            return False
        return True


def identities(paths: Iterable[str]) -> set[Identity]:
    """The identities of the paths that exist."""
    found = set()
    for path in paths:
        with suppress(OSError):
            found.add(identity(os.stat(path)))
    return found
