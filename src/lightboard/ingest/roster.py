"""Which files are followed and which run each belongs to, as listings and visits tell.

A run comes from one folder, or from several where two sources give the same name. It may be shown once every file it
began with was visited. Not here: listing, visiting, threads.
"""

import os.path
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from lightboard.ingest.announce import Announcer
from lightboard.ingest.follower import Follower
from lightboard.ingest.logdir import RunFolder, Source
from lightboard.series.run import Run

FolderKey = tuple[int, str]
"""Number of the source, path of the folder in it."""


class Taken(NamedTuple):
    """What a listing brought: files never seen, and files in another state than when last visited."""

    new: list[Follower]
    changed: list[Follower]
    dropped: int


class _Entry:
    """A run with its folders."""

    __slots__ = ("folders", "run", "shown", "unvisited")

    def __init__(self, name: str) -> None:
        self.run = Run(name)
        self.folders: dict[FolderKey, dict[str, Follower]] = {}
        self.unvisited: set[Follower] = set()
        self.shown = False


class Roster:
    """The followers by run and folder. All methods may be called from any thread.

    `unvisited` counts the files that wait for their first visit.
    """

    def __init__(self, sources: list[Source], announcer: Announcer) -> None:
        self._sources = sources
        self._announcer = announcer
        self._lock = threading.RLock()
        self._entries: dict[str, _Entry] = {}
        self._by_folder: dict[FolderKey, _Entry] = {}
        self._of: dict[Follower, tuple[_Entry, FolderKey]] = {}
        self._held: dict[_Entry, None] | None = {}
        self._identities: dict[Follower, str] = {}
        self._names: dict[str, int] = {}
        self._shared = 0
        self._above: dict[FolderKey, int] = {}
        self.unvisited = 0

    # What is there

    def __len__(self) -> int:
        return len(self._of)

    def followers(self) -> list[Follower]:
        """Every file followed."""
        with self._lock:
            return list(self._of)

    def find(self, source: int, path: str) -> Follower | None:
        """The follower of a file, if it is known."""
        entry = self._by_folder.get((source, path.rpartition("/")[0]))
        return entry.folders.get((source, path.rpartition("/")[0]), {}).get(path) if entry else None

    @property
    def aliased(self) -> bool:
        """Whether one file is there under two names now, as links make it."""
        return self._shared > 0

    def twins(self, follower: Follower) -> list[Follower]:
        """All followers of the same file, this one too: links give a file several names."""
        if not self.aliased:
            return [follower]
        return [one for one in self.followers() if one.identity == follower.identity]

    def knows_folder(self, source: int, path: str) -> bool:
        """Whether the folder, or one below it, is a run."""
        return (source, path) in self._above

    def run_of(self, follower: Follower) -> Run | None:
        """The run a file belongs to; None once it was dropped."""
        place = self._of.get(follower)
        return place[0].run if place else None

    # What listings say

    def take(self, number: int, found: RunFolder, failed: Sequence[str] = ()) -> Taken:
        """Bring the folder's files up to a listing. Paths in `failed` could not be looked at and stay as they are."""
        key = (number, found.path)
        with self._lock:
            if not found.is_run and not failed:
                return Taken([], [], self._drop_folder(key))
            entry = self._by_folder.get(key)
            if entry is None:
                if not found.is_run:
                    return Taken([], [], 0)
                entry = self._entries.setdefault(found.run, _Entry(found.run))
                self._add_folder(entry, key)
            taken = self._update(entry, key, found, set(failed))
            if taken.new or taken.dropped:
                self._renew(entry)
            self._show(entry)
            return taken

    def _update(self, entry: _Entry, key: FolderKey, found: RunFolder, failed: set[str]) -> Taken:
        known = entry.folders[key]
        new: list[Follower] = []
        changed: list[Follower] = []
        for info in found.files:
            follower = known.get(info.path)
            if follower is None:
                follower = known[info.path] = Follower(self._sources[key[0]].storage, info)
                self._of[follower] = (entry, key)
                entry.unvisited.add(follower)
                self.unvisited += 1
                new.append(follower)
            elif follower.differs(info):
                changed.append(follower)
            self._identify(follower, info.identity)
        listed = {info.path for info in found.files} | failed
        gone = [path for path in known if path not in listed]
        for path in gone:
            self._forget(entry, known.pop(path))
        return Taken(new, changed, len(gone))

    def drop_missing(self, number: int, top: str, listed: set[str], failed: Iterable[str]) -> int:
        """Drop the folders below `top` that a complete listing did not show, but none that could not be listed."""
        unsure = tuple(f"{path}/" if path else "" for path in failed)
        with self._lock:
            missing = [
                path for path in self._below(number, top) if path not in listed and not f"{path}/".startswith(unsure)
            ]
            return sum(self._drop_folder((number, path)) for path in missing)

    def drop(self, follower: Follower) -> None:
        """The file is gone; its run goes with its last file."""
        with self._lock:
            place = self._of.get(follower)
            if place is None:
                return
            entry, key = place
            known = entry.folders[key]
            del known[follower.path]
            self._forget(entry, follower)
            if known:
                self._renew(entry)
                self._show(entry)
            else:
                self._drop_folder(key)

    # What visits say

    def visited(self, follower: Follower) -> None:
        """The file was looked at once: its run may be shown when all its files were."""
        place = self._of.get(follower)
        if place is None or follower not in place[0].unvisited:
            return
        with self._lock:
            self._visited(place[0], follower)
            self._show(place[0])

    def release(self) -> None:
        """Show the runs held back until now, and from now on each as soon as it is ready.

        Until then runs are gathered, so that those of the first listing get their slots in one order.
        """
        with self._lock:
            held, self._held = self._held, None
            for entry in held or ():
                if self._entries.get(entry.run.name) is entry:
                    self._show(entry)

    # Inside

    def _show(self, entry: _Entry) -> None:
        if entry.shown or entry.unvisited or not entry.folders:
            return
        if self._held is not None:
            self._held[entry] = None
        else:
            entry.shown = True
            self._announcer.added(entry.run)

    def _below(self, number: int, top: str) -> list[str]:
        inside = f"{top}/" if top else ""
        return [p for n, p in self._by_folder if n == number and (p == top or p.startswith(inside))]

    def _add_folder(self, entry: _Entry, key: FolderKey) -> None:
        self._by_folder[key] = entry
        entry.folders[key] = {}
        for above in _upwards(key):
            self._above[above] = self._above.get(above, 0) + 1

    def _drop_folder(self, key: FolderKey) -> int:
        entry = self._by_folder.pop(key, None)
        if entry is None:
            return 0
        for above in _upwards(key):
            self._above[above] -= 1
            if not self._above[above]:
                del self._above[above]
        followers = entry.folders.pop(key)
        for follower in followers.values():
            self._forget(entry, follower)
        if entry.folders:
            self._renew(entry)
        else:
            del self._entries[entry.run.name]
            if entry.shown:
                self._announcer.removed(entry.run)
        return max(1, len(followers))

    def _identify(self, follower: Follower, identity: str | None) -> None:
        """Note which file a follower's name leads to; None for none any more, as the system gives numbers anew."""
        before = self._identities.pop(follower, None)
        if before is not None:
            self._names[before] -= 1
            self._shared -= self._names[before] == 1
            if not self._names[before]:
                del self._names[before]
        if identity is not None:
            self._identities[follower] = identity
            self._names[identity] = self._names.get(identity, 0) + 1
            self._shared += self._names[identity] == 2

    def _forget(self, entry: _Entry, follower: Follower) -> None:
        self._identify(follower, None)
        self._of.pop(follower, None)
        self._visited(entry, follower)

    def _visited(self, entry: _Entry, follower: Follower) -> None:
        if follower in entry.unvisited:
            entry.unvisited.remove(follower)
            self.unvisited -= 1

    def _renew(self, entry: _Entry) -> None:
        followers = [f for known in entry.folders.values() for f in known.values()]
        followers.sort(key=lambda follower: (os.path.basename(follower.path), follower.path))
        entry.run.set_files(tuple(follower.file for follower in followers))
        if entry.shown:
            self._announcer.changed(entry.run, structure=True)


def _upwards(key: FolderKey) -> Iterator[FolderKey]:
    """The folder and all above it."""
    number, path = key
    yield key
    while path:
        path = path.rpartition("/")[0]
        yield number, path
