"""Watches open folders with Linux's inotify: it follows the opened folder, not its path.

Used for confined folders, because watchfiles uses paths and follows links below them. The only module that uses
inotify.
"""

import errno
import os
import select
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterable
from functools import cache

_EVENT = struct.Struct("iIII")
_BUFFER_BYTES = 1 << 18

_MODIFY, _ATTRIB, _CLOSE_WRITE = 0x2, 0x4, 0x8
_MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x40, 0x80, 0x100, 0x200
_OVERFLOW = 0x4000
_ONLY_FOLDERS = 0x1000000
_MASK = _MODIFY | _ATTRIB | _CLOSE_WRITE | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE | _ONLY_FOLDERS

ADDED, MODIFIED, DELETED = 1, 2, 3
"""Kinds of changes, with the numbers of watchfiles."""

STOP_MS = 100
"""How often a request to stop is checked."""

OpenFolder = Callable[[str], int]
"""Returns a read-only descriptor of a folder by its full path, which the caller must close. Raises OSError."""


class FolderNotify:
    """Watches these folders, without those below them, once it is constructed. Raises OSError if inotify is
    unavailable.

    Folders that cannot be opened or watched are left out; callers can count the watched ones.
    """

    def __init__(self, folders: Iterable[str], open_folder: OpenFolder) -> None:
        self._folders: dict[int, set[str]] = {}
        self.descriptor = _init()
        for folder in folders:
            try:
                fd = open_folder(folder)
            except OSError:
                continue
            try:
                number = _add(self.descriptor, fd)
            except OSError as error:
                if error.errno == errno.ENOSPC:
                    break
                continue
            finally:
                os.close(fd)
            self._folders.setdefault(number, set()).add(folder)

    def __del__(self) -> None:
        if hasattr(self, "descriptor"):
            os.close(self.descriptor)

    def watch(
        self, debounce_ms: int, _step_ms: int, timeout_ms: int, stop: threading.Event, /
    ) -> set[tuple[int, str]] | str:
        """See watch.Notify."""
        poll = select.poll()
        poll.register(self.descriptor, select.POLLIN)
        until = time.monotonic() + timeout_ms / 1000
        while not poll.poll(STOP_MS):
            if stop.is_set():
                return "stop"
            if time.monotonic() >= until:
                return "timeout"
        stop.wait(debounce_ms / 1000)  # report simultaneous changes together
        return self._read()

    def _read(self) -> set[tuple[int, str]]:
        data, at = os.read(self.descriptor, _BUFFER_BYTES), 0
        changes: set[tuple[int, str]] = set()
        while at < len(data):
            number, mask, _, length = _EVENT.unpack_from(data, at)
            at += _EVENT.size
            name = os.fsdecode(data[at : at + length].rstrip(b"\0"))
            at += length
            if mask & _OVERFLOW:
                changes.update((ADDED, folder) for folders in self._folders.values() for folder in folders)
            for folder in self._folders.get(number, ()):
                changes.add((_kind(mask), os.path.join(folder, name) if name else folder))
        return changes


def _kind(mask: int) -> int:
    if mask & (_CREATE | _MOVED_TO):
        return ADDED
    return DELETED if mask & (_DELETE | _MOVED_FROM) else MODIFIED


def _init() -> int:
    if sys.platform != "linux":
        raise OSError(errno.ENOSYS, "only Linux can watch folders without following links")
    call, _, last_error = _calls()
    fd = call(os.O_NONBLOCK | os.O_CLOEXEC)
    if fd < 0:
        raise OSError(last_error(), os.strerror(last_error()))
    return fd


def _add(descriptor: int, folder: int) -> int:
    # The path of a descriptor always refers to the opened folder.
    _, call, last_error = _calls()
    number = call(descriptor, b"/proc/self/fd/%d" % folder, _MASK)
    if number < 0:
        raise OSError(last_error(), os.strerror(last_error()))
    return number


@cache
def _calls() -> tuple[Callable[..., int], Callable[..., int], Callable[[], int]]:
    import ctypes  # not at the top, because a board on its own does not need it

    library = ctypes.CDLL(None, use_errno=True)
    library.inotify_init1.argtypes = (ctypes.c_int,)
    library.inotify_add_watch.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_uint32)
    return library.inotify_init1, library.inotify_add_watch, ctypes.get_errno
