"""Reports which files change, as the operating system tells. The only door to watchfiles.

A watch tells paths; what they mean is for others. It gives up with a reason where it cannot be kept (the system's limit
on watches, a name that is not text): polling then does the work alone. And it counts what the system really watches:
past a limit, and below a folder that may not be read, watchfiles leaves folders out without a word.
"""

import math
import os
import threading
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol

from lightboard.ingest.inotify import FolderNotify, OpenFolder

KNOWN = "watchfiles>=1.3,<1.4"
"""The versions whose private name is known; with later ones the public names do, a little slower."""

DEBOUNCE_MS = 10
"""Changes this close together come as one."""

STEPS = ((15.0, 5), (120.0, 10), (float("inf"), 50))
"""(seconds since the last change, ms between looks of the watching thread): it sleeps deeper the longer nothing
happens, so that a board at rest costs next to nothing and one whose runs are being trained answers at once."""

TIMEOUT_MS = 5000
"""So long one call waits for changes."""

Changed = Callable[[set[tuple[bool, str]]], None]
"""Gets (whether something came to be, path) of everything that changed, in the watching thread."""

Changes = set[tuple[int, str]]

_REMOTE = {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "lustre", "glusterfs", "beegfs", "gpfs"}
_REMOTE |= {"orangefs", "pvfs2", "virtiofs", "vboxsf", "drvfs"}


class Coverage(NamedTuple):
    """How many of some folders the system watches."""

    watched: int
    folders: int

    @property
    def whole(self) -> bool:
        """Whether it is all of them."""
        return self.watched >= self.folders


class Watcher(Protocol):
    """What keeps up with files: `Watch`, or a fake in its place."""

    reason: str
    note: str

    @property
    def alive(self) -> bool: ...
    def ensure(self, folders: list[str], *, extra: Iterable[str] = (), anew: bool = False) -> bool: ...
    def stop(self) -> None: ...
    def unwatched(self, folders: Iterable[str]) -> tuple[Coverage, list[str]]: ...


class Notify(Protocol):
    """Watches folders from the moment it is made; `RustNotify` of watchfiles, or `PublicNotify`."""

    def watch(self, debounce_ms: int, step_ms: int, timeout_ms: int, stop: threading.Event, /) -> Changes | str:
        """Wait for changes: (kind, path) of each, or a word that says why there are none."""
        ...


class Watch:
    """Watches folders with all below them, in a thread of its own.

    `reason` says why it does not, "" while it does; `note` says what is not as it should be although it does.
    `ended` is called when a watch that was set up breaks. With `open_folder` it watches just the folders named, by what
    that opens, and follows no link.
    """

    def __init__(
        self,
        changed: Changed,
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
        """Watch these folders, as far as they are there; True if the watch was set up anew.

        A folder that was deleted and made again is another one: the old watch is deaf to it. `extra` are folders below
        that are named once more when the watch is set up, since it did not come to them by itself.
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
        self._thread = threading.Thread(
            target=self._loop, args=(paths, ready, self._stop), name="lightboard-watch", daemon=True
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

    def unwatched(self, folders: Iterable[str]) -> tuple[Coverage, list[str]]:
        """How many of `folders` are watched, and which are not. Those that are gone do not count.

        Where the system cannot be asked (elsewhere than on Linux), all are taken to be.
        """
        keys = {path: key for path in folders if (key := _key(path)) is not None}
        count = len(keys)
        inodes = watched_inodes(self._descriptor) if self._descriptor is not None else None
        if inodes is None or not self.alive:
            return Coverage(count if self.alive else 0, count), []
        if not any(inode in inodes for _, inode in self._armed.values()):
            # Some stacked file systems tell programs other numbers than they go by: then only counts can be compared.
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
            # Errors of watchfiles' own are RuntimeErrors.
            self.reason = f"{error}"
        finally:
            self._descriptor = None
            ready.set()
            if was_ready and not stop.is_set():
                self._ended()

    def _listen(self, notify: Notify, stop: threading.Event) -> None:
        last = -math.inf  # at rest until something stirs
        while not stop.is_set():
            quiet = time.monotonic() - last
            step = next(ms for secs, ms in STEPS if quiet <= secs)
            answer = notify.watch(DEBOUNCE_MS, step, TIMEOUT_MS, stop)
            if isinstance(answer, set) and answer:
                last = time.monotonic()
                self._changed({(kind == 1, path) for kind, path in answer})


_OPENING = threading.Lock()
"""Watches are set up one at a time, so that each can tell which descriptor is its own."""


def open_notify(folders: list[str]) -> tuple[Notify, int | None, str]:
    """Begin to watch; also the descriptor that the system watches by where that can be told, and a note for people.

    Raises `ImportError` without watchfiles, `OSError` or `RuntimeError` where folders cannot be watched.
    """
    # Imported here: it costs more than the rest of this package, and most of the load is done before.
    import watchfiles

    with _OPENING:
        before = _inotify_descriptors()
        note = ""
        try:
            from watchfiles._rust_notify import RustNotify

            notify: Notify = RustNotify(folders, False, False, 0, True, True)
            if not callable(getattr(notify, "watch", None)):
                raise TypeError("RustNotify cannot be asked for changes")
        except (ImportError, TypeError) as error:
            version = getattr(watchfiles, "__version__", "?")
            note = (
                f"watchfiles {version} is newer than this program knows ({error}); changes are seen a little later; "
                f"pip install '{KNOWN}' brings the one that it knows"
            )
            notify = PublicNotify(folders)
        new = _inotify_descriptors() - before
        return notify, new.pop() if len(new) == 1 else None, note


class PublicNotify:
    """The same by what watchfiles promises to keep: its step between looks cannot be changed while it watches."""

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
        # It begins to watch when it is first asked.
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
    """Inode numbers of what an inotify descriptor of this process watches; None where that cannot be told."""
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
    """How many watches the system allows a user; None where there is no such limit, or none that can be read."""
    try:
        with open(setting, encoding="ascii") as file:
            return int(file.read())
    except (OSError, ValueError):
        return None


QUEUED_EVENTS = 16_384
"""As Linux has it unless it was told otherwise."""

EVENTS_PER_CHANGE = 8
"""At most: a write comes as several events, which are told as one change."""


def burst_size(setting: str = "/proc/sys/fs/inotify/max_queued_events") -> int:
    """From how many changes at once on the system may have dropped some of them, which watchfiles does not tell."""
    try:
        with open(setting, encoding="ascii") as file:
            queued = int(file.read())
    except (OSError, ValueError):
        queued = QUEUED_EVENTS
    return max(1, queued // EVENTS_PER_CHANGE)


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
