"""The thread that keeps up: first load, then watch, listings from time to time, second looks.

Not here: what a listing or a visit does.
"""

import errno
import os.path
import threading
from collections.abc import Callable

from lightboard.ingest.logdir import is_wanted
from lightboard.ingest.reader import Reader
from lightboard.ingest.reload import (
    HOT_SECS,
    HOT_STEP_SECS,
    REARM_SECS,
    REMOTE_SHARE,
    Backoff,
    Crowd,
    Pace,
    earliest,
    gap,
)
from lightboard.ingest.watch import Changed, Coverage, Watch, Watcher, crowd_size, remote_kind, watch_limit
from lightboard.series.catalog import Live
from lightboard.storage.confined import ConfinedStorage
from lightboard.storage.local import LocalStorage

FIRST_PASS_SECS = 2.0
"""How long runs are held back so that all of the first listing get their slots in one order."""

ALONE_SECS = 0.05
"""How long the first listing may go on before `start` returns: what runs beside it only takes the interpreter's lock
from it, while readers that have something to read need no lock."""

SECOND_LOOK_SECS = 0.3
"""How long after a folder came it is listed once more."""

MAX_WAIT_SECS = 3600.0


NewWatcher = Callable[[Changed, Callable[[], None]], Watcher]
"""Makes the watcher, given who hears of changes and who hears that it broke."""


