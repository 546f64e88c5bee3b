"""Local files in some root folders, and nothing else. Never opens a file for writing.

Every access starts at the open descriptor of a root and resolves downwards without following symlinks. The target of a
symlink is read and resolved again from a root; it is an error if it leaves all roots. Concurrent renames and new links
therefore never give access to other files.

Not prevented: hard links, which cannot be detected, and mounts below a root, which only administrators can create.
"""

import copy
import errno
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from typing import TypeVar

from lightboard.errors import OutsideRoot
from lightboard.storage import openat2
from lightboard.storage.base import Folder, ObjectInfo, OnError, Select, ignore_error, join, printable, select_all
from lightboard.storage.files import MAX_VISITS, info_of, read_fd
from lightboard.storage.root import LINK_ERRNOS, TRAVERSE_FLAGS, Identity, Root, identity, parts_of, root_at

MAX_LINKS = 40
"""A path with more links is a loop, as in the kernel."""

MAX_CHECKED = 1 << 16
"""The maximum number of folders remembered as checked."""

FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC

KERNEL_FOLDERS = ("/proc", "/sys")
"""Their files contain information about processes and the machine."""

T = TypeVar("T")
Parts = tuple[str, ...]


class _SymlinkError(Exception):
    """A name that should be a file or folder is a symlink."""


