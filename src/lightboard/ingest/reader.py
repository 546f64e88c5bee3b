"""Lists folders, reads the files found, and publishes the result to a catalog.

Order of reading: first the beginning of every large file and all of every small one, so that all runs are known; then
the rest in chunks, the file with most bytes left first. Nothing is ever written. `rescan_scheduler` decides when.
"""

import os
import threading
import time
from collections.abc import Callable

from lightboard.ingest.asset_registry import AssetRegistry
from lightboard.ingest.file_registry import FileRegistry
from lightboard.ingest.logdir import Source, scan
from lightboard.ingest.publisher import Publisher
from lightboard.ingest.rescan_timing import (
    DENIED_SECS,
    HEAL_SECS,
    TOUCHED_BYTES_PER_SEC,
    TOUCHED_SECS,
    RetrySet,
    earliest,
)
from lightboard.ingest.tailed_file import TailedFile, Visit, prefetch
from lightboard.ingest.thread_pool import ThreadPool
from lightboard.ingest.work_queue import Priority, WorkQueue
from lightboard.series.catalog import Catalog
from lightboard.storage.base import GONE_ERRORS, split
from lightboard.types import Progress

SMALL_BYTES = 256 << 10
"""A file up to this size is read completely at its first visit."""

HEAD_BYTES = 64 << 10
"""Bytes read of a larger file at its first visit."""

CHUNK_BYTES = 8 << 20
"""Bytes read of a large file before other files have their turn."""

BATCH_BYTES = 8 << 20
"""Bytes of small files read in one batch."""

BATCH_FILES = 256
"""Most files of a batch."""

DEFAULT_MAX_THREADS = 8
"""Default limit of reading threads. More than MAX_THREADS are never started, because they only cost."""

MAX_THREADS = 64

REMOTE_THREADS = 16
"""Reading threads of remote sources, which mostly wait for a server."""


