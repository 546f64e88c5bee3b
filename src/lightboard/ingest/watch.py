"""Hears from the operating system which files change. The only door to watchfiles.

A watch tells paths; what they mean is for others. It gives up with a reason where it cannot be kept (the system's limit
on watches, a name that is not text): polling then does the work alone.
"""

import math
import os
import threading
import time
from collections.abc import Callable

DEBOUNCE_MS = 10
"""Changes this close together come as one."""

STEPS = ((15.0, 5), (120.0, 10), (float("inf"), 50))
"""(seconds since the last change, ms between looks of the watching thread): it sleeps deeper the longer nothing
happens, so that a board at rest costs next to nothing and one whose runs are being trained answers at once."""

Changed = Callable[[set[tuple[bool, str]]], None]
"""Gets (whether something came to be, path) of everything that changed, in the watching thread."""

_REMOTE = {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "lustre", "glusterfs", "beegfs", "gpfs"}
_REMOTE |= {"orangefs", "pvfs2", "virtiofs", "vboxsf", "drvfs"}


class Watch:
    """Watches folders with all below them, in a thread of its own."""

    def __init__(self, changed: Changed) -> None:
        self._changed = changed
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._armed: dict[str, tuple[int, int]] = {}
        self.reason = ""

    @property
    def alive(self) -> bool:
        """Whether changes are being reported."""
        return self._thread is not None and self._thread.is_alive() and not self.reason

    def ensure(self, folders: list[str], *, anew: bool = False) -> bool:
        """Watch these folders, as far as they are there; True if the watch was set up anew.

        A folder that was deleted and made again is another one: the old watch is deaf to it.
        """
        wanted = {path: key for path in folders if (key := _key(path)) is not None}
        if not anew and (wanted == self._armed) and (self.alive or self.reason or not wanted):
            return False
        self.stop()
        self._armed = wanted
        self.reason = ""
        if not wanted:
            return False
        self._stop = threading.Event()
        ready = threading.Event()
        self._thread = threading.Thread(
            target=self._loop, args=(sorted(wanted), ready, self._stop), name="lightboard-watch", daemon=True
        )
        self._thread.start()
        ready.wait()
        return not self.reason

    def stop(self) -> None:
        """Hear nothing more."""
        self._stop.set()
        thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join(1.0)

    def _loop(self, folders: list[str], ready: threading.Event, stop: threading.Event) -> None:
        try:
            # Imported here: it costs more than the rest of this package, and most of the load is done before.
            from watchfiles._rust_notify import RustNotify, WatchfilesRustInternalError
        except ImportError as error:
            self.reason = f"watchfiles cannot be loaded: {error}"
            ready.set()
            return
        try:
            notify = RustNotify(folders, False, False, 0, True, True)
            ready.set()
            self._listen(notify.watch, stop)
        except (OSError, RuntimeError, WatchfilesRustInternalError) as error:
            self.reason = f"{error}"
        finally:
            ready.set()

    def _listen(self, look: Callable[..., object], stop: threading.Event) -> None:
        last = -math.inf  # at rest until something stirs
        while not stop.is_set():
            quiet = time.monotonic() - last
            step = next(ms for secs, ms in STEPS if quiet <= secs)
            answer = look(DEBOUNCE_MS, step, 5000, stop)
            if isinstance(answer, set) and answer:
                last = time.monotonic()
                self._changed({(kind == 1, path) for kind, path in answer})


def remote_kind(path: str, mounts: str = "/proc/self/mountinfo") -> str:
    """The kind of network file system `path` lies on, "" for a local one: others' changes are not announced there."""
    try:
        with open(mounts, encoding="utf-8", errors="surrogateescape") as lines:
            entries = [line.split() for line in lines]
    except OSError:
        return ""
    real = os.path.realpath(path)
    best, kind = -1, ""
    for fields in entries:
        point = fields[4].replace("\\040", " ")
        if (real == point or real.startswith(point.rstrip("/") + "/")) and len(point) >= best:
            best, kind = len(point), fields[fields.index("-") + 1]
    return kind if kind in _REMOTE or kind.startswith("fuse.") else ""


def _key(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino
