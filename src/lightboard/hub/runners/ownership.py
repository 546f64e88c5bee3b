"""Whose a folder is: makes a user the owner of it and of all in it, or refuses what somebody else has put there."""

import errno
import os
from dataclasses import dataclass

from lightboard.errors import LaunchError
from lightboard.hub.resources.replicas import START_FAILED
from lightboard.storage.real_folder import FLAGS


@dataclass
class Level:
    """A folder on the way: what it is, and the names of the folders in it that are to come."""

    identity: tuple[int, int]
    folders: list[str]


def change_owner(top: int, user: int, group: int) -> None:
    """Makes `user` the owner of the folder of a descriptor, and of all in it, with a group; of the folder itself last.

    Links are not followed. Raises OSError.

    Jobs leave folders of any depth, so nothing is called again for each level, and one folder is open at a time. The
    way back up is checked: a replica that runs already may move folders meanwhile.
    """
    fd = os.dup(top)
    try:
        levels = [level_of(fd, user, group)]
        while levels[-1].folders or len(levels) > 1:
            is_down = bool(levels[-1].folders)
            try:
                next_fd = os.open(levels[-1].folders.pop() if is_down else "..", FLAGS, dir_fd=fd)
            except OSError:
                if not is_down:
                    raise
                continue  # it has been replaced or deleted meanwhile
            os.close(fd)
            fd = next_fd
            if is_down:
                levels.append(level_of(fd, user, group))
            elif levels.pop() and identity(fd) != levels[-1].identity:
                raise OSError(errno.ESTALE, "a folder has been moved meanwhile")
    finally:
        os.close(fd)
    os.fchown(top, user, group)


def check_empty(fd: int, name: str, hint: str) -> None:
    """Checks that the folder of a descriptor, of another user, has nothing in it.

    Raises LaunchError, with `name` for the folder, if it has, and OSError.
    """
    if os.listdir(fd):
        raise LaunchError(f"the folder {name} has files of another user", reason=START_FAILED, hint=hint)


def level_of(fd: int, user: int, group: int) -> Level:
    """A folder, in which all has been given to a user and a group. Raises OSError."""
    folders = []
    with os.scandir(fd) as entries:
        for entry in entries:
            os.chown(entry.name, user, group, dir_fd=fd, follow_symlinks=False)
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.name)
    return Level(identity(fd), folders)


def identity(fd: int) -> tuple[int, int]:
    """Device and inode of what is open."""
    found = os.fstat(fd)
    return found.st_dev, found.st_ino
