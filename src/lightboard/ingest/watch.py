"""Watches folders for changes of files. The only module that uses watchfiles.

Reports paths and does not interpret them. If watching fails (the system's limit on watches, a name that is not text),
it stops and gives a reason, and the scheduler polls. It also counts what the system really watches: beyond the limit,
and below unreadable folders, watchfiles skips folders silently.
"""

import math
import os
import threading
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol

from lightboard.ingest.inotify import FolderNotify, OpenFolder

KNOWN_VERSIONS = "watchfiles>=1.3,<1.4"
"""The versions whose private API is known. With later ones the public API is used, which is a little slower."""

DEBOUNCE_MS = 10
"""Changes this close together are reported at once."""

POLL_STEPS = ((15.0, 5), (120.0, 10), (float("inf"), 50))
"""(seconds since the last change, ms between polls of the watching thread): the longer nothing happens, the longer it
sleeps, so that an idle board uses almost no CPU and an active one reacts at once."""

TIMEOUT_MS = 5000
"""How long one call waits for changes."""

OnChange = Callable[[set[tuple[bool, str]]], None]
"""Called in the watching thread with (whether something was created, path) of all changes."""

Changes = set[tuple[int, str]]

_REMOTE = {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "lustre", "glusterfs", "beegfs", "gpfs"}
_REMOTE |= {"orangefs", "pvfs2", "virtiofs", "vboxsf", "drvfs"}


class Coverage(NamedTuple):
    """How many of some folders the system watches."""

    watched: int
    folders: int

    @property
    def whole(self) -> bool:
        """Whether all are watched."""
        return self.watched >= self.folders


class Watcher(Protocol):
    """The interface of `Watch` for fakes."""

    reason: str
    note: str

    @property
    def alive(self) -> bool: ...
    def ensure(self, folders: list[str], *, extra: Iterable[str] = (), anew: bool = False) -> bool: ...
    def stop(self) -> None: ...
    def unwatched(self, folders: Iterable[str]) -> tuple[Coverage, list[str]]: ...


class Notify(Protocol):
    """Watches folders once it is constructed: `RustNotify` of watchfiles, or `PublicNotify`."""

    def watch(self, debounce_ms: int, step_ms: int, timeout_ms: int, stop: threading.Event, /) -> Changes | str:
        """Wait for changes: (kind, path) of each, or a word that says why there are none."""
        ...


