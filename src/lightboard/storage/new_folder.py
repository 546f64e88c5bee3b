"""Creates folders and files below a folder to which others may write, without following any link there."""

import contextlib
import os
from collections.abc import Iterator
from typing import BinaryIO

from lightboard.storage.real_folder import FLAGS, open_real

NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC

PASSABLE = 0o711


@contextlib.contextmanager
def new_folder(root: str | int, path: str, owner: tuple[int, int] | None = None) -> Iterator[int]:
    """A descriptor of the folder `path` below `root`, which is created with the folders on the way.

    Those that are created get an `owner`, a user and a group, None for those of this process.

    `root` is the real path of an existing folder or a descriptor of one; `path` is relative and without `..`, "" for
    the root itself. Existing folders are no error. Raises OSError, also if there is a link or a file on the way.
    """
    fd = open_real(root) if isinstance(root, str) else os.dup(root)
    try:
        for name in filter(None, path.split("/")):
            is_new = make_folder(fd, name)
            inner = os.open(name, FLAGS, dir_fd=fd)
            os.close(fd)
            fd = inner
            if is_new and owner is not None:
                os.fchown(fd, *owner)
        yield fd
    finally:
        os.close(fd)


def make_folder(above: int, name: str) -> bool:
    """Creates a folder in an open one; False if there is something already. Raises OSError."""
    try:
        os.mkdir(name, dir_fd=above)
    except FileExistsError:
        return False
    return True


def create_folder(root: str, path: str) -> None:
    """Creates a folder, as `new_folder`."""
    with new_folder(root, path):
        pass


def create_public_way(root: str, path: str) -> None:
    """Creates the folders above one, as `new_folder`, for all users to pass. Those that exist keep their modes."""
    above = [part for part in path.split("/") if part][:-1]
    for length in range(1, len(above) + 1):
        *parents, name = above[:length]
        with new_folder(root, "/".join(parents)) as folder, contextlib.suppress(FileExistsError):
            os.mkdir(name, PASSABLE, dir_fd=folder)
            os.chmod(name, PASSABLE, dir_fd=folder)  # whatever the umask is


def new_file(folder: int, name: str, mode: int = 0o666) -> BinaryIO:
    """A new file in an open folder, in place of an older file or link. Raises OSError, also if a folder is there."""
    remove_file(folder, name)
    return os.fdopen(os.open(name, NEW_FILE, mode, dir_fd=folder), "wb")


def new_link(folder: int, name: str, target: str) -> None:
    """A new symbolic link in an open folder, in place of an older file or link. Raises OSError as `new_file`."""
    remove_file(folder, name)
    os.symlink(target, name, dir_fd=folder)


def remove_file(folder: int, name: str) -> None:
    """Removes a file or link from an open folder, if there is one. Raises OSError."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(name, dir_fd=folder)
