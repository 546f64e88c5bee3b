"""Files of this machine below some folders, and nothing else. Opens nothing for writing, ever.

Every look starts at the open descriptor of a root and resolves downwards without following symlinks. When it meets one,
its text is read and resolved anew from a root; one that leaves all roots is an error. So renaming, linking or replacing
anything meanwhile never leads to a byte outside.

Not defended: hard links, which cannot be told from the file itself, and mounts below a root, which only an
administrator makes.
"""

import copy
import errno
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from typing import TypeVar

from lightboard.errors import LeadsOutside
from lightboard.storage import openat2
from lightboard.storage.base import Folder, ObjectInfo, OnError, Select, every, ignore, join, printable
from lightboard.storage.files import MAX_VISITS, info_of, read_fd
from lightboard.storage.root import LINK_ERRNOS, STEP, Identity, Root, identity, parts_of, root_at

MAX_LINKS = 40
"""More links on one way are a circle, as for the kernel."""

MAX_CHECKED = 1 << 16
"""So many folders are known to hold nothing that is refused above them."""

LIST = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC

KERNEL_FOLDERS = ("/proc", "/sys")
"""What is mounted there looks like files and is none: it tells of processes and machines."""

T = TypeVar("T")
Parts = tuple[str, ...]


class _LinkMet(Exception):
    """A name that should be a file or folder is a link."""


