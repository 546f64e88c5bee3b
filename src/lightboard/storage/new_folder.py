"""Creates folders below one that others may write to, without following any link that they may have put there."""

import contextlib
import os

FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def create_folder(root: str, path: str) -> None:
    """Creates the folder `path` below `root`, and the folders on the way.

    `root` is an existing folder, `path` relative and without `..`. Existing folders are no error. Raises OSError, also
    if there is a link or a file on the way.
    """
    fd = os.open(root, FLAGS)
    try:
        for name in path.split("/"):
            with contextlib.suppress(FileExistsError):
                os.mkdir(name, dir_fd=fd)
            inner = os.open(name, FLAGS, dir_fd=fd)
            os.close(fd)
            fd = inner
    finally:
        os.close(fd)