class ConfinedStorage:
    """The tree below `folder`, as far as it is in one of `roots` (by default the folder itself).

    All are real paths. `refused` are folders and files that are never shown. They are matched by identity, whatever
    their name, and also by name, since a new file with that name has no known identity before the next listing.
    """

    remote = False
    local = True

    def __init__(self, folder: str, roots: Sequence[str] = (), refused: Sequence[str] = ()) -> None:
        self.folder = os.path.abspath(folder)
        self.url = printable(self.folder)
        self._top = parts_of(self.folder)
        self._top_limit: Parts = ()
        self._roots = {root.parts: root for root in map(root_at, roots or [self.folder])}
        self._refused_paths = tuple(refused)
        self._refused_names = frozenset(map(parts_of, refused))
        self._refused: set[Identity] = set()
        self._checked: dict[Parts, Identity] = {}
        self._update_refused()

    # The protocol

    def locate(self, path: str) -> str:
        return printable(os.path.join(self.folder, path) if path else self.folder)

    def stat(self, path: str) -> ObjectInfo:
        return info_of(path, self._run_at(path, self._stat))

    def open_fd(self, path: str) -> int:
        return self._run_at(path, self._open_file)

    def open_folder(self, path: str) -> int:
        """A read-only descriptor of a folder that the caller must close. Raises OSError."""
        return self._run_at(path, self._open_folder_fd)

    def read(self, path: str, offset: int, length: int) -> bytes:
        fd = self.open_fd(path)
        try:
            return read_fd(fd, offset, length)
        finally:
            os.close(fd)

    def subfolder(self, folder: str) -> "ConfinedStorage":
        fd, name, at = self._resolve(folder)
        os.close(fd)
        inner = copy.copy(self)
        inner._top = inner._top_limit = at if name == "." else (*at, name)
        inner.folder = "/" + "/".join(inner._top)
        inner.url = printable(inner.folder)
        return inner

    def walk(
        self, root: str = "", *, deep: bool = True, select: Select = select_all, on_error: OnError = ignore_error
    ) -> Iterator[Folder]:
        if not root:
            self._update_refused()
            for each in self._roots.values():
                each.refresh()
        visits: dict[Identity, int] = {}
        pending = [root]
        while pending:
            path = pending.pop()
            try:
                folder = self._list(path, select, on_error, visits)
            except OutsideRoot as error:
                if path == root:
                    on_error(path, error)
                continue
            except OSError as error:
                on_error(path, error)
                continue
            yield folder
            if deep:
                pending.extend(reversed(folder.folders))

    # Listing

    def _list(self, path: str, select: Select, on_error: OnError, visits: dict[Identity, int]) -> Folder:
        files: list[ObjectInfo] = []
        folders: list[str] = []
        links: list[str] = []
        seen = skipped = 0
        linked = False
        fd = self.open_folder(path)
        try:
            with os.scandir(fd) as entries:
                for entry in entries:
                    below = join(path, entry.name)
                    try:
                        target = self._target(below, entry, select) if entry.is_symlink() else None
                        if target is not None and stat.S_ISDIR(target.st_mode):
                            if self._may_follow(below, identity(target), visits):
                                links.append(below)
                        elif target is None and entry.is_dir(follow_symlinks=False):
                            folders.append(below)
                        else:
                            seen += 1
                            if select(entry.name):
                                status = target or entry.stat(follow_symlinks=False)
                                self._check(identity(status))
                                if stat.S_ISREG(status.st_mode):
                                    files.append(info_of(below, status))
                                    linked = linked or target is not None
                    except OutsideRoot:
                        skipped += 1
                    except OSError as error:
                        on_error(below, error)
        finally:
            os.close(fd)
        files.sort()
        return Folder(path, files, sorted(folders + links), seen, sorted(links), linked, skipped)

    def _target(self, path: str, entry: "os.DirEntry[str]", select: Select) -> os.stat_result:
        """The stat of a link's target. A broken link that is not selected is not an error."""
        try:
            return self._run_at(path, self._stat)
        except OutsideRoot:
            raise
        except FileNotFoundError:
            if select(entry.name):
                raise
            return entry.stat(follow_symlinks=False)

    def _may_follow(self, path: str, target: Identity, visits: dict[Identity, int]) -> bool:
        """Whether to follow a linked folder. Only links can form loops, so only they are checked."""
        visits[target] = visits.get(target, 0) + 1
        if visits[target] > MAX_VISITS:
            return False
        above = path
        while above:
            above = above.rpartition("/")[0]
            if identity(self._run_at(above, self._stat)) == target:
                return False
        return True

    # Actions on a name in an open folder. They raise _SymlinkError if the name is a link.

    def _open_file(self, folder: int, name: str) -> int:
        try:
            # Non-blocking, because opening a FIFO with the name of an event file would block forever.
            fd = os.open(name, FILE_FLAGS, dir_fd=folder)
        except OSError as error:
            if error.errno in LINK_ERRNOS and _read_link(folder, name) is not None:
                raise _SymlinkError from None
            raise
        return self._checked_fd(fd, stat.S_ISREG, "not a regular file")[0]

    def _stat(self, folder: int, name: str) -> os.stat_result:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if stat.S_ISLNK(status.st_mode):
            raise _SymlinkError
        self._check(identity(status))
        return status

    def _open_folder_fd(self, folder: int, name: str) -> int:
        return self._step(folder, name, FOLDER_FLAGS)[0]

    def _step(self, folder: int, name: str, flags: int) -> tuple[int, Identity]:
        try:
            fd = os.open(name, flags, dir_fd=folder)
        except OSError as error:
            if error.errno in LINK_ERRNOS and _read_link(folder, name) is not None:
                raise _SymlinkError from None
            raise
        return self._checked_fd(fd, stat.S_ISDIR, "not a folder")

    def _checked_fd(self, fd: int, is_kind: Callable[[int], bool], otherwise: str) -> tuple[int, Identity]:
        """The descriptor, if it is of the right kind and not refused. Otherwise closes it and raises OSError."""
        try:
            status = os.fstat(fd)
            found = identity(status)
            self._check(found)
            if not is_kind(status.st_mode):
                raise OSError(otherwise)
        except OSError:
            os.close(fd)
            raise
        return fd, found

    def _check(self, found: Identity) -> None:
        if found in self._refused or found.device in _kernel_devices():
            raise OutsideRoot("access is not allowed")

    # Path resolution

    def _run_at(self, path: str, action: Callable[[int, str], T]) -> T:
        """Run `action` on the last name of `path` in its folder, with links followed."""
        if not _is_valid_path(path):
            raise FileNotFoundError(errno.ENOENT, "invalid file name")
        folder, _, name = path.rpartition("/")
        names = tuple(folder.split("/")) if folder else ()
        if name and not _NOT_NAMES.intersection((name, *names)):
            self._check_name((*self._top, *names, name))
            try:
                return self._run_in(self._open_at((*self._top, *names), TRAVERSE_FLAGS), name, action)
            except _SymlinkError:
                pass
        try:
            fd, name, _ = self._resolve(path)
            return self._run_in(fd, name, action)
        except _SymlinkError:
            raise _replaced_error() from None

    @staticmethod
    def _run_in(folder: int, name: str, action: Callable[[int, str], T]) -> T:
        try:
            return action(folder, name)
        finally:
            os.close(folder)

    def _open_at(self, at: Parts, flags: int) -> int:
        """A descriptor of the folder at this real path, which the caller must close. Fails if a link is on the way."""
        root = self._root_of(at)
        if root is None:
            raise OutsideRoot("it leads out of the allowed folders")
        descriptor = root.open()
        if root.parts == at:
            return self._step(descriptor.fd, ".", flags)[0]
        known = self._checked.get(at)
        if known is not None and openat2.is_available():
            fd = self._open_with_openat2(descriptor.fd, "/".join(at[len(root.parts) :]), flags, known)
            if fd >= 0:
                return fd
        return self._open_step_by_step(descriptor.fd, at, len(root.parts), flags)

    @staticmethod
    def _open_with_openat2(root: int, path: str, flags: int, known: Identity) -> int:
        """The same in one system call, if it leads to the folder that was checked before; else -1."""
        try:
            fd = openat2.open_beneath(root, path, flags)
        except OSError:
            return -1  # opening step by step reports the reason
        if identity(os.fstat(fd)) == known:
            return fd
        os.close(fd)
        return -1

    def _open_step_by_step(self, root: int, at: Parts, start: int, flags: int) -> int:
        fd, found = self._step(root, ".", TRAVERSE_FLAGS)
        try:
            for end in range(start + 1, len(at) + 1):
                inner, found = self._step(fd, at[end - 1], TRAVERSE_FLAGS if end < len(at) else flags)
                os.close(fd)
                fd = inner
                self._remember_checked(at[:end], found)
        except BaseException:
            os.close(fd)
            raise
        return fd

    def _resolve(self, path: str) -> tuple[int, str, Parts]:
        """Follow all links. Returns a descriptor of the folder, which the caller must close, a name in it that is not a
        link, and its real path.

        `at` is the real path so far, and `todo` the remaining names in reverse. Nothing outside the roots is accessed;
        there, `at` is only a string that may lead into a root again.
        """
        at: Parts = ()
        todo = [*self._top, *path.split("/")][::-1]
        fd, links = -1, 0
        try:
            while todo:
                if fd < 0:
                    at, todo = self._skip_to_root(at, todo)
                    if not todo:
                        break
                name = todo.pop()
                if name in ("", "."):
                    continue
                if name == "..":
                    at, fd = at[:-1], _close(fd)
                    continue
                if fd < 0:
                    if self._root_of(at) is None:
                        at = (*at, name)
                        continue
                    fd = self._open_at(at, TRAVERSE_FLAGS)
                target = _read_link(fd, name)
                if target is not None:
                    links += 1
                    if links > MAX_LINKS:
                        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
                    todo.extend(reversed(target.split("/")))
                    at, fd = (() if target.startswith("/") else at), _close(fd)
                elif any(each not in ("", ".") for each in todo):
                    inner, _ = self._step(fd, name, TRAVERSE_FLAGS)
                    os.close(fd)
                    at, fd = (*at, name), inner
                else:
                    self._check_limit((*at, name))
                    self._check_name((*at, name))
                    found, fd = fd, -1
                    return found, name, at
            self._check_limit(at)
            return self._open_at(at, TRAVERSE_FLAGS), ".", at
        except _SymlinkError:
            raise _replaced_error() from None
        finally:
            _close(fd)

    def _check_name(self, at: Parts) -> None:
        if at in self._refused_names:
            raise OutsideRoot("access is not allowed")

    def _check_limit(self, at: Parts) -> None:
        if at[: len(self._top_limit)] != self._top_limit:
            raise OutsideRoot("it leads out of its folder")

    def _skip_to_root(self, at: Parts, todo: list[str]) -> tuple[Parts, list[str]]:
        """Continue at the deepest root that the remaining path names: the folders between must not be accessed."""
        best, ahead, left = (at, todo), at, list(todo)
        while left and left[-1] != "..":
            name = left.pop()
            ahead = (*ahead, name) if name not in ("", ".") else ahead
            if ahead in self._roots:
                best = ahead, list(left)
        return best

    def _root_of(self, at: Parts) -> Root | None:
        """The deepest root that is this folder or one of its parents."""
        for end in range(len(at), -1, -1):
            root = self._roots.get(at[:end])
            if root is not None:
                return root
        return None

    # Refused files

    def _update_refused(self) -> None:
        """Update the identities of refused files. Known ones stay refused, because the files may have been moved."""
        found = set(self._refused)
        for path in self._refused_paths:
            with suppress(OSError):  # does not exist
                found.add(identity(os.stat(path)))
        if found != self._refused:
            self._refused = found
            self._checked.clear()

    def _remember_checked(self, at: Parts, found: Identity) -> None:
        if len(self._checked) >= MAX_CHECKED:
            self._checked.clear()
        self._checked[at] = found


_NOT_NAMES = frozenset(("", ".", ".."))


def _replaced_error() -> FileNotFoundError:
    return FileNotFoundError(errno.ENOENT, "it was replaced by a link during the access")


@cache
def _kernel_devices() -> frozenset[int]:
    return frozenset(os.stat(path).st_dev for path in KERNEL_FOLDERS if os.path.ismount(path))


def _is_valid_path(path: str) -> bool:
    """Whether system calls accept this path."""
    try:
        return b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False


def _read_link(folder: int, name: str) -> str | None:
    """The target of a link; None if it is not a link."""
    try:
        return os.readlink(name, dir_fd=folder)
    except OSError as error:
        if error.errno == errno.EINVAL:
            return None
        raise


def _close(fd: int) -> int:
    """Close a descriptor unless it is -1. Returns -1."""
    if fd >= 0:
        os.close(fd)
    return -1
