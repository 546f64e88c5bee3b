"""A root folder that may be read with everything below it, kept open by a descriptor. Used by `confined`."""

import errno
import os
import threading
from typing import NamedTuple
from weakref import WeakValueDictionary

from lightboard.errors import OutsideRoot
from lightboard.storage import openat2

PATH_FLAG = getattr(os, "O_PATH", os.O_RDONLY)
"""The flag for opening a folder on the way, whose names may be unreadable."""

LINK_ERRNOS = (errno.ELOOP, errno.EMLINK, errno.ENOTDIR)
"""Errors of systems for a link that is not followed. The last one also means a file instead of a folder."""

TRAVERSE_FLAGS = PATH_FLAG | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Identity(NamedTuple):
    """Identifies a file or folder on this machine, whatever its name."""

    device: int
    inode: int


def identity(status: os.stat_result) -> Identity:
    """The identity in a stat result."""
    return Identity(status.st_dev, status.st_ino)


class Descriptor:
    """A descriptor that is closed with the last reference to it."""

    __slots__ = ("fd",)

    def __init__(self, fd: int) -> None:
        self.fd = fd

    def __del__(self) -> None:
        os.close(self.fd)


class Root:
    """The folder at `path`, a real path without links. It need not exist yet.

    Created by `root_at`, so that all users of a folder share its descriptor.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.parts = parts_of(path)
        self._lock = threading.Lock()
        self._descriptor: Descriptor | None = None

    def open(self) -> Descriptor:
        """The descriptor of the folder, opened on first use. Raises OSError."""
        with self._lock:
            if self._descriptor is None:
                self._descriptor = Descriptor(self._open())
            return self._descriptor

    def refresh(self) -> None:
        """Reopen the folder if another one has its path now. Closes it if there is none."""
        with self._lock:
            if self._descriptor is None:
                return
            try:
                fresh = Descriptor(self._open())
            except OSError:
                self._descriptor = None
                return
            if identity(os.fstat(fresh.fd)) != identity(os.fstat(self._descriptor.fd)):
                self._descriptor = fresh

    def _open(self) -> int:
        fd = os.open("/", TRAVERSE_FLAGS)
        try:
            if openat2.is_available() and self.parts:
                return openat2.open_beneath(fd, "/".join(self.parts), TRAVERSE_FLAGS)
            for name in self.parts:
                inner = os.open(name, TRAVERSE_FLAGS, dir_fd=fd)
                os.close(fd)
                fd = inner
            return os.dup(fd)
        except OSError as error:
            if error.errno in LINK_ERRNOS and os.path.realpath(self.path) != self.path:
                raise OutsideRoot("a folder on the way to it was replaced by a link") from None
            raise
        finally:
            os.close(fd)


_roots: "WeakValueDictionary[str, Root]" = WeakValueDictionary()
_roots_lock = threading.Lock()


def root_at(path: str) -> Root:
    """The root at a real absolute path."""
    path = "/" + "/".join(parts_of(path))
    with _roots_lock:
        root = _roots.get(path)
        if root is None:
            root = _roots[path] = Root(path)
        return root


def parts_of(path: str) -> tuple[str, ...]:
    """The names in an absolute path."""
    return tuple(name for name in path.split("/") if name)
