"""Deletes the folders of workloads, whatever these have put there. Only the standard library is imported."""

import contextlib
import itertools
import os
from collections.abc import Iterator
from pathlib import Path

from lightboard.storage.real_folder import FLAGS, PASSING


def remove_tree(path: Path) -> None:
    """Deletes a folder, if it exists, with folders that have no permissions, or are thousands of levels deep.

    Links are deleted, not followed. Nobody may write to its parent meanwhile, but other processes of the user whose
    files these are may still change what is in it: each folder is taken from them before its names are read, and
    everything is done by descriptors. Each inner folder is moved to the top before it is emptied, so no path becomes
    long, and nothing is called again for each level, as `shutil.rmtree` does before Python 3.13. Raises OSError if
    something cannot be deleted.
    """
    if path.is_symlink() or path.is_file():
        path.unlink()
        return
    if not path.exists():
        return
    prefix = os.urandom(8).hex()
    names = (f"{prefix}-{number}" for number in itertools.count())
    with taken(str(path), None) as top:
        while entries := list(os.scandir(top)):
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    with taken(entry.name, top) as folder:
                        empty(folder, top, names)
                    os.rmdir(entry.name, dir_fd=top)
                else:
                    os.unlink(entry.name, dir_fd=top)
    path.rmdir()


@contextlib.contextmanager
def taken(name: str, above: int | None) -> Iterator[int]:
    """A descriptor of a folder, to which only this user can write from now on. Raises OSError, also for a link."""
    take(name, above)
    fd = os.open(name, FLAGS, dir_fd=above)
    try:
        yield fd
    finally:
        os.close(fd)


def take(name: str, above: int | None) -> None:
    """Makes this user the only one who can write to a folder, which it need not be able to read. Raises OSError."""
    fd = os.open(name, PASSING, dir_fd=above)
    try:
        path = f"/proc/self/fd/{fd}" if PASSING != FLAGS else fd
        if os.fstat(fd).st_uid != os.geteuid():
            os.chown(path, os.geteuid(), -1)
        os.chmod(path, 0o700)
    finally:
        os.close(fd)


def empty(folder: int, top: int, names: Iterator[str]) -> None:
    """Deletes the files of a folder, and moves the folders in it to `top`, under the next names."""
    for entry in list(os.scandir(folder)):
        if entry.is_dir(follow_symlinks=False):
            take(entry.name, folder)  # its link to the folder above is written
            os.rename(entry.name, next(names), src_dir_fd=folder, dst_dir_fd=top)
        else:
            os.unlink(entry.name, dir_fd=folder)
