"""The background thread that keeps a catalog up to date: first load, watch, periodic listings, retries.

It decides when the `reader` lists folders and visits files; the reader does both.
"""

import errno
import os.path
import threading
from collections.abc import Callable

from lightboard.ingest.logdir import is_relevant
from lightboard.ingest.reader import Reader
from lightboard.ingest.rescan_timing import (
    HOT_SECS,
    HOT_STEP_SECS,
    REARM_SECS,
    REMOTE_SHARE,
    Backoff,
    BurstDetector,
    RescanInterval,
    earliest,
    min_pause,
)
from lightboard.ingest.watch import Coverage, OnChange, Watch, Watcher, burst_size, remote_kind, watch_limit
from lightboard.series.catalog import Live
from lightboard.storage.confined import ConfinedStorage
from lightboard.storage.local import LocalStorage

FIRST_PASS_SECS = 2.0
"""How long runs are held back, so that those of the first listing get their slots in a stable order."""

START_WAIT_SECS = 0.05
"""How long `start` waits for the first listing. Other work would only compete with it for the interpreter lock, which
decoding does not need."""

NEW_FOLDER_RESCAN_SECS = 0.3
"""When a new folder is listed again, after the watch has reached it."""

MAX_WAIT_SECS = 3600.0


NewWatcher = Callable[[OnChange, Callable[[], None]], Watcher]
"""Makes a watcher. Arguments: what is called with changes, and what is called when the watcher fails."""