class ConfinedStorage:
    """The tree below `folder`, as far as it lies below one of `roots`: the folder itself if none is given.

    All are real paths. `refused` are folders and files that are never shown: known by identity, whatever their names,
    and by these names as well, since what comes to have one later has no known identity before the next listing.
    """

    remote = False
    local = True

    def __init__(self, folder: str, roots: Sequence[str] = (), refused: Sequence[str] = ()) -> None:
        self.folder = os.path.abspath(folder)
        self.url = printable(self.folder)
        self._top = parts_of(self.folder)
        self._limit: Parts = ()
        self._roots = {root.parts: root for root in map(root_at, roots or [self.folder])}
        self._refused_paths = tuple(refused)
        self._refused_names = frozenset(map(parts_of, refused))
        self._refused: set[Identity] = set()
        self._checked: dict[Parts, Identity] = {}
        self._note_refused()

    # The protocol

    def locate(self, path: str) -> str:
        return printable(os.path.join(self.folder, path) if path else self.folder)

    def stat(self, path: str) -> ObjectInfo:
        return info_of(path, self._at(path, self._stat))

    def open_fd(self, path: str) -> int:
        return self._at(path, self._open_file)

    def open_folder(self, path: str) -> int:
        """A read-only descriptor of a folder, to be closed by the caller. Raises OSError."""
        return self._at(path, self._open_list)

    def read(self, path: str, offset: int, length: int) -> bytes:
        fd = self.open_fd(path)
        try:
            return read_fd(fd, offset, length)
        finally:
            os.close(fd)

    def below(self, folder: str) -> "ConfinedStorage":
        fd, name, at = self._find(folder)
        os.close(fd)
        inner = copy.copy(self)
        inner._top = inner._limit = at if name == "." else (*at, name)
        inner.folder = "/" + "/".join(inner._top)
        inner.url = printable(inner.folder)
        return inner

    def walk(
        self, root: str = "", *, deep: bool = True, select: Select = every, on_error: OnError = ignore
    ) -> Iterator[Folder]:
        if not root:
            self._note_refused()
            for each in self._roots.values():
                each.refresh()
        visits: dict[Identity, int] = {}
        pending = [root]
        while pending:
            path = pending.pop()
            try:
                folder = self._list(path, select, on_error, visits)
            except LeadsOutside as error:
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
                    except LeadsOutside:
                        skipped += 1
                    except OSError as error:
                        on_error(below, error)
        finally:
            os.close(fd)
        files.sort()
        return Folder(path, files, sorted(folders + links), seen, sorted(links), linked, skipped)

    def _target(self, path: str, entry: "os.DirEntry[str]", select: Select) -> os.stat_result:
        """What a link leads to. One to nothing is a file like any other that nobody chose."""
        try:
            return self._at(path, self._stat)
        except LeadsOutside:
            raise
        except FileNotFoundError:
            if select(entry.name):
                raise
            return entry.stat(follow_symlinks=False)

    def _may_follow(self, path: str, target: Identity, visits: dict[Identity, int]) -> bool:
        """Whether a linked folder leads somewhere new. Only links can loop, so only they pay for these looks."""
        visits[target] = visits.get(target, 0) + 1
        if visits[target] > MAX_VISITS:
            return False
        above = path
        while above:
            above = above.rpartition("/")[0]
            if identity(self._at(above, self._stat)) == target:
                return False
        return True

    # What is done with a name in a folder, by the folder's descriptor; a link there raises _LinkMet

    def _open_file(self, folder: int, name: str) -> int:
        try:
            # Without O_NONBLOCK a pipe that bears an event file's name would hold the reader for ever.
            fd = os.open(name, FILE, dir_fd=folder)
        except OSError as error:
            if error.errno in LINK_ERRNOS and _link(folder, name) is not None:
                raise _LinkMet from None
            raise
        return self._checked_fd(fd, stat.S_ISREG, "not a regular file")[0]

    def _stat(self, folder: int, name: str) -> os.stat_result:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if stat.S_ISLNK(status.st_mode):
            raise _LinkMet
        self._check(identity(status))
        return status

    def _open_list(self, folder: int, name: str) -> int:
        return self._step(folder, name, LIST)[0]

    def _step(self, folder: int, name: str, flags: int) -> tuple[int, Identity]:
        try:
            fd = os.open(name, flags, dir_fd=folder)
        except OSError as error:
            if error.errno in LINK_ERRNOS and _link(folder, name) is not None:
                raise _LinkMet from None
            raise
        return self._checked_fd(fd, stat.S_ISDIR, "not a folder")

    def _checked_fd(self, fd: int, is_kind: Callable[[int], bool], otherwise: str) -> tuple[int, Identity]:
        """The descriptor, if what was opened is of the right kind and not refused; else it is closed."""
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
            raise LeadsOutside("it is never shown")

    # Ways

    def _at(self, path: str, action: Callable[[int, str], T]) -> T:
        """`action` done with the name that `path` ends with, links followed, in the folder where that is."""
        if not _may_be_path(path):
            raise FileNotFoundError(errno.ENOENT, "no file can have such a name")
        folder, _, name = path.rpartition("/")
        names = tuple(folder.split("/")) if folder else ()
        if name and not _NOT_NAMES.intersection((name, *names)):
            self._check_name((*self._top, *names, name))
            try:
                return self._in(self._enter((*self._top, *names), STEP), name, action)
            except _LinkMet:
                pass
        try:
            fd, name, _ = self._find(path)
            return self._in(fd, name, action)
        except _LinkMet:
            raise _replaced() from None

    @staticmethod
    def _in(folder: int, name: str, action: Callable[[int, str], T]) -> T:
        try:
            return action(folder, name)
        finally:
            os.close(folder)

    def _enter(self, at: Parts, flags: int) -> int:
        """A descriptor of the folder at this real path, to be closed, if no link is on the way from its root."""
        root = self._root_of(at)
        if root is None:
            raise LeadsOutside("it leads out of the folders that may be shown")
        held = root.hold()
        if root.parts == at:
            return self._step(held.fd, ".", flags)[0]
        known = self._checked.get(at)
        if known is not None and openat2.is_available():
            fd = self._enter_at_once(held.fd, "/".join(at[len(root.parts) :]), flags, known)
            if fd >= 0:
                return fd
        return self._enter_step_by_step(held.fd, at, len(root.parts), flags)

    @staticmethod
    def _enter_at_once(root: int, path: str, flags: int, known: Identity) -> int:
        """The same with one call, if it leads to the folder whose way was checked before; else -1."""
        try:
            fd = openat2.open_beneath(root, path, flags)
        except OSError:
            return -1  # the long way says why
        if identity(os.fstat(fd)) == known:
            return fd
        os.close(fd)
        return -1

    def _enter_step_by_step(self, root: int, at: Parts, done: int, flags: int) -> int:
        fd, found = self._step(root, ".", STEP)
        try:
            for end in range(done + 1, len(at) + 1):
                inner, found = self._step(fd, at[end - 1], STEP if end < len(at) else flags)
                os.close(fd)
                fd = inner
                self._note_checked(at[:end], found)
        except BaseException:
            os.close(fd)
            raise
        return fd

    def _find(self, path: str) -> tuple[int, str, Parts]:
        """Follows all links: a descriptor of the folder, to be closed, the name in it, no link, and its real path.

        `at` is the real path so far, and `todo` what is left of the way, the next name last. Outside of the roots
        nothing is looked at: `at` is then only a text that may come to lie in one again.
        """
        at: Parts = ()
        todo = [*self._top, *path.split("/")][::-1]
        fd, links = -1, 0
        try:
            while todo:
                if fd < 0:
                    at, todo = self._jump(at, todo)
                    if not todo:
                        break
                name = todo.pop()
                if name in ("", "."):
                    continue
                if name == "..":
                    at, fd = at[:-1], _closed(fd)
                    continue
                if fd < 0:
                    if self._root_of(at) is None:
                        at = (*at, name)
                        continue
                    fd = self._enter(at, STEP)
                target = _link(fd, name)
                if target is not None:
                    links += 1
                    if links > MAX_LINKS:
                        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
                    todo.extend(reversed(target.split("/")))
                    at, fd = (() if target.startswith("/") else at), _closed(fd)
                elif any(each not in ("", ".") for each in todo):
                    inner, _ = self._step(fd, name, STEP)
                    os.close(fd)
                    at, fd = (*at, name), inner
                else:
                    self._check_limit((*at, name))
                    self._check_name((*at, name))
                    found, fd = fd, -1
                    return found, name, at
            self._check_limit(at)
            return self._enter(at, STEP), ".", at
        except _LinkMet:
            raise _replaced() from None
        finally:
            _closed(fd)

    def _check_name(self, at: Parts) -> None:
        if at in self._refused_names:
            raise LeadsOutside("it is never shown")

    def _check_limit(self, at: Parts) -> None:
        if at[: len(self._limit)] != self._limit:
            raise LeadsOutside("it leads out of its folder")

    def _jump(self, at: Parts, todo: list[str]) -> tuple[Parts, list[str]]:
        """Goes on at the deepest root that the way names in full: what lies between may not be looked at."""
        best, ahead, left = (at, todo), at, list(todo)
        while left and left[-1] != "..":
            name = left.pop()
            ahead = (*ahead, name) if name not in ("", ".") else ahead
            if ahead in self._roots:
                best = ahead, list(left)
        return best

    def _root_of(self, at: Parts) -> Root | None:
        """The deepest root that is this folder or above it."""
        for end in range(len(at), -1, -1):
            root = self._roots.get(at[:end])
            if root is not None:
                return root
        return None

    # What is refused

    def _note_refused(self) -> None:
        """What once was refused stays so: it may have been moved."""
        found = set(self._refused)
        for path in self._refused_paths:
            with suppress(OSError):  # not there
                found.add(identity(os.stat(path)))
        if found != self._refused:
            self._refused = found
            self._checked.clear()

    def _note_checked(self, at: Parts, found: Identity) -> None:
        if len(self._checked) >= MAX_CHECKED:
            self._checked.clear()
        self._checked[at] = found


_NOT_NAMES = frozenset(("", ".", ".."))


def _replaced() -> FileNotFoundError:
    return FileNotFoundError(errno.ENOENT, "it was replaced by a link while it was looked at")


@cache
def _kernel_devices() -> frozenset[int]:
    return frozenset(os.stat(path).st_dev for path in KERNEL_FOLDERS if os.path.ismount(path))


def _may_be_path(path: str) -> bool:
    """Whether it fits into a call of the system whole."""
    try:
        return b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False


def _link(folder: int, name: str) -> str | None:
    """The text of a link; None for anything else."""
    try:
        return os.readlink(name, dir_fd=folder)
    except OSError as error:
        if error.errno == errno.EINVAL:
            return None
        raise


def _closed(fd: int) -> int:
    """Closes a descriptor, if it is one."""
    if fd >= 0:
        os.close(fd)
    return -1
