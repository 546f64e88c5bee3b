"""A folder below which everything may be read, held open by a descriptor. Which paths lie below it: `confined.py`."""

import errno
import os
import threading
from typing import NamedTuple
from weakref import WeakValueDictionary

from lightboard.errors import LeadsOutside
from lightboard.storage import openat2

PATH = getattr(os, "O_PATH", os.O_RDONLY)
"""How a folder is opened that is only passed through: its names may be unreadable."""

LINK_ERRNOS = (errno.ELOOP, errno.EMLINK, errno.ENOTDIR)
"""What systems say of a link that is not to be followed; the last one also of a file where a folder is asked for."""

STEP = PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Identity(NamedTuple):
    """What tells a file or folder from all others on this machine, whatever its name."""

    device: int
    inode: int


def identity(status: os.stat_result) -> Identity:
    """The identity in a stat."""
    return Identity(status.st_dev, status.st_ino)


class Descriptor:
    """A descriptor that is closed with the last reference to it."""

    __slots__ = ("fd",)

    def __init__(self, fd: int) -> None:
        self.fd = fd

    def __del__(self) -> None:
        os.close(self.fd)


class Root:
    """The folder at `path`, a real path: a link on it leads nowhere. It need not be there yet.

    To be had from `root_at`, so that all who show a folder share its one descriptor.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.parts = parts_of(path)
        self._lock = threading.Lock()
        self._held: Descriptor | None = None

    def hold(self) -> Descriptor:
        """The folder, opened when it is first asked for. Raises OSError."""
        with self._lock:
            if self._held is None:
                self._held = Descriptor(self._open())
            return self._held

    def refresh(self) -> None:
        """Go over to the folder that has the path now, if it is another one or none."""
        with self._lock:
            if self._held is None:
                return
            try:
                fresh = Descriptor(self._open())
            except OSError:
                self._held = None
                return
            if identity(os.fstat(fresh.fd)) != identity(os.fstat(self._held.fd)):
                self._held = fresh

    def _open(self) -> int:
        fd = os.open("/", STEP)
        try:
            if openat2.is_available() and self.parts:
                return openat2.open_beneath(fd, "/".join(self.parts), STEP)
            for name in self.parts:
                inner = os.open(name, STEP, dir_fd=fd)
                os.close(fd)
                fd = inner
            return os.dup(fd)
        except OSError as error:
            if error.errno in LINK_ERRNOS and os.path.realpath(self.path) != self.path:
                raise LeadsOutside("a link has taken a place on the way to it") from None
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
