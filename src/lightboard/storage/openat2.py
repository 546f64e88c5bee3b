"""Linux's openat2: opens a path below a directory in one system call, and fails if a link is on the way.

Python does not provide it yet.
"""

import errno
import os
import struct
import sys
from collections.abc import Callable
from functools import cache

_SYSCALL_NUMBER = 437
"""The same on every architecture that CPython supports."""

_NO_MAGICLINKS, _NO_SYMLINKS, _BENEATH = 0x02, 0x04, 0x08
_RESOLVE = _BENEATH | _NO_SYMLINKS | _NO_MAGICLINKS
_MAX_ATTEMPTS = 4


_HOW_BYTES = 24


@cache
def is_available() -> bool:
    """Whether the kernel supports it and allows its use; containers and sandboxes may not."""
    if sys.platform != "linux":
        return False
    try:
        fd = os.open("/", os.O_PATH | os.O_DIRECTORY)
        try:
            os.close(open_beneath(fd, ".", os.O_PATH | os.O_DIRECTORY))
        finally:
            os.close(fd)
    except (OSError, AttributeError):
        return False
    return True


def open_beneath(folder: int, path: str, flags: int) -> int:
    """A new descriptor of `path` below the directory `folder`, without following any link.

    Raises OSError: ELOOP for a link on the way, EXDEV for a path that leads out, and the errors of `open`.
    """
    name, open_how = os.fsencode(path), _pack_how(flags)
    call, last_error = _syscall()
    for _ in range(_MAX_ATTEMPTS):
        fd: int = call(_SYSCALL_NUMBER, folder, name, open_how, _HOW_BYTES)
        if fd >= 0:
            return fd
        number = last_error()
        # EAGAIN: a parent was renamed during the call, so that the kernel could not resolve the path.
        if number not in (errno.EAGAIN, errno.EINTR):
            break
    raise OSError(number, os.strerror(number), path)


@cache
def _pack_how(flags: int) -> bytes:
    return struct.pack("=QQQ", flags, 0, _RESOLVE)  # flags, mode, resolve


@cache
def _syscall() -> tuple[Callable[..., int], Callable[[], int]]:
    import ctypes  # not at the top, because a board on its own does not need it

    call = ctypes.CDLL(None, use_errno=True).syscall
    call.restype = ctypes.c_long
    call.argtypes = (ctypes.c_long, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t)
    return call, ctypes.get_errno
