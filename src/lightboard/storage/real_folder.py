"""Opens folders by their real paths."""

import os

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
