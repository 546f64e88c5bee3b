"""Opens folders by their real paths, and sockets in them."""

import contextlib
import errno
import os
import socket
import stat

FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
PASSING = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC if hasattr(os, "O_PATH") else FLAGS
"""For the folders on the way: they need not be readable."""


def open_real(path: str) -> int:
    """A descriptor of the folder at an absolute real path. Raises OSError, also if there is a link on the way."""
    *parents, name = [part for part in path.split("/") if part] or ["."]
    fd = os.open("/", PASSING)
    try:
        for part in parents:
            inner = os.open(part, PASSING, dir_fd=fd)
            os.close(fd)
            fd = inner
        return os.open(name, FLAGS, dir_fd=fd)
    finally:
        os.close(fd)


def open_socket(folder: str, name: str, owner: int) -> int:
    """A descriptor (O_PATH) of a Unix socket of the user `owner`, in the folder at an absolute real path. Linux only.

    Connecting to its path could follow a link that was put there. Raises OSError, also if nobody listens.
    """
    above = open_real(folder)
    try:
        fd = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=above)
    finally:
        os.close(above)
    try:
        found = os.fstat(fd)
        if not stat.S_ISSOCK(found.st_mode) or found.st_uid != owner:
            raise OSError(errno.ENOTSOCK, os.strerror(errno.ENOTSOCK), f"{folder}/{name}")
        with socket.socket(socket.AF_UNIX) as client, contextlib.suppress(BlockingIOError):  # many wait already
            client.setblocking(False)
            client.connect(f"/proc/self/fd/{fd}")
    except BaseException:
        os.close(fd)
        raise
    return fd