class Reader:
    """Reads `sources` into `catalog` whenever a method asks for it.

    `threads` decode (None: one per core, 0: those of the callers that wait); a shared `thread_pool` provides them.
    `root_errors` has the errors of roots that could not be listed, `links` the linked folders found, `hot` the files
    that changed recently; `linked` says that an event file is a link. `on_due` is called when `next_due` may have
    become earlier. Runs are held back until `release`, which a listing calls by itself at `release_at`.
    """

    def __init__(
        self,
        catalog: Catalog,
        sources: list[Source],
        threads: int | None,
        clock: Callable[[], float] = time.monotonic,
        thread_pool: ThreadPool | None = None,
    ) -> None:
        self.sources = sources
        self.clock = clock
        self.loaded = False
        self.root_errors: dict[int, OSError] = {}
        self.linked = False
        self.links: set[tuple[int, str]] = set()
        self.release_at: float | None = None
        self.on_due: Callable[[], None] = lambda: None
        self._damaged: RetrySet[TailedFile] = RetrySet(*HEAL_SECS)
        self._denied: RetrySet[TailedFile] = RetrySet(*DENIED_SECS)
        self._denied_folders: RetrySet[tuple[int, str]] = RetrySet(*DENIED_SECS)
        self._touched: dict[TailedFile, float] = {}
        self.hot: dict[TailedFile, float] = {}
        self.registry = FileRegistry(sources, publisher := Publisher(catalog))
        self._publisher = publisher
        self._assets = AssetRegistry(sources)
        self._queue: WorkQueue[TailedFile] = WorkQueue(
            self._visit, _threads(threads, sources), weight=_weight, prefetch=_prefetch, thread_pool=thread_pool
        )
        self._rechecking: set[TailedFile] = set()
        self._redecode: set[TailedFile] = set()
        self._unreadable_files: dict[TailedFile, str] = {}
        self._unreadable_folders: dict[int, dict[str, str]] = {}
        self._seen: dict[int, int] = {}
        self._folders: dict[int, set[str]] = {}
        self._skipped: dict[int, dict[str, int]] = {}
        self._scanning = threading.Lock()
        self._last_scan = 0.0
        self._first_pass = threading.Event()

    def progress(self) -> Progress:
        """How much is read of everything found."""
        tailed_files = self.registry.tailed_files()
        total = read = done = 0
        for tailed in tailed_files:
            file = tailed.file
            size, offset = file.size, file.decoder.offset
            total += size
            read += offset if offset < size else size
            done += file.state != "reading"
        seen = sum(self._seen.values())
        return Progress(total, read, len(tailed_files), done, not self.loaded, seen, self._last_scan)

    def unreadable(self) -> dict[str, str]:
        """Full paths of folders and files that could not be read, with the reason."""
        found: dict[str, str] = {}
        for number, folders in list(self._unreadable_folders.items()):
            locate = self.sources[number].storage.locate
            found.update({locate(path): message for path, message in folders.items()})
        for tailed, message in list(self._unreadable_files.items()):
            found[tailed.file.path] = message
        return found

    def skipped_links(self) -> int:
        """How many links were skipped because they lead outside the allowed folders."""
        return sum(sum(folders.values()) for folders in self._skipped.copy().values())

    def is_unreadable(self, number: int, path: str) -> bool:
        """Whether the last listing could not read this folder."""
        return path in self._unreadable_folders.get(number, {})

    def folders(self, number: int) -> frozenset[str]:
        """Paths of the listed folders of a source."""
        with self._scanning:
            return frozenset(self._folders.get(number, ()))

    def scan_all(self) -> bool:
        """List every source. Returns whether anything was added, removed or changed."""
        changes = [self.scan(number) for number in range(len(self.sources))]
        self._last_scan = time.time()
        self._check_first_pass()
        self._publisher.flush(now=self.loaded and not self._queue.busy)
        return any(changes)

    def scan(self, number: int, folder: str | None = None, *, deep: bool = True, gone: str | None = None) -> bool:
        """List a source or a folder of it and queue what is new. Returns whether anything was new.

        `gone` is a path that is no longer unreadable, unless this listing finds that it is.
        """
        with self._scanning:
            source = self.sources[number]
            top = source.root if folder is None else folder
            failed: dict[str, OSError] = {}
            listed: set[str] = set()
            skipped: dict[str, int] = {}
            changes = seen = assets_changed = 0
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
                update = self.registry.update(number, found, _unsure(failed))
                assets_changed += self._assets.update(number, found, _unsure(failed))
                for tailed in (*update.new, *update.changed):
                    self._submit(tailed)
                # A file that stays unreadable is retried at each listing, which is no change.
                changed = [one for one in update.changed if one.file.state != "unreadable"]
                changes += len(update.new) + len(changed) + update.dropped
                if self.release_at is not None and self.clock() >= self.release_at:
                    self.release()
            if deep or top in failed:
                changes += self.registry.drop_missing(number, top, listed, _unsure(failed))
                assets_changed += self._assets.drop_missing(number, top, listed, _unsure(failed))
            if assets_changed:
                self._publisher.set_assets(self._assets.assets())
            if folder is None:
                self._folders[number] = listed
                self._note_skipped(number, skipped)
                self._seen[number] = seen
                self._note_top(number, failed.get(source.root))
                self._note_unreadable(number, failed, {})
            else:
                kept = self._unreadable_folders.get(number, {})
                inside = f"{top}/" if top else ""
                known = listed | read | {gone}
                kept = {p: m for p, m in kept.items() if not (p in known or (deep and p.startswith(inside)))}
                if top != source.root and isinstance(failed.get(top), GONE_ERRORS):
                    del failed[top]  # deleted, not unreadable
                self._note_unreadable(number, failed, kept)
                self._folders.setdefault(number, set()).update(listed)
                self._note_skipped(number, {**self._skipped.get(number, {}), **skipped})
            # Removals, and paths that cannot be read, cause no visit that would publish them.
            self._publisher.flush(now=self.loaded and not self._queue.busy)
            return changes + assets_changed > 0

    def _note_top(self, number: int, error: OSError | None) -> None:
        before = self.root_errors.pop(number, None)
        if error is not None:
            self.root_errors[number] = error
        if type(before) is not type(error):
            self._publisher.mark_changed()

    def _note_skipped(self, number: int, folders: dict[str, int]) -> None:
        now = {path: count for path, count in folders.items() if count}
        before = self._skipped.get(number, {})
        self._skipped[number] = now
        if now != before:
            self._publisher.mark_changed()

    def _note_unreadable(self, number: int, failed: dict[str, OSError], kept: dict[str, str]) -> None:
        """Replace the unreadable paths by those that `failed` and those `kept` from outside this listing."""
        source = self.sources[number]
        before = self._unreadable_folders.get(number, {})
        now = kept | {
            path: error.strerror or str(error)
            for path, error in failed.items()
            if path != source.root or not isinstance(error, FileNotFoundError)
        }
        self._unreadable_folders[number] = now
        # On remote storage each retry is a request; the periodic listings must suffice.
        if not source.storage.remote:
            for path in before.keys() - now.keys():
                self._denied_folders.discard((number, path))
            for path in now:
                self._denied_folders.add((number, path), self.clock())
        if now != before:
            self._publisher.mark_changed()

    def touch(self, number: int, path: str) -> bool:
        """Queue a visit of the file if it is known. Returns whether it is."""
        tailed = self.registry.find(number, path)
        if tailed is None:
            return False
        for one in self.registry.aliases(tailed):
            self._queue.submit(one)
        return True

    def next_due(self) -> float | None:
        """When `recheck` or `retry_folders` has work next; None if never."""
        retry_sets = (self._damaged, self._denied, self._denied_folders)
        return earliest([*(retries.next_due() for retries in retry_sets), *self._touched.copy().values()])

    def recheck(self, now: float) -> None:
        """Visit the damaged, touched and unreadable files that are due."""
        damaged = self._damaged.take_due(now)
        self._rechecking.update(damaged)
        touched = [tailed for tailed, due in self._touched.copy().items() if due <= now]
        for tailed in touched:
            self._touched.pop(tailed, None)
        self._redecode.update(touched)
        for tailed in (*damaged, *touched, *self._denied.take_due(now)):
            self._queue.submit(tailed)

    def retry_folders(self, now: float) -> bool:
        """Retry unreadable paths that are due. Returns whether the state of any changed."""
        retried = [self.retry_unreadable(number, path) for number, path in self._denied_folders.take_due(now)]
        return any(retried)

    def retry_unreadable(self, number: int, path: str) -> bool:
        """Try to list an unreadable path, which may be a file. Returns whether its state may have changed."""
        error = self._probe(number, path)
        if error is None:
            self.scan(number, path)
        elif isinstance(error, GONE_ERRORS):
            # It is no folder, or gone: list its parent.
            self.scan(number, split(path)[0], deep=False, gone=path)
        return error is None or isinstance(error, GONE_ERRORS)

    def _probe(self, number: int, path: str) -> OSError | None:
        """The error of listing a folder, or None."""
        errors: list[OSError] = []
        walk = self.sources[number].storage.walk(
            path, deep=False, select=lambda _name: False, on_error=lambda _path, error: errors.append(error)
        )
        for _ in walk:
            return None
        return errors[0] if errors else None

    def visit_hot(self, since: float) -> None:
        """Visit the files that changed after `since`."""
        for tailed, moment in list(self.hot.items()):
            if moment >= since:
                self._queue.submit(tailed)
            else:
                self.hot.pop(tailed, None)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until everything found is read. False if the time ran out."""
        return self._queue.wait(timeout)

    def wait_first_pass(self, timeout: float) -> None:
        """Wait until every listed file was visited once."""
        self._first_pass.wait(timeout)

    def release(self) -> None:
        """Show all runs that are ready, and from now on each run as soon as it is."""
        self.release_at = None
        self.registry.release()
        self._publisher.flush(now=True)

    def finish_loading(self) -> None:
        """Mark the first load as finished."""
        self.loaded = True
        self.publish()

    def publish(self) -> None:
        """Publish a new generation now, even if no run changed."""
        self._publisher.mark_changed()
        self._publisher.flush(now=True)

    def stop(self) -> None:
        """Stop reading."""
        self._queue.stop()

    def _submit(self, tailed: TailedFile) -> None:
        phase = 0 if tailed.visits or tailed.file.size > SMALL_BYTES else 1
        self._queue.submit(tailed, (phase, -tailed.remaining))

    def _visit(self, tailed: TailedFile) -> Priority | None:
        large = not tailed.visits and tailed.file.size > SMALL_BYTES
        recheck = tailed in self._rechecking
        redecode = tailed in self._redecode
        self._rechecking.discard(tailed)
        self._redecode.discard(tailed)
        visit = tailed.visit(HEAD_BYTES if large else CHUNK_BYTES, recheck=recheck, redecode=redecode)
        if visit.gone:
            self.registry.drop(tailed)
        self._note(tailed, visit)
        self.registry.mark_visited(tailed)
        self._check_first_pass()
        # During the first load, an empty queue does not mean the end: publish at the usual interval.
        self._publisher.flush(now=self.loaded and not visit.more and self._queue.last_one)
        return (2, -tailed.remaining) if visit.more else None

    def _note(self, tailed: TailedFile, visit: Visit) -> None:
        run = self.registry.run_of(tailed)
        if run is None:
            self._forget(tailed)
            return
        denied = tailed.file.state == "unreadable" and not tailed.storage.remote
        new = _update_retries(self._denied, tailed, self.clock(), wanted=denied)
        if self._note_touched(tailed) or new:
            self.on_due()
        if not visit.changed:
            return
        if visit.structure:
            run.invalidate_tags()
        run.changed_at = time.time()
        self._publisher.change(run, structure=visit.structure)
        # On remote storage each visit is a request, while one listing covers a thousand files.
        if self.loaded and not tailed.storage.remote:
            self.hot[tailed] = self.clock()
        if tailed.file.state == "unreadable":
            self._unreadable_files[tailed] = tailed.file.message
        else:
            self._unreadable_files.pop(tailed, None)
        if _update_retries(self._damaged, tailed, self.clock(), wanted=tailed.damaged):
            self.on_due()

    def _note_touched(self, tailed: TailedFile) -> bool:
        """Schedule a touched file to be decoded again. Returns whether it was not scheduled yet."""
        if not tailed.touched:
            self._touched.pop(tailed, None)
            return False
        new = tailed not in self._touched
        delay = max(TOUCHED_SECS, tailed.file.size / TOUCHED_BYTES_PER_SEC)
        self._touched.setdefault(tailed, self.clock() + delay)
        return new

    def _forget(self, tailed: TailedFile) -> None:
        for retries in (self._damaged, self._denied, self._rechecking, self._redecode):
            retries.discard(tailed)
        self._touched.pop(tailed, None)
        self._unreadable_files.pop(tailed, None)
        self.hot.pop(tailed, None)

    def _check_first_pass(self) -> None:
        if self._last_scan and not self.registry.unvisited and not self._first_pass.is_set():
            self._first_pass.set()


def _update_retries(retries: RetrySet[TailedFile], tailed: TailedFile, now: float, *, wanted: bool) -> bool:
    """Add the file to a retry set or discard it. Returns whether it is new there."""
    new = wanted and tailed not in retries
    if wanted:
        retries.add(tailed, now)
    else:
        retries.discard(tailed)
    return new


def _unsure(failed: dict[str, OSError]) -> list[str]:
    """Paths that failed for another reason than that they are gone."""
    return [path for path, error in failed.items() if not isinstance(error, GONE_ERRORS)]


def _weight(tailed: TailedFile) -> float:
    if tailed.skips_prefetch or tailed.file.size > SMALL_BYTES:
        return 1.0
    return max(1 / BATCH_FILES, tailed.file.size / BATCH_BYTES)


def _prefetch(tailed_files: list[TailedFile]) -> None:
    prefetch(tailed_files, CHUNK_BYTES)


def _threads(wanted: int | None, sources: list[Source]) -> int:
    if wanted is not None:
        return min(wanted, MAX_THREADS)
    if any(source.storage.remote for source in sources):
        return REMOTE_THREADS
    # The cores that this process may use: a container often has fewer than the machine.
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 2
    return min(DEFAULT_MAX_THREADS, max(2, cores))
