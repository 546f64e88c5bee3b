"""Deletes the folders of workloads, whatever these have put there. Only the standard library is imported."""

import itertools
import os
from collections.abc import Iterator
from pathlib import Path


def remove_tree(path: Path) -> None:
    """Deletes a folder, if it exists, with folders that have no permissions, or are thousands of levels deep.

    Links are deleted, not followed. Nobody may write to the folder or to its parent meanwhile. Each inner folder is
    moved to the top before it is emptied, so no path becomes long, and nothing is called again for each level, as
    `shutil.rmtree` does before Python 3.13. Raises OSError if something cannot be deleted.
    """
    if path.is_symlink() or path.is_file():
        path.unlink()
        return
    if not path.exists():
        return
    prefix = os.urandom(8).hex()
    names = (f"{prefix}-{number}" for number in itertools.count())
    path.chmod(0o700)
    while entries := list(os.scandir(path)):
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                empty(entry.path, path, names)
                os.rmdir(entry.path)
            else:
                os.unlink(entry.path)
    path.rmdir()


def empty(folder: str, top: Path, names: Iterator[str]) -> None:
    """Deletes the files of a folder, and moves the folders in it to `top`, under the next names."""
    os.chmod(folder, 0o700)
    for entry in list(os.scandir(folder)):
        if entry.is_dir(follow_symlinks=False):
            os.chmod(entry.path, 0o700)  # its link to the folder above is written
            os.rename(entry.path, top / next(names))
        else:
            os.unlink(entry.path)