class Watch:
    """Watches folders with everything below them, in a separate thread.

    `reason` says why it does not work, "" if it does; `note` is a warning. `ended` is called when a running watch
    fails. With `open_folder` it watches only the given folders, as opened by that function, and follows no links.
    """

    def __init__(
        self,
        changed: OnChange,
        ended: Callable[[], None] = lambda: None,
        open_folder: OpenFolder | None = None,
    ) -> None:
        self._changed = changed
        self._ended = ended
        self._open_folder = open_folder
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._armed: dict[str, tuple[int, int]] = {}
        self._descriptor: int | None = None
        self.reason = ""
        self.note = ""

    @property
    def alive(self) -> bool:
        """Whether changes are being reported."""
        return self._thread is not None and self._thread.is_alive() and not self.reason

    def ensure(self, folders: list[str], *, extra: Iterable[str] = (), anew: bool = False) -> bool:
        """Watch these folders, as far as they exist. Returns whether the watch was restarted.

        A folder that was deleted and created again needs a new watch. `extra` are folders below them that are passed
        explicitly because a previous watch did not include them.
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
        paths = [*sorted(wanted), *(path for path in sorted(extra) if _key(path) is not None)]
        thread = threading.Thread(
            target=self._loop, args=(paths, ready, self._stop), name="lightboard-watch", daemon=True
        )
        thread.start()
        self._thread = thread  # not before: another thread may call `stop`, which can only join one that was started
        ready.wait()
        return not self.reason

    def stop(self) -> None:
        """Stop watching."""
        self._stop.set()
        thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join(1.0)

    def unwatched(self, folders: Iterable[str]) -> tuple[Coverage, list[str]]:
        """How many of `folders` are watched, and which are not. Folders that no longer exist do not count.

        On systems other than Linux, all are assumed to be watched.
        """
        keys = {path: key for path in folders if (key := _key(path)) is not None}
        count = len(keys)
        inodes = watched_inodes(self._descriptor) if self._descriptor is not None else None
        if inodes is None or not self.alive:
            return Coverage(count if self.alive else 0, count), []
        if not any(inode in inodes for _, inode in self._armed.values()):
            # Some stacked file systems report other inode numbers to programs. Then only counts can be compared.
            distinct = len(set(keys.values()))
            return Coverage(count if len(inodes) >= distinct else len(inodes), count), []
        missing = [path for path, (_, inode) in keys.items() if inode not in inodes]
        return Coverage(count - len(missing), count), missing

    def _loop(self, folders: list[str], ready: threading.Event, stop: threading.Event) -> None:
        was_ready = False
        try:
            if self._open_folder is None:
                notify, self._descriptor, self.note = open_notify(folders)
            else:
                notify = confined = FolderNotify(folders, self._open_folder)
                self._descriptor = confined.descriptor
            was_ready = True
            ready.set()
            self._listen(notify, stop)
        except ImportError as error:
            self.reason = f"watchfiles cannot be loaded: {error}"
        except (OSError, RuntimeError) as error:
            # watchfiles raises RuntimeError.
            self.reason = f"{error}"
        finally:
            self._descriptor = None
            ready.set()
            if was_ready and not stop.is_set():
                self._ended()

    def _listen(self, notify: Notify, stop: threading.Event) -> None:
        last = -math.inf  # idle until the first change
        while not stop.is_set():
            quiet = time.monotonic() - last
            step = next(ms for secs, ms in POLL_STEPS if quiet <= secs)
            answer = notify.watch(DEBOUNCE_MS, step, TIMEOUT_MS, stop)
            if isinstance(answer, set) and answer:
                last = time.monotonic()
                self._changed({(kind == 1, path) for kind, path in answer})


_OPENING = threading.Lock()
"""Watches are created one at a time, so that each can determine its descriptor."""


def open_notify(folders: list[str]) -> tuple[Notify, int | None, str]:
    """Start watching. Returns also the inotify descriptor, if it can be determined, and a note for users.

    Raises `ImportError` without watchfiles, `OSError` or `RuntimeError` if folders cannot be watched.
    """
    # Imported here, because it takes longer than the rest of this package, and most of the load is done before.
    import watchfiles

    with _OPENING:
        before = _inotify_descriptors()
        note = ""
        try:
            from watchfiles._rust_notify import RustNotify

            notify: Notify = RustNotify(folders, False, False, 0, True, True)
            if not callable(getattr(notify, "watch", None)):
                raise TypeError("RustNotify has no method watch")
        except (ImportError, TypeError) as error:
            version = getattr(watchfiles, "__version__", "?")
            note = (
                f"watchfiles {version} is newer than the supported versions ({error}); "
                f"changes are noticed a little later; pip install '{KNOWN_VERSIONS}' installs a supported version"
            )
            notify = PublicNotify(folders)
        new = _inotify_descriptors() - before
        return notify, new.pop() if len(new) == 1 else None, note


class PublicNotify:
    """The same with the public API of watchfiles. Its polling interval cannot be changed while it watches."""

    STEP_MS = 20

    def __init__(self, folders: list[str]) -> None:
        from watchfiles import watch

        self._stop = threading.Event()
        self._changes = watch(
            *folders,
            watch_filter=None,
            debounce=DEBOUNCE_MS,
            step=self.STEP_MS,
            stop_event=self._stop,
            rust_timeout=self.STEP_MS,
            yield_on_timeout=True,
            raise_interrupt=False,
            ignore_permission_denied=True,
        )
        # It starts to watch with the first call.
        self._first: Changes = self._next()

    def watch(self, _debounce_ms: int, _step_ms: int, timeout_ms: int, stop: threading.Event, /) -> Changes | str:
        """See Notify."""
        changes, self._first = self._first, set()
        until = time.monotonic() + timeout_ms / 1000
        while not changes and not stop.is_set() and time.monotonic() < until:
            changes = self._next()
        if stop.is_set():
            self._stop.set()
            self._changes.close()
        return changes or "timeout"

    def _next(self) -> Changes:
        try:
            return {(int(kind), path) for kind, path in next(self._changes)}
        except StopIteration:
            raise RuntimeError("watchfiles ended its watch") from None


def watched_inodes(descriptor: int) -> set[int] | None:
    """Inode numbers watched by an inotify descriptor of this process; None if unknown."""
    try:
        with open(f"/proc/self/fdinfo/{descriptor}", encoding="ascii") as lines:
            fields = [line.split() for line in lines if line.startswith("inotify ")]
        return {int(one.removeprefix("ino:"), 16) for field in fields for one in field if one.startswith("ino:")}
    except (OSError, ValueError):
        return None


def _inotify_descriptors() -> set[int]:
    found: set[int] = set()
    try:
        for name in os.listdir("/proc/self/fd"):
            try:
                if os.readlink(f"/proc/self/fd/{name}") == "anon_inode:inotify":
                    found.add(int(name))
            except OSError:
                continue
    except OSError:
        pass
    return found


def watch_limit(setting: str = "/proc/sys/fs/inotify/max_user_watches") -> int | None:
    """The system's limit of watches per user; None if there is none or it cannot be read."""
    try:
        with open(setting, encoding="ascii") as file:
            return int(file.read())
    except (OSError, ValueError):
        return None


DEFAULT_QUEUED_EVENTS = 16_384
"""The default of Linux."""

EVENTS_PER_CHANGE = 8
"""An upper bound: one write causes several events but is reported as one change."""


def burst_size(setting: str = "/proc/sys/fs/inotify/max_queued_events") -> int:
    """The number of simultaneous changes from which the system may have dropped events, which watchfiles does not
    report."""
    try:
        with open(setting, encoding="ascii") as file:
            queued = int(file.read())
    except (OSError, ValueError):
        queued = DEFAULT_QUEUED_EVENTS
    return max(1, queued // EVENTS_PER_CHANGE)


def remote_kind(path: str, mounts: str = "/proc/self/mountinfo") -> str:
    """The kind of network file system of `path`, "" if local. Changes made on other machines are not reported there."""
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
