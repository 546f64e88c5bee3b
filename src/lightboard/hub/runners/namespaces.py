"""The namespaces of a process, opened so that another can enter them (namespaces(7)). Linux only."""

import contextlib
import fcntl
import os

from lightboard.hub.runners.process_tree import read_stat

KINDS = ("ipc", "uts", "cgroup", "pid", "mnt")
"""In the order in which they are entered. After the last, the machine is not seen any more."""
NS_GET_PARENT = 0xB702
"""See ioctl_ns(2)."""


def open_namespaces(pid: int, parent: int) -> tuple[int, ...]:
    """Descriptors of the namespaces that process `pid`, a child of `parent`, has and this process does not, in the
    order in which they can be entered.

    A user namespace comes last, since whoever enters it may enter no others; but one between it and ours comes first,
    because it owns the others: bubblewrap makes one to set up devices. Raises OSError if the process has ended.
    """
    with contextlib.ExitStack() as opened:
        process = os.open(f"/proc/{pid}", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)  # of this process for good
        opened.callback(os.close, process)
        stat = read_stat(pid)
        if stat is None or stat.parent != parent:
            raise ProcessLookupError(0, "the sandbox has ended")
        found = [open_namespace(opened, process, kind) for kind in KINDS if not is_shared(process, kind)]
        if not is_shared(process, "user"):
            user = open_namespace(opened, process, "user")
            between = fcntl.ioctl(user, NS_GET_PARENT)
            opened.callback(os.close, between)
            ours = os.stat("/proc/self/ns/user")
            is_ours = (ours.st_dev, ours.st_ino) == (os.fstat(between).st_dev, os.fstat(between).st_ino)
            found = [user, *found] if is_ours else [between, *found, user]
        return tuple(map(os.dup, found))


def open_namespace(opened: contextlib.ExitStack, process: int, kind: str) -> int:
    """A descriptor of a namespace, closed with `opened`."""
    fd = os.open(f"ns/{kind}", os.O_RDONLY | os.O_CLOEXEC, dir_fd=process)
    opened.callback(os.close, fd)
    return fd


def is_shared(process: int, kind: str) -> bool:
    """Whether this process has the same namespace of a kind."""
    theirs, ours = os.stat(f"ns/{kind}", dir_fd=process), os.stat(f"/proc/self/ns/{kind}")
    return (theirs.st_dev, theirs.st_ino) == (ours.st_dev, ours.st_ino)
