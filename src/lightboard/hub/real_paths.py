"""Resolves symlinks on disks that may hang, with a timeout."""

import os
from collections.abc import Callable
from functools import partial

from lightboard.errors import LaunchError
from lightboard.hub.disk_threads import DiskThreads
from lightboard.types import UNREACHABLE

EACH_DISK = 4
MAX_THREADS = 16
TIMEOUT_SECS = 5.0
QUEUE_SECS = 0.5
"""How long to wait for a free thread while no call on that disk ends. Resolving takes microseconds on one that
responds, but a loaded machine may need longer for all that is queued."""
MOUNTS = "/proc/self/mountinfo"


def mount_points() -> list[str]:
    """The mount points of this machine; empty if the system does not list them."""
    try:
        with open(MOUNTS, encoding="utf-8", errors="surrogateescape") as lines:
            return [line.split(" ")[4].replace("\\040", " ") for line in lines]
    except OSError:
        return []


class RealPaths:
    """May be called from any thread. `follow` resolves a path, `mounts` lists the mount points."""

    def __init__(
        self,
        *,
        timeout_secs: float = TIMEOUT_SECS,
        queue_secs: float = QUEUE_SECS,
        follow: Callable[[str], str] = os.path.realpath,
        mounts: Callable[[], list[str]] = mount_points,
        threads: DiskThreads | None = None,
    ) -> None:
        self._timeout_secs = timeout_secs
        self._queue_secs = queue_secs
        self._follow = follow
        self._mounts = mounts
        self._threads = threads or DiskThreads(EACH_DISK, MAX_THREADS)

    def of(self, path: str) -> str:
        """`path` with its symlinks resolved. Raises LaunchError if its disk does not respond in time."""
        disk = disk_of(path, self._mounts())
        future = self._threads.submit(disk, partial(self._follow, path))
        while not future.running():
            completed = self._threads.completed(disk)
            try:
                return future.result(self._queue_secs)
            except TimeoutError:
                if self._threads.completed(disk) == completed and future.cancel():  # no thread was free
                    raise unreachable(path) from None
        try:
            return future.result(self._timeout_secs)
        except TimeoutError:
            raise unreachable(path) from None


def disk_of(path: str, mounts: list[str]) -> str:
    """The disk of a path, judged by its text: its mount point, or its first two folders if these are longer."""
    first = "/".join(path.split("/")[:3])
    holding = [mount for mount in mounts if path == mount or path.startswith(mount.rstrip("/") + "/")]
    return max([first, *holding], key=len)


def unreachable(path: str) -> LaunchError:
    """The error for a disk that does not respond."""
    return LaunchError(
        f"{path} does not respond", reason=UNREACHABLE, hint="its disk is slow or unavailable: try again later"
    )
