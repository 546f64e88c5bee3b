"""What the jobs of a project share in its storage, where they run as different users: by their group.

They read all outputs. In folders that are volumes, they write to each other's files. Members may move such folders at
any time, so everything is done by descriptors.
"""

import errno
import os
import stat
import struct
from collections.abc import Iterable

from lightboard.hub.runners.base import SystemIdentity
from lightboard.hub.runners.ownership import check_empty
from lightboard.storage.new_folder import new_folder

READ_BY_GROUP, WRITTEN_BY_GROUP = 0o2750, 0o2770
"""What is created in such a folder gets its group."""
GROUP = 0o070
OWNER_ENTRY, GROUP_ENTRY, OTHERS_ENTRY, ANYBODY, ALL = 0x01, 0x04, 0x20, 0xFFFFFFFF, 7
NEW_FILES_OF_GROUP = struct.pack("<I", 2) + b"".join(
    struct.pack("<HHI", tag, permissions, ANYBODY)
    for tag, permissions in ((OWNER_ENTRY, ALL), (GROUP_ENTRY, ALL), (OTHERS_ENTRY, 0))
)
"""An access control list as Linux stores it (acl(5)), by which the umask of a program does not matter in a folder."""
DEFAULT_ACL = "system.posix_acl_default"


def share_reserved(storage: str, names: Iterable[str], group: int) -> None:
    """Lets a group read the folders `names` of a storage, in which the hub creates those of jobs. Raises OSError."""
    for name in names:
        with new_folder(storage, name) as folder:
            os.fchown(folder, -1, group)
            os.fchmod(folder, READ_BY_GROUP)


def share_output(storage: str, path: str, user: SystemIdentity) -> None:
    """Gives a new folder of outputs to a user, and lets the group read it. Raises OSError.

    One that has files already was left by an attempt without isolation: the runner gives it to the user with all in it.
    """
    with new_folder(storage, path) as folder:
        if os.fstat(folder).st_uid == os.geteuid() and not os.listdir(folder):
            os.fchown(folder, user.id, user.group)
            os.fchmod(folder, READ_BY_GROUP)


def share_for_writing(storage: str, path: str, group: int) -> None:
    """Lets a group write to a folder. Raises OSError, and LaunchError if somebody else has files there."""
    with new_folder(storage, path) as folder:
        found = os.fstat(folder)
        if found.st_gid == group and stat.S_IMODE(found.st_mode) & GROUP == GROUP:
            return
        hint = f"choose a new folder, or let the group write there: chgrp -R {group} and chmod -R g+rwX"
        check_empty(folder, f"{path} of the storage", hint)
        os.fchown(folder, -1, group)
        os.fchmod(folder, WRITTEN_BY_GROUP)
        try:
            os.setxattr(folder, DEFAULT_ACL, NEW_FILES_OF_GROUP)
        except OSError as error:  # without them, members read each other's files and add others
            if error.errno not in (errno.EOPNOTSUPP, errno.ENOSYS):
                raise
