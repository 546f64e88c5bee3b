"""Listings and visits brought into a catalog: what is listed is read, what is read is published.

Order of reading: first the beginning of every large file and all of every small one, so that all runs are known, then
the rest in pieces, the file with most left first. Nothing is ever written. Not here: when to list or to look again.
"""

import os
import threading
import time
from collections.abc import Callable

from lightboard.ingest.announce import Announcer
from lightboard.ingest.crew import Crew
from lightboard.ingest.follower import Follower, Visit, read_ahead
from lightboard.ingest.logdir import Source, scan
from lightboard.ingest.pool import Pool, Urgency
from lightboard.ingest.reload import (
    DENIED_SECS,
    HEAL_SECS,
    TOUCHED_BYTES_PER_SEC,
    TOUCHED_SECS,
    Rechecks,
    earliest,
)
from lightboard.ingest.roster import Roster
from lightboard.ingest.shelf import Shelf
from lightboard.series.catalog import Catalog
from lightboard.storage.base import GONE, split
from lightboard.types import Progress

SMALL_BYTES = 256 << 10
"""A file up to this size is read whole at its first visit."""

HEAD_BYTES = 64 << 10
"""How much of a larger one is read then."""

CHUNK_BYTES = 8 << 20
"""The piece of a large file that is read before another file may have its turn."""

LOT_BYTES = 8 << 20
"""So much of small files is read in one go."""

LOT_FILES = 256
"""And so many of them, however small."""

MAX_THREADS = 8
"""How many threads read unless somebody asks for more; beyond MOST_THREADS there is nothing to gain, only to lose."""

MOST_THREADS = 64

REMOTE_THREADS = 16
"""How many read where reading is mostly waiting for a server."""


