"""Linux's openat2: a path of any length opened below a directory in one call, or not at all where it meets a link.

Python does not offer it yet. The only door to it.
"""

import errno
import os
import struct
import sys
from collections.abc import Callable
from functools import cache

_NUMBER = 437
"""The same on every architecture that CPython runs on."""

_NO_MAGICLINKS, _NO_SYMLINKS, _BENEATH = 0x02, 0x04, 0x08
_RESOLVE = _BENEATH | _NO_SYMLINKS | _NO_MAGICLINKS
_TRIES = 4


_HOW_BYTES = 24


@cache
def is_available() -> bool:
    """Whether this kernel has it and lets us use it: containers and sandboxes may not."""
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
    """A new descriptor of `path` below the directory `folder`, without following a single link.

    Raises OSError: ELOOP for a link on the way, EXDEV for a path that climbs out, and whatever `open` raises.
    """
    name, how = os.fsencode(path), _how(flags)
    call, last_error = _syscall()
    for _ in range(_TRIES):
        fd: int = call(_NUMBER, folder, name, how, _HOW_BYTES)
        if fd >= 0:
            return fd
        number = last_error()
        # EAGAIN: something above was renamed meanwhile, and the kernel cannot say where the path leads.
        if number not in (errno.EAGAIN, errno.EINTR):
            break
    raise OSError(number, os.strerror(number), path)


@cache
def _how(flags: int) -> bytes:
    return struct.pack("=QQQ", flags, 0, _RESOLVE)  # flags, mode, resolve


@cache
def _syscall() -> tuple[Callable[..., int], Callable[[], int]]:
    import ctypes  # late: a board on its own needs none of this

    call = ctypes.CDLL(None, use_errno=True).syscall
    call.restype = ctypes.c_long
    call.argtypes = (ctypes.c_long, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t)
    return call, ctypes.get_errno
