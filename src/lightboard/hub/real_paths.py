"""Real paths of folders whose disk may hang: an end to the waiting, and few threads for what never answers.

A thread that hangs in the kernel cannot be stopped. So links are followed in daemon threads, few for each disk; where
these hang, whoever asks for the same disk is refused soon, and nobody else waits.
"""

import os
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future

from lightboard.errors import LaunchError
from lightboard.types import UNREACHABLE

EACH_DISK = 4
MOST_THREADS = 16
PATIENCE_SECS = 5.0
QUEUE_SECS = 0.5
"""For a thread to be free; following links takes microseconds on a disk that answers."""
MOUNTS = "/proc/self/mountinfo"


def mount_points() -> list[str]:
    """The folders at which disks are mounted; empty where the system does not say."""
    try:
        with open(MOUNTS, encoding="utf-8", errors="surrogateescape") as lines:
            return [line.split(" ")[4].replace("\\040", " ") for line in lines]
    except OSError:
        return []


class RealPaths:
    """May be called from any thread. `follow` is `os.path.realpath`, `mounts` what says where disks are mounted."""

    def __init__(
        self,
        *,
        patience_secs: float = PATIENCE_SECS,
        queue_secs: float = QUEUE_SECS,
        follow: Callable[[str], str] = os.path.realpath,
        mounts: Callable[[], list[str]] = mount_points,
    ) -> None:
        self._patience_secs = patience_secs
        self._queue_secs = queue_secs
        self._follow = follow
        self._mounts = mounts
        self._free = threading.Condition()
        self._running: Counter[str] = Counter()

    def of(self, path: str) -> str:
        """`path` with its links followed. Raises LaunchError where its disk does not answer in time."""
        disk = disk_of(path, self._mounts())
        with self._free:
            if not self._free.wait_for(lambda: self._has_room(disk), self._queue_secs):
                raise silent(path)
            self._running[disk] += 1
        future: Future[str] = Future()
        threading.Thread(target=self._run, args=(path, disk, future), name="real-path", daemon=True).start()
        try:
            return future.result(self._patience_secs)
        except TimeoutError:
            raise silent(path) from None

    def _has_room(self, disk: str) -> bool:
        return self._running[disk] < EACH_DISK and self._running.total() < MOST_THREADS

    def _run(self, path: str, disk: str, future: "Future[str]") -> None:
        try:
            future.set_result(self._follow(path))
        except BaseException as error:  # raised again where it is waited for
            future.set_exception(error)
        finally:
            with self._free:
                self._running -= Counter((disk,))
                self._free.notify_all()


def disk_of(path: str, mounts: list[str]) -> str:
    """What may hang with `path`, as far as its text tells: its mount, or its first two folders where these say more."""
    first = "/".join(path.split("/")[:3])
    holding = [mount for mount in mounts if path == mount or path.startswith(mount.rstrip("/") + "/")]
    return max([first, *holding], key=len)


def silent(path: str) -> LaunchError:
    """Why a folder cannot be shown now."""
    return LaunchError(
        f"{path} does not answer", reason=UNREACHABLE, hint="its disk is slow or away: try again when it is back"
    )