class Reader:
    """Reads what `sources` hold into `catalog`, each time it is told to look.

    `threads` decode: None for one per core, 0 for those of the callers that wait; `crew` has them if they are shared.
    `tops` says of sources whose top could not be listed why. `links` are the linked folders met so
    far; `linked` says that an event file is a link; `hot` are files that changed lately. `on_due` is called when there
    is something more to look at again, see `next_due`. Runs are held back until `release`, which a listing that goes on
    at `release_at` calls by itself.
    """

    def __init__(
        self,
        catalog: Catalog,
        sources: list[Source],
        threads: int | None,
        clock: Callable[[], float] = time.monotonic,
        crew: Crew | None = None,
    ) -> None:
        self.sources = sources
        self.clock = clock
        self.loaded = False
        self.tops: dict[int, OSError] = {}
        self.linked = False
        self.links: set[tuple[int, str]] = set()
        self.release_at: float | None = None
        self.on_due: Callable[[], None] = lambda: None
        self._damaged: Rechecks[Follower] = Rechecks(*HEAL_SECS)
        self._denied: Rechecks[Follower] = Rechecks(*DENIED_SECS)
        self._denied_folders: Rechecks[tuple[int, str]] = Rechecks(*DENIED_SECS)
        self._touched: dict[Follower, float] = {}
        self.hot: dict[Follower, float] = {}
        self.roster = Roster(sources, announcer := Announcer(catalog))
        self._announcer = announcer
        self._shelf = Shelf(sources)
        self._pool: Pool[Follower] = Pool(
            self._visit, _threads(threads, sources), share=_share, ahead=_read_ahead, crew=crew
        )
        self._rechecking: set[Follower] = set()
        self._anew: set[Follower] = set()
        self._unreadable_files: dict[Follower, str] = {}
        self._unreadable_folders: dict[int, dict[str, str]] = {}
        self._seen: dict[int, int] = {}
        self._folders: dict[int, set[str]] = {}
        self._skipped: dict[int, dict[str, int]] = {}
        self._scanning = threading.Lock()
        self._last_scan = 0.0
        self._first_pass = threading.Event()

    # What is known

    def progress(self) -> Progress:
        """How far reading has come."""
        followers = self.roster.followers()
        total = read = done = 0
        for follower in followers:
            file = follower.file
            size, offset = file.size, file.decoder.offset
            total += size
            read += offset if offset < size else size
            done += file.state != "reading"
        seen = sum(self._seen.values())
        return Progress(total, read, len(followers), done, not self.loaded, seen, self._last_scan)

    def unreadable(self) -> dict[str, str]:
        """Folders and files that could not be read, in full, with the reason."""
        found: dict[str, str] = {}
        for number, folders in list(self._unreadable_folders.items()):
            locate = self.sources[number].storage.locate
            found.update({locate(path): message for path, message in folders.items()})
        for follower, message in list(self._unreadable_files.items()):
            found[follower.file.path] = message
        return found

    def skipped_links(self) -> int:
        """How many links in the folders listed lead out of what may be shown."""
        return sum(sum(folders.values()) for folders in self._skipped.copy().values())

    def is_unreadable(self, number: int, path: str) -> bool:
        """Whether the last listing could not look into this folder."""
        return path in self._unreadable_folders.get(number, {})

    def folders(self, number: int) -> frozenset[str]:
        """The folders of a source that were listed, by their paths."""
        with self._scanning:
            return frozenset(self._folders.get(number, ()))

    # Listing

    def scan_all(self) -> bool:
        """List every source; True if anything came, went or changed."""
        news = [self.scan(number) for number in range(len(self.sources))]
        self._last_scan = time.time()
        self._check_first_pass()
        self._announcer.flush(now=self.loaded and not self._pool.busy)
        return any(news)

    def scan(self, number: int, folder: str | None = None, *, deep: bool = True) -> bool:
        """List one source, or a folder of it, and have read what is new; True if anything was."""
        with self._scanning:
            source = self.sources[number]
            top = source.root if folder is None else folder
            failed: dict[str, OSError] = {}
            listed: set[str] = set()
            skipped: dict[str, int] = {}
            news = seen = shelved = 0
            read: set[str] = set()
            for found in scan(source, top, deep=deep, on_error=failed.__setitem__):
                listed.add(found.path)
                read.update(info.path for info in (*found.files, *found.assets))
                skipped[found.path] = found.skipped
                seen += found.seen
                if folder is None:
                    self._seen[number] = max(seen, self._seen.get(number, 0))
                self.linked = self.linked or found.linked
                self.links.update((number, link) for link in found.links)
                taken = self.roster.take(number, found, _unsure(failed))
                shelved += self._shelf.take(number, found, _unsure(failed))
                for follower in (*taken.new, *taken.changed):
                    self._submit(follower)
                # A file that stays unreadable is tried each time, and is no news.
                changed = [one for one in taken.changed if one.file.state != "unreadable"]
                news += len(taken.new) + len(changed) + taken.dropped
                if self.release_at is not None and self.clock() >= self.release_at:
                    self.release()
            if deep or top in failed:
                news += self.roster.drop_missing(number, top, listed, _unsure(failed))
                shelved += self._shelf.drop_missing(number, top, listed, _unsure(failed))
            if shelved:
                self._announcer.shelved(self._shelf.assets())
            if shelved or news:
                # What is only gone is read by nobody, who would publish it.
                self._announcer.flush(now=self.loaded and not self._pool.busy)
            if folder is None:
                self._folders[number] = listed
                self._note_skipped(number, skipped)
                self._seen[number] = seen
                self._note_top(number, failed.get(source.root))
                self._note_unreadable(number, failed, {})
            else:
                kept = self._unreadable_folders.get(number, {})
                inside = f"{top}/" if top else ""
                kept = {
                    p: m for p, m in kept.items() if not (p in listed or p in read or (deep and p.startswith(inside)))
                }
                self._note_unreadable(number, failed, kept)
                self._folders.setdefault(number, set()).update(listed)
                self._note_skipped(number, {**self._skipped.get(number, {}), **skipped})
            return news + shelved > 0

    def _note_top(self, number: int, error: OSError | None) -> None:
        before = self.tops.pop(number, None)
        if error is not None:
            self.tops[number] = error
        if type(before) is not type(error):
            self._announcer.nudge()

    def _note_skipped(self, number: int, folders: dict[str, int]) -> None:
        now = {path: count for path, count in folders.items() if count}
        before = self._skipped.get(number, {})
        self._skipped[number] = now
        if now != before:
            self._announcer.nudge()

    def _note_unreadable(self, number: int, failed: dict[str, OSError], kept: dict[str, str]) -> None:
        """Paths that could not be listed or looked at, besides `kept`, which this listing says nothing of."""
        source = self.sources[number]
        before = self._unreadable_folders.get(number, {})
        now = kept | {
            path: error.strerror or str(error)
            for path, error in failed.items()
            if path != source.root or not isinstance(error, FileNotFoundError)
        }
        self._unreadable_folders[number] = now
        # Where each look is a request, listings must do.
        if not source.storage.remote:
            for path in before.keys() - now.keys():
                self._denied_folders.discard((number, path))
            for path in now:
                self._denied_folders.add((number, path), self.clock())
        if now != before:
            self._announcer.nudge()

    # Reading

    def touch(self, number: int, path: str) -> bool:
        """Have the file read if it is known."""
        follower = self.roster.find(number, path)
        if follower is None:
            return False
        for one in self.roster.twins(follower):
            self._pool.submit(one)
        return True

    def next_due(self) -> float | None:
        """When `recheck` or `retry_folders` has something to do next; None if never."""
        books = (self._damaged, self._denied, self._denied_folders)
        return earliest([*(book.next_due() for book in books), *self._touched.copy().values()])

    def recheck(self, now: float) -> None:
        """Look again at files that are due: damaged ones, touched ones, those that could not be opened."""
        damaged = self._damaged.take_due(now)
        self._rechecking.update(damaged)
        touched = [follower for follower, due in self._touched.copy().items() if due <= now]
        for follower in touched:
            self._touched.pop(follower, None)
        self._anew.update(touched)
        for follower in (*damaged, *touched, *self._denied.take_due(now)):
            self._pool.submit(follower)

    def retry_folders(self, now: float) -> bool:
        """List what is due of the folders that could not be listed; True if any answers now."""
        news = False
        for number, path in self._denied_folders.take_due(now):
            error = self._probe(number, path)
            if error is None:
                self.scan(number, path)
            elif isinstance(error, GONE):
                # No folder, or no longer: the one above knows.
                with self._scanning:
                    self._unreadable_folders.get(number, {}).pop(path, None)
                    self._denied_folders.discard((number, path))
                self.scan(number, split(path)[0], deep=False)
            news = news or error is None or isinstance(error, GONE)
        return news

    def _probe(self, number: int, path: str) -> OSError | None:
        """Why a folder cannot be listed, if so."""
        errors: list[OSError] = []
        walk = self.sources[number].storage.walk(
            path, deep=False, select=lambda _name: False, on_error=lambda _path, error: errors.append(error)
        )
        for _ in walk:
            return None
        return errors[0] if errors else None

    def visit_hot(self, since: float) -> None:
        """Look at the files that changed after `since`."""
        for follower, moment in list(self.hot.items()):
            if moment >= since:
                self._pool.submit(follower)
            else:
                self.hot.pop(follower, None)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until everything found is read; False if time ran out."""
        return self._pool.wait(timeout)

    def wait_first_pass(self, timeout: float) -> None:
        """Wait until every file listed was visited once."""
        self._first_pass.wait(timeout)

    def release(self) -> None:
        """Show all runs that are ready, and from now on each as soon as it is."""
        self.release_at = None
        self.roster.release()
        self._announcer.flush(now=True)

    def finish_loading(self) -> None:
        """The first reading is over."""
        self.loaded = True
        self.publish()

    def publish(self) -> None:
        """A new generation now, even if nothing of the runs changed."""
        self._announcer.nudge()
        self._announcer.flush(now=True)

    def stop(self) -> None:
        """Read no more."""
        self._pool.stop()

    def _submit(self, follower: Follower) -> None:
        phase = 0 if follower.visits or follower.file.size > SMALL_BYTES else 1
        self._pool.submit(follower, (phase, -follower.remaining))

    def _visit(self, follower: Follower) -> Urgency | None:
        large = not follower.visits and follower.file.size > SMALL_BYTES
        recheck = follower in self._rechecking
        anew = follower in self._anew
        self._rechecking.discard(follower)
        self._anew.discard(follower)
        visit = follower.visit(HEAD_BYTES if large else CHUNK_BYTES, recheck=recheck, anew=anew)
        if visit.gone:
            self.roster.drop(follower)
        self._note(follower, visit)
        self.roster.visited(follower)
        self._check_first_pass()
        # While the first reading goes on a lull is no end: publish at the usual distance.
        self._announcer.flush(now=self.loaded and not visit.more and self._pool.last_one)
        return (2, -follower.remaining) if visit.more else None

    def _note(self, follower: Follower, visit: Visit) -> None:
        run = self.roster.run_of(follower)
        if run is None:
            self._forget(follower)
            return
        denied = follower.file.state == "unreadable" and not follower.storage.remote
        new = _keep_book(self._denied, follower, self.clock(), wanted=denied)
        if self._note_touched(follower) or new:
            self.on_due()
        if not visit.changed:
            return
        if visit.structure:
            run.restructure()
        run.changed_at = time.time()
        self._announcer.changed(run, structure=visit.structure)
        # Where each look is a request, listings must do: one tells of a thousand files.
        if self.loaded and not follower.storage.remote:
            self.hot[follower] = self.clock()
        if follower.file.state == "unreadable":
            self._unreadable_files[follower] = follower.file.message
        else:
            self._unreadable_files.pop(follower, None)
        if _keep_book(self._damaged, follower, self.clock(), wanted=follower.damaged):
            self.on_due()

    def _note_touched(self, follower: Follower) -> bool:
        """Keep when a touched file is to be read anew; whether that is news."""
        if not follower.touched:
            self._touched.pop(follower, None)
            return False
        new = follower not in self._touched
        delay = max(TOUCHED_SECS, follower.file.size / TOUCHED_BYTES_PER_SEC)
        self._touched.setdefault(follower, self.clock() + delay)
        return new

    def _forget(self, follower: Follower) -> None:
        for book in (self._damaged, self._denied, self._rechecking, self._anew):
            book.discard(follower)
        self._touched.pop(follower, None)
        self._unreadable_files.pop(follower, None)
        self.hot.pop(follower, None)

    def _check_first_pass(self) -> None:
        if self._last_scan and not self.roster.unvisited and not self._first_pass.is_set():
            self._first_pass.set()


def _keep_book(book: Rechecks[Follower], follower: Follower, now: float, *, wanted: bool) -> bool:
    """Whether the file is in the book only now."""
    new = wanted and follower not in book
    if wanted:
        book.add(follower, now)
    else:
        book.discard(follower)
    return new


def _unsure(failed: dict[str, OSError]) -> list[str]:
    """What may well be there, though it could not be looked at."""
    return [path for path, error in failed.items() if not isinstance(error, GONE)]


def _share(follower: Follower) -> float:
    if follower.apart or follower.file.size > SMALL_BYTES:
        return 1.0
    return max(1 / LOT_FILES, follower.file.size / LOT_BYTES)


def _read_ahead(followers: list[Follower]) -> None:
    read_ahead(followers, CHUNK_BYTES)


def _threads(wanted: int | None, sources: list[Source]) -> int:
    if wanted is not None:
        return min(wanted, MOST_THREADS)
    if any(source.storage.remote for source in sources):
        return REMOTE_THREADS
    # The cores this process may use: a container has often fewer than the machine.
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 2
    return min(MAX_THREADS, max(2, cores))