class RescanScheduler:
    """Decides when `reader` lists which folder."""

    def __init__(self, reader: Reader, *, reload_secs: float, watch: bool, watcher: NewWatcher = Watch) -> None:
        self._reader = reader
        self._reload = reload_secs
        self._watching = watch
        self._interval = RescanInterval(self._reload)
        self._stop = threading.Event()
        self._wake = threading.Event()
        self._listed = threading.Event()
        self._thread: threading.Thread | None = None
        self._confined = any(isinstance(source.storage, ConfinedStorage) for source in reader.sources)
        if self._confined and watcher is Watch:
            self._watch: Watcher = Watch(self._changed, self._watch_ended, self._open_folder)
        else:
            self._watch = watcher(self._changed, self._watch_ended)
        self._coverage: Coverage | None = None  # not counted yet
        self._unwatched: list[str] = []
        self._rearm = Backoff(*REARM_SECS)
        self._published_reason = ""
        self._bursts = BurstDetector(burst_size())
        self._storages = {
            number: source.storage.folder
            for number, source in enumerate(reader.sources)
            if isinstance(source.storage, LocalStorage | ConfinedStorage)
        }
        self._folders = {
            number: os.path.join(folder, reader.sources[number].root).rstrip("/") or "/"
            for number, folder in self._storages.items()
        }
        self._remote = ""
        self._next_scan = 0.0
        self._rescan_requested = False
        self._links_armed = 0
        self._scan_ended = self._scan_secs = 0.0
        self._pending_rescans: dict[tuple[int, str], float] = {}
        reader.on_due = self._wake.set

    @property
    def live(self) -> Live:
        """How changes are noticed."""
        if self._reload <= 0:
            return "once"
        return "watch" if self._is_reliable else "poll"

    @property
    def reason(self) -> str:
        """Why files are not watched, if they are not."""
        if self._reload <= 0:
            return "reload is switched off"
        if self._watch.reason:
            return self._watch.reason
        if self._remote:
            return f"changes made on other machines are not reported on {self._remote}"
        if self._watch.alive and self._coverage is not None and not self._coverage.whole:
            return _partial_coverage_reason(self._coverage)
        if any(source.storage.remote for source in self._reader.sources):
            return "object stores do not report changes; they are listed, less often while nothing changes"
        if self._watching and self._reader.linked:
            return "an event file is a link, and changes of its target are not reported"
        if len(self._folders) < len(self._reader.sources):
            return "only local folders can be watched"
        return self._watch.note if self._watching else "watching is switched off"

    def start(self) -> None:
        """Start the thread. Returns after the first listing or a moment, whichever is earlier."""
        self._thread = threading.Thread(target=self._run, name="lightboard-keep", daemon=True)
        self._thread.start()
        self._listed.wait(START_WAIT_SECS)

    def stop(self) -> None:
        """Stop the thread and the watch."""
        self._stop.set()
        self._wake.set()
        self._watch.stop()
        if self._thread is not None:
            self._thread.join(1.0)

    @property
    def _is_reliable(self) -> bool:
        """Whether the watch reports every change."""
        everywhere = len(self._folders) == len(self._reader.sources)
        return self._all_watched and everywhere and not self._remote and not self._reader.linked

    @property
    def _all_watched(self) -> bool:
        """Whether all local folders are watched."""
        return self._watch.alive and self._coverage is not None and self._coverage.whole

    @property
    def _remote_only(self) -> bool:
        """Whether all sources are remote."""
        return all(source.storage.remote for source in self._reader.sources)

    def _run(self) -> None:
        reader = self._reader
        reader.release_at = reader.clock() + FIRST_PASS_SECS
        reader.scan_all()
        self._listed.set()
        reader.wait_first_pass(FIRST_PASS_SECS)
        reader.release()
        self._finish_load()
        while not self._stop.is_set() and self._reload > 0:
            self._run_once()
        self._watch.stop()  # one that was started after `stop` had stopped it

    def _finish_load(self) -> None:
        """Wait until everything is read, listing new files meanwhile."""
        reader = self._reader
        step = self._reload if self._reload > 0 else MAX_WAIT_SECS
        while not reader.wait(step):
            if self._stop.is_set():
                return
            reader.scan_all()
        reader.finish_loading()

    def _run_once(self) -> None:
        reader = self._reader
        now = reader.clock()
        if self._rescan_requested:
            self._rescan_requested = False
            self._scan_by(now)
        if now >= self._next_scan:
            # The watch starts before the listing, so that no change in between is lost.
            fresh = self._update_watch()
            began = reader.clock()
            quiet = not reader.scan_all()
            self._scan_secs = reader.clock() - began
            # Folders behind a new link are not watched yet, and may have changed since they were listed.
            if len(reader.links) > self._links_armed and self._update_watch():
                reader.scan_all()
            self._check_coverage()
            self._scan_ended = reader.clock()
            missing = len(self._folders) != len([f for f in self._folders.values() if os.path.isdir(f)])
            took = self._scan_secs * (REMOTE_SHARE if self._remote_only else 1.0)
            # Before the first run somebody is probably watching the page.
            patient = self._is_reliable or (self._remote_only and len(reader.registry) > 0)
            delay = self._interval.after(quiet=quiet and not fresh, patient=patient, missing=missing, took=took)
            self._next_scan = now + delay
        came = self._rescan_new_folders(reader.clock())
        if reader.retry_folders(reader.clock()) or came:
            self._check_coverage()
        if (rearm := self._rearm_due()) is not None:
            self._scan_by(rearm)
        self._publish_reason()
        reader.recheck(reader.clock())
        if not self._is_reliable:
            reader.visit_hot(reader.clock() - HOT_SECS)
        hot = reader.clock() + HOT_STEP_SECS if reader.hot and not self._is_reliable else None
        second = earliest(self._pending_rescans.copy().values())
        due = earliest([self._next_scan, reader.next_due(), hot, second])
        assert due is not None
        self._wake.wait(min(MAX_WAIT_SECS, max(0.0, due - reader.clock())))
        self._wake.clear()

    def _scan_by(self, moment: float) -> None:
        """List everything then, or as soon as such listings take a twentieth of the time, or one was a minute ago."""
        self._next_scan = min(self._next_scan, max(moment, self._scan_ended + min_pause(20, self._scan_secs)))

    def _rearm_due(self) -> float | None:
        """When a watch of some of the folders is tried again, which takes a listing; None if it covers all."""
        return None if not self._watching or self._all_watched else self._rearm.next_due

    def _publish_reason(self) -> None:
        """Publish a change of `reason`, so that pages show it."""
        if self.reason != self._published_reason:
            self._published_reason = self.reason
            self._reader.publish()

    def _rescan_new_folders(self, now: float) -> bool:
        due = [key for key, moment in self._pending_rescans.copy().items() if moment <= now]
        for key in due:
            self._pending_rescans.pop(key, None)
            self._reader.scan(*key)
        return bool(due)

    def _update_watch(self) -> bool:
        if not self._watching:
            return False
        links = len(self._reader.links)
        anew, self._links_armed = links > self._links_armed, links
        self._remote = next((kind for f in self._folders.values() if (kind := remote_kind(f))), "")
        # A failed watch may succeed now, for example after a limit was raised or another program ended.
        anew = anew or (not self._all_watched and self._rearm.due(self._reader.clock()))
        fresh = self._watch.ensure(self._to_watch(), extra=self._unwatched, anew=anew)
        if fresh:
            self._coverage = None
        return fresh

    def _to_watch(self) -> list[str]:
        """The roots of all sources and, where links must not be followed, each folder by itself."""
        return [*self._folders.values(), *(self._listed_folders() if self._confined else ())]

    def _listed_folders(self) -> list[str]:
        return [
            os.path.join(folder, path) if path else folder
            for number, folder in self._storages.items()
            for path in self._reader.folders(number)
        ]

    def _open_folder(self, full: str) -> int:
        for number, path in self._source_paths(full):
            storage = self._reader.sources[number].storage
            if isinstance(storage, ConfinedStorage):
                return storage.open_folder(path)
        raise FileNotFoundError(errno.ENOENT, "no source has this folder")

    def _check_coverage(self) -> None:
        """Find out which of the listed folders are watched. The others must be polled."""
        if not self._watching:
            return
        listed = self._listed_folders()
        was_reliable = self._is_reliable
        self._coverage, self._unwatched = self._watch.unwatched(listed)
        if self._all_watched:
            self._rearm.settle(self._reader.clock())
        elif listed:
            self._rearm.start(self._reader.clock())
        if was_reliable and not self._is_reliable:
            self._request_rescan()

    def _watch_ended(self) -> None:
        """The watch failed: list everything soon."""
        self._request_rescan()

    def _changed(self, changes: set[tuple[bool, str]]) -> None:
        reader = self._reader
        if self._bursts.add(len(changes), reader.clock()):
            # The system's event queue is limited. A listing finds the changes that it dropped.
            self._request_rescan()
        shallow: set[tuple[int, str]] = set()
        deep: set[tuple[int, str]] = set()
        for came, full in changes:
            for number, path in self._source_paths(full):
                if reader.touch(number, path):
                    continue
                folder, _, name = path.rpartition("/")
                is_unreadable = reader.is_unreadable(number, path)
                if reader.registry.has_folder(number, path) or ((came or is_unreadable) and os.path.isdir(full)):
                    deep.add((number, path))
                elif is_unreadable:
                    reader.retry_unreadable(number, path)
                elif is_relevant(name):
                    shallow.add((number, folder))
        if not shallow and not deep:
            return
        if reader.registry.has_aliases or any(self._is_linked(number, path) for number, path in deep):
            # A change under one name of a link applies to its other names, and a new link is not watched yet.
            self._request_rescan()
            return
        for number, path in sorted(deep):
            reader.scan(number, path)
        for number, path in sorted(shallow - deep):
            reader.scan(number, path, deep=False)
        if deep:
            # The watch reports no files that were created in a new folder before it reached that folder.
            due = reader.clock() + NEW_FOLDER_RESCAN_SECS
            self._pending_rescans.update(dict.fromkeys(deep, due))
            self._wake.set()

    def _is_linked(self, number: int, path: str) -> bool:
        return os.path.islink(os.path.join(self._folders[number], path))

    def _request_rescan(self) -> None:
        self._rescan_requested = True
        self._wake.set()

    def _source_paths(self, full: str) -> list[tuple[int, str]]:
        """Translate a path of the file system to paths of sources."""
        found: list[tuple[int, str]] = []
        for number, folder in self._folders.items():
            inside = folder.rstrip("/") + "/"
            if full == folder or full.startswith(inside):
                root = self._reader.sources[number].root
                below = full[len(inside) :]
                found.append((number, f"{root}/{below}" if root and below else root or below))
        return found


def _partial_coverage_reason(coverage: Coverage) -> str:
    """Why only some of the folders are watched, and what can be done."""
    limit = watch_limit()
    allowed = f"fs.inotify.max_user_watches is {limit}" if limit is not None else "the system limits watches"
    return (
        f"only {coverage.watched} of {coverage.folders} folders are watched, so all are listed "
        f"periodically ({allowed}; unreadable folders count too)"
    )
