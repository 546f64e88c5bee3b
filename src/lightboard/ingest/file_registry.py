"""Which event files are tailed, and to which run each belongs. Updated by listings and by visits of files.

A run has one folder, or several if two sources give it the same name. It can be shown once each of its first files was
visited. Listing, visiting and threads are elsewhere.
"""

import os.path
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from lightboard.ingest.logdir import RunFolder, Source
from lightboard.ingest.publisher import Publisher
from lightboard.ingest.tailed_file import TailedFile
from lightboard.series.run import Run

FolderKey = tuple[int, str]
"""Number of the source, path of the folder in it."""


class RegistryUpdate(NamedTuple):
    """What a listing changed: new files, files whose state differs from their last visit, and how many were dropped."""

    new: list[TailedFile]
    changed: list[TailedFile]
    dropped: int


class _Entry:
    """A run with its folders."""

    __slots__ = ("folders", "run", "shown", "unvisited")

    def __init__(self, name: str) -> None:
        self.run = Run(name)
        self.folders: dict[FolderKey, dict[str, TailedFile]] = {}
        self.unvisited: set[TailedFile] = set()
        self.shown = False


class FileRegistry:
    """Tailed files by run and folder. Thread-safe. `unvisited` counts the files that wait for their first visit."""

    def __init__(self, sources: list[Source], publisher: Publisher) -> None:
        self._sources = sources
        self._publisher = publisher
        self._lock = threading.RLock()
        self._entries: dict[str, _Entry] = {}
        self._by_folder: dict[FolderKey, _Entry] = {}
        self._by_file: dict[TailedFile, tuple[_Entry, FolderKey]] = {}
        self._unreleased: dict[_Entry, None] | None = {}
        self._identities: dict[TailedFile, str] = {}
        self._name_counts: dict[str, int] = {}
        self._alias_count = 0
        self._descendants: dict[FolderKey, int] = {}
        self.unvisited = 0

    def __len__(self) -> int:
        return len(self._by_file)

    def tailed_files(self) -> list[TailedFile]:
        """All files."""
        with self._lock:
            return list(self._by_file)

    def find(self, source: int, path: str) -> TailedFile | None:
        """The file at this path, or None if it is unknown."""
        entry = self._by_folder.get((source, path.rpartition("/")[0]))
        return entry.folders.get((source, path.rpartition("/")[0]), {}).get(path) if entry else None

    @property
    def has_aliases(self) -> bool:
        """Whether any file has several names, through links."""
        return self._alias_count > 0

    def aliases(self, tailed: TailedFile) -> list[TailedFile]:
        """The same file under each of its names, this one included."""
        if not self.has_aliases:
            return [tailed]
        return [one for one in self.tailed_files() if one.identity == tailed.identity]

    def has_folder(self, source: int, path: str) -> bool:
        """Whether this folder or one below it belongs to a run."""
        return (source, path) in self._descendants

    def run_of(self, tailed: TailedFile) -> Run | None:
        """The run of a file, or None if the file was dropped."""
        known = self._by_file.get(tailed)
        return known[0].run if known else None

    def update(self, number: int, found: RunFolder, failed: Sequence[str] = ()) -> RegistryUpdate:
        """Apply the listing of a folder. Paths in `failed` could not be read and keep their state."""
        key = (number, found.path)
        with self._lock:
            if not found.is_run and not failed:
                return RegistryUpdate([], [], self._drop_folder(key))
            entry = self._by_folder.get(key)
            if entry is None:
                if not found.is_run:
                    return RegistryUpdate([], [], 0)
                entry = self._entries.setdefault(found.run, _Entry(found.run))
                self._add_folder(entry, key)
            update = self._update_files(entry, key, found, set(failed))
            if update.new or update.dropped:
                self._refresh_files(entry)
            self._show(entry)
            return update

    def _update_files(self, entry: _Entry, key: FolderKey, found: RunFolder, failed: set[str]) -> RegistryUpdate:
        known = entry.folders[key]
        new: list[TailedFile] = []
        changed: list[TailedFile] = []
        for info in found.files:
            tailed = known.get(info.path)
            if tailed is None:
                tailed = known[info.path] = TailedFile(self._sources[key[0]].storage, info)
                self._by_file[tailed] = (entry, key)
                entry.unvisited.add(tailed)
                self.unvisited += 1
                new.append(tailed)
            elif tailed.differs(info):
                changed.append(tailed)
            self._identify(tailed, info.identity)
        listed = {info.path for info in found.files} | failed
        gone = [path for path in known if path not in listed]
        for path in gone:
            self._forget(entry, known.pop(path))
        return RegistryUpdate(new, changed, len(gone))

    def drop_missing(self, number: int, top: str, listed: set[str], failed: Iterable[str]) -> int:
        """Drop the folders below `top` that a complete listing could read but did not find."""
        unsure = tuple(f"{path}/" if path else "" for path in failed)
        with self._lock:
            missing = [
                path for path in self._below(number, top) if path not in listed and not f"{path}/".startswith(unsure)
            ]
            return sum(self._drop_folder((number, path)) for path in missing)

    def drop(self, tailed: TailedFile) -> None:
        """Remove a file that no longer exists, and its run if this was the last file."""
        with self._lock:
            location = self._by_file.get(tailed)
            if location is None:
                return
            entry, key = location
            known = entry.folders[key]
            del known[tailed.path]
            self._forget(entry, tailed)
            if known:
                self._refresh_files(entry)
                self._show(entry)
            else:
                self._drop_folder(key)

    def mark_visited(self, tailed: TailedFile) -> None:
        """Note the first visit of a file. The run is shown once all its files were visited."""
        location = self._by_file.get(tailed)
        if location is None or tailed not in location[0].unvisited:
            return
        with self._lock:
            self._remove_unvisited(location[0], tailed)
            self._show(location[0])

    def release(self) -> None:
        """Show the runs that were held back, and from now on each run as soon as it is ready.

        Runs of the first listing are held back so that they get their slots together, in a stable order.
        """
        with self._lock:
            unreleased, self._unreleased = self._unreleased, None
            for entry in unreleased or ():
                if self._entries.get(entry.run.name) is entry:
                    self._show(entry)

    def _show(self, entry: _Entry) -> None:
        if entry.shown or entry.unvisited or not entry.folders:
            return
        if self._unreleased is not None:
            self._unreleased[entry] = None
        else:
            entry.shown = True
            self._publisher.add(entry.run)

    def _below(self, number: int, top: str) -> list[str]:
        inside = f"{top}/" if top else ""
        return [p for n, p in self._by_folder if n == number and (p == top or p.startswith(inside))]

    def _add_folder(self, entry: _Entry, key: FolderKey) -> None:
        self._by_folder[key] = entry
        entry.folders[key] = {}
        for above in _with_parents(key):
            self._descendants[above] = self._descendants.get(above, 0) + 1

    def _drop_folder(self, key: FolderKey) -> int:
        entry = self._by_folder.pop(key, None)
        if entry is None:
            return 0
        for above in _with_parents(key):
            self._descendants[above] -= 1
            if not self._descendants[above]:
                del self._descendants[above]
        tailed_files = entry.folders.pop(key)
        for tailed in tailed_files.values():
            self._forget(entry, tailed)
        if entry.folders:
            self._refresh_files(entry)
        else:
            del self._entries[entry.run.name]
            if entry.shown:
                self._publisher.remove(entry.run)
        return max(1, len(tailed_files))

    def _identify(self, tailed: TailedFile, identity: str | None) -> None:
        """Note which inode a name refers to. None if none: the system may reuse the number."""
        before = self._identities.pop(tailed, None)
        if before is not None:
            self._name_counts[before] -= 1
            self._alias_count -= self._name_counts[before] == 1
            if not self._name_counts[before]:
                del self._name_counts[before]
        if identity is not None:
            self._identities[tailed] = identity
            self._name_counts[identity] = self._name_counts.get(identity, 0) + 1
            self._alias_count += self._name_counts[identity] == 2

    def _forget(self, entry: _Entry, tailed: TailedFile) -> None:
        self._identify(tailed, None)
        self._by_file.pop(tailed, None)
        self._remove_unvisited(entry, tailed)

    def _remove_unvisited(self, entry: _Entry, tailed: TailedFile) -> None:
        if tailed in entry.unvisited:
            entry.unvisited.remove(tailed)
            self.unvisited -= 1

    def _refresh_files(self, entry: _Entry) -> None:
        tailed_files = [f for known in entry.folders.values() for f in known.values()]
        tailed_files.sort(key=lambda tailed: (os.path.basename(tailed.path), tailed.path))
        entry.run.set_files(tuple(tailed.file for tailed in tailed_files))
        if entry.shown:
            self._publisher.change(entry.run, structure=True)


def _with_parents(key: FolderKey) -> Iterator[FolderKey]:
    """The folder and all its parents."""
    number, path = key
    yield key
    while path:
        path = path.rpartition("/")[0]
        yield number, path
