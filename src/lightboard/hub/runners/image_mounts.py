"""The mounts that show the file system of a container image, with room for the mounts of a job between its files.

An image is read-only and used by many jobs, so what a job mounts at paths that the image does not have cannot be
created in it. A folder in which that is necessary is made anew instead, with a mount for each of its entries.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from lightboard.errors import LaunchError
from lightboard.hub.resources.replicas import START_FAILED
from lightboard.hub.runners.mounts import READ_ONLY, Mount

MAX_MOUNTS = 2_500
"""Bubblewrap takes 9,000 arguments."""


def image_mounts(root: str, others: Iterable[Mount]) -> list[Mount]:
    """The mounts of an image in the folder `root`, to which `others` will be added.

    Raises LaunchError if the image has a link where folders above one of `others` must be, or too many files.
    """
    others = list(others)
    taken = {PurePosixPath(mount.path) for mount in others}
    opened = {PurePosixPath("/")}
    for mount in others:
        if not has_place(root, mount):
            opened |= folders_above(root, PurePosixPath(mount.path))
    mounts = [Mount("--dir", str(folder), mode="0755") for folder in sorted(opened) if folder.name]
    for folder in opened:
        mounts += entries(root, folder, taken | opened)
    if len(mounts) > MAX_MOUNTS:
        raise LaunchError(
            f"the image has more than {MAX_MOUNTS:,} files beside the folders of the job",
            reason=START_FAILED,
            hint="choose another path for the volumes of the job",
        )
    return mounts


def has_place(root: str, mount: Mount) -> bool:
    """Whether the image has a file or folder over which a mount can be put."""
    try:
        mode = os.lstat(root + mount.path).st_mode
    except OSError:
        return False
    is_file = mount.source is not None and os.path.isfile(mount.source)
    return mount.option != "--symlink" and (stat.S_ISREG(mode) if is_file else stat.S_ISDIR(mode))


def folders_above(root: str, path: PurePosixPath) -> set[PurePosixPath]:
    """The folders of the image above a path. Raises LaunchError if one is a link or a file."""
    found = set()
    for folder in reversed(path.parents):
        try:
            mode = os.lstat(f"{root}{folder}").st_mode
        except FileNotFoundError:
            break
        if not stat.S_ISDIR(mode):
            raise LaunchError(
                f"the image has no folder at {folder}, but a {'link' if stat.S_ISLNK(mode) else 'file'}; the job "
                f"needs {path}",
                reason=START_FAILED,
                hint="use another image, or a storage in another folder",
            )
        found.add(folder)
    return found


def entries(root: str, folder: PurePosixPath, without: set[PurePosixPath]) -> Iterator[Mount]:
    """A mount for each entry of a folder of the image, except those at some paths."""
    with os.scandir(f"{root}{folder}") as found:
        for entry in found:
            path = folder / entry.name
            if path in without:
                continue
            if entry.is_symlink():
                yield Mount("--symlink", str(path), os.readlink(entry.path))
            elif entry.is_dir() or entry.is_file():
                yield Mount(READ_ONLY, str(path), entry.path)