class Upkeep:
    """Decides when `reader` looks where."""

    def __init__(self, reader: Reader, *, reload_secs: float, watch: bool, watcher: NewWatcher = Watch) -> None:
        self._reader = reader
        self._reload = reload_secs
        self._watching = watch
        self._pace = Pace(self._reload)
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
        self._told = ""
        self._crowd = Crowd(crowd_size())
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
        self._stirred = False
        self._links_armed = 0
        self._scanned = self._took = 0.0
        self._second_looks: dict[tuple[int, str], float] = {}
        reader.on_due = self._wake.set

    @property
    def live(self) -> Live:
        """How changes are noticed."""
        if self._reload <= 0:
            return "once"
        return "watch" if self._trusted else "poll"

    @property
    def reason(self) -> str:
        """Why files are not watched, if they are not."""
        if self._reload <= 0:
            return "reload is switched off"
        if self._watch.reason:
            return self._watch.reason
        if self._remote:
            return f"on {self._remote}, changes made elsewhere are not announced"
        if self._watch.alive and self._coverage is not None and not self._coverage.whole:
            return _partly(self._coverage)
        if any(source.storage.remote for source in self._reader.sources):
            return "object stores announce no changes; they are listed, less often while nothing changes"
        if self._watching and self._reader.linked:
            return "an event file is a link, and what happens to the file behind it is not announced"
        if len(self._folders) < len(self._reader.sources):
            return "only folders of this machine can be watched"
        return self._watch.note if self._watching else "watching is switched off"

    def start(self) -> None:
        """Begin; returns when the first listing is done, or soon."""
        self._thread = threading.Thread(target=self._keep, name="lightboard-keep", daemon=True)
        self._thread.start()
        self._listed.wait(ALONE_SECS)

    def stop(self) -> None:
        """End."""
        self._stop.set()
        self._wake.set()
        self._watch.stop()
        if self._thread is not None:
            self._thread.join(1.0)

    @property
    def _trusted(self) -> bool:
        """Whether every change is certain to be reported."""
        everywhere = len(self._folders) == len(self._reader.sources)
        return self._whole and everywhere and not self._remote and not self._reader.linked

    @property
    def _whole(self) -> bool:
        """Whether all folders of this machine are watched."""
        return self._watch.alive and self._coverage is not None and self._coverage.whole

    @property
    def _remote_only(self) -> bool:
        """Whether everything is listed over a network."""
        return all(source.storage.remote for source in self._reader.sources)

    def _keep(self) -> None:
        reader = self._reader
        reader.release_at = reader.clock() + FIRST_PASS_SECS
        reader.scan_all()
        self._listed.set()
        reader.wait_first_pass(FIRST_PASS_SECS)
        reader.release()
        self._finish_load()
        while not self._stop.is_set() and self._reload > 0:
            self._round()

    def _finish_load(self) -> None:
        """Wait for the first reading, looking for what comes meanwhile as often as later."""
        reader = self._reader
        step = self._reload if self._reload > 0 else MAX_WAIT_SECS
        while not reader.wait(step):
            if self._stop.is_set():
                return
            reader.scan_all()
        reader.finish_loading()

    def _round(self) -> None:
        reader = self._reader
        now = reader.clock()
        if self._stirred:
            # However often something stirs, listings take no more than a twentieth of the time, or come a minute apart.
            self._stirred = False
            self._next_scan = min(self._next_scan, max(now, self._scanned + gap(20, self._took)))
        if now >= self._next_scan:
            # The watch comes first: what changes while the listing goes on is heard.
            fresh = self._arm()
            began = reader.clock()
            quiet = not reader.scan_all()
            self._took = reader.clock() - began
            # Folders behind a new link are not watched yet, and may have changed since they were listed.
            if len(reader.links) > self._links_armed and self._arm():
                reader.scan_all()
            self._check_coverage()
            self._scanned = reader.clock()
            missing = len(self._folders) != len([f for f in self._folders.values() if os.path.isdir(f)])
            took = self._took * (REMOTE_SHARE if self._remote_only else 1.0)
            # Whoever waits for the first run looks at the page.
            patient = self._trusted or (self._remote_only and len(reader.roster) > 0)
            delay = self._pace.after(quiet=quiet and not fresh, patient=patient, missing=missing, took=took)
            self._next_scan = now + delay
        came = self._look_again(reader.clock())
        if reader.retry_folders(reader.clock()) or came:
            self._check_coverage()
        self._tell()
        reader.recheck(reader.clock())
        if not self._trusted:
            reader.visit_hot(reader.clock() - HOT_SECS)
        hot = reader.clock() + HOT_STEP_SECS if reader.hot and not self._trusted else None
        second = earliest(self._second_looks.copy().values())
        due = earliest([self._next_scan, reader.next_due(), hot, second])
        assert due is not None
        self._wake.wait(min(MAX_WAIT_SECS, max(0.0, due - reader.clock())))
        self._wake.clear()

    def _tell(self) -> None:
        """Let pages know that files are watched, or no longer."""
        if self.reason != self._told:
            self._told = self.reason
            self._reader.publish()

    def _look_again(self, now: float) -> bool:
        due = [place for place, moment in self._second_looks.copy().items() if moment <= now]
        for place in due:
            self._second_looks.pop(place, None)
            self._reader.scan(*place)
        return bool(due)

    def _arm(self) -> bool:
        if not self._watching:
            return False
        links = len(self._reader.links)
        anew, self._links_armed = links > self._links_armed, links
        self._remote = next((kind for f in self._folders.values() if (kind := remote_kind(f))), "")
        # What could not be watched may be watched now: a limit was raised, another program ended.
        anew = anew or (not self._whole and self._rearm.due(self._reader.clock()))
        fresh = self._watch.ensure(self._to_watch(), extra=self._unwatched, anew=anew)
        if fresh:
            self._coverage = None
        return fresh

    def _to_watch(self) -> list[str]:
        """The tops of all sources; where links may not be followed, each folder by itself."""
        return [*self._folders.values(), *(self._listed_folders() if self._confined else ())]

    def _listed_folders(self) -> list[str]:
        return [
            os.path.join(folder, path) if path else folder
            for number, folder in self._storages.items()
            for path in self._reader.folders(number)
        ]

    def _open_folder(self, full: str) -> int:
        for number, path in self._places(full):
            storage = self._reader.sources[number].storage
            if isinstance(storage, ConfinedStorage):
                return storage.open_folder(path)
        raise FileNotFoundError(errno.ENOENT, "no source has this folder")

    def _check_coverage(self) -> None:
        """Count which of the folders listed are watched: what is not must be polled."""
        if not self._watching:
            return
        listed = self._listed_folders()
        was_trusted = self._trusted
        self._coverage, self._unwatched = self._watch.unwatched(listed)
        if self._whole:
            self._rearm.settle(self._reader.clock())
        elif listed:
            self._rearm.start(self._reader.clock())
        if was_trusted and not self._trusted:
            self._scan_soon()

    def _watch_ended(self) -> None:
        """The watch broke: what was left to it must be looked for from now on."""
        self._scan_soon()

    # What the watch tells

    def _changed(self, changes: set[tuple[bool, str]]) -> None:
        reader = self._reader
        if self._crowd.add(len(changes), reader.clock()):
            # The queue of the system has an end: what came to more files than it holds is found by a listing.
            self._scan_soon()
        shallow: set[tuple[int, str]] = set()
        deep: set[tuple[int, str]] = set()
        for came, full in changes:
            for number, path in self._places(full):
                if reader.touch(number, path):
                    continue
                folder, _, name = path.rpartition("/")
                if (came and os.path.isdir(full)) or self._matters(number, path):
                    deep.add((number, path))
                elif is_wanted(name):
                    shallow.add((number, folder))
        if not shallow and not deep:
            return
        if reader.roster.aliased or any(self._is_linked(number, path) for number, path in deep):
            # Links: what was heard under one name is true under others, and a new link is not watched yet.
            self._scan_soon()
            return
        for number, path in sorted(deep):
            reader.scan(number, path)
        for number, path in sorted(shallow - deep):
            reader.scan(number, path, deep=False)
        if deep:
            # A file made in a new folder before the watch reached it was not heard.
            due = reader.clock() + SECOND_LOOK_SECS
            self._second_looks.update(dict.fromkeys(deep, due))
            self._wake.set()

    def _matters(self, number: int, path: str) -> bool:
        return self._reader.roster.knows_folder(number, path) or self._reader.is_unreadable(number, path)

    def _is_linked(self, number: int, path: str) -> bool:
        return os.path.islink(os.path.join(self._folders[number], path))

    def _scan_soon(self) -> None:
        self._stirred = True
        self._wake.set()

    def _places(self, full: str) -> list[tuple[int, str]]:
        """Which path of which sources a path of the file system is."""
        places: list[tuple[int, str]] = []
        for number, folder in self._folders.items():
            inside = folder.rstrip("/") + "/"
            if full == folder or full.startswith(inside):
                root = self._reader.sources[number].root
                below = full[len(inside) :]
                places.append((number, f"{root}/{below}" if root and below else root or below))
        return places


def _partly(coverage: Coverage) -> str:
    """Why not all folders are watched, and what may help."""
    limit = watch_limit()
    allowed = f"fs.inotify.max_user_watches is {limit}" if limit is not None else "the system limits watches"
    return (
        f"only {coverage.watched} of {coverage.folders} folders are watched, so that all are looked at from time to "
        f"time ({allowed}; folders that may not be read count too)"
    )
