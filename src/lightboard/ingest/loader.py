"""Loads the event files of some sources into a catalog and keeps it up to date: the public interface of this package.

Importing it is cheap, so that reading starts before anything heavy is imported. `reader.py` lists and reads,
`rescan_scheduler.py` decides when.
"""

import time
from collections.abc import Callable
from typing import NamedTuple

from lightboard.ingest.logdir import Source
from lightboard.ingest.reader import Reader
from lightboard.ingest.rescan_scheduler import RescanScheduler
from lightboard.ingest.suggestions import suggest_folders
from lightboard.ingest.thread_pool import ThreadPool
from lightboard.series.catalog import Catalog, Live, NearbyFolder
from lightboard.storage.local import LocalStorage
from lightboard.types import Progress

REFRESH_SECS = 30.0
"""How long `refresh` waits until everything it found is read."""

NEARBY_SECS = 5.0
"""How long suggestions for an empty logdir are kept."""


class LoaderOptions(NamedTuple):
    """`reload_secs` between listings (0: load once), whether to `watch`, and how many `threads` decode.

    None means one thread per core (2 to 8). With 0, the thread that calls `load` or `refresh` does the work. Loaders
    with the same `thread_pool` share its threads.
    """

    reload_secs: float = 5.0
    watch: bool = True
    threads: int | None = None
    thread_pool: ThreadPool | None = None


class Loader:
    """Fills `catalog` from `sources` and keeps it up to date."""

    def __init__(
        self,
        catalog: Catalog,
        sources: list[Source],
        options: LoaderOptions | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        options = options or LoaderOptions()
        self._clock = clock
        self._reader = Reader(catalog, sources, options.threads, clock, options.thread_pool)
        self._scheduler = RescanScheduler(self._reader, reload_secs=options.reload_secs, watch=options.watch)
        self._nearby: tuple[float, list[NearbyFolder]] | None = None
        catalog.attach(self)

    def start(self) -> None:
        """Start to read in background threads. Returns at once."""
        self._scheduler.start()

    def load(self) -> None:
        """Read everything that exists now, without watching for changes."""
        self._reader.scan_all()
        self._reader.wait()
        self._reader.release()
        self._reader.finish_loading()

    def refresh(self) -> None:
        """List all folders now, and wait until everything found is read."""
        self._reader.scan_all()
        self._reader.wait(REFRESH_SECS)
        self._reader.publish()

    def recheck(self) -> None:
        """Retry damaged, touched and unreadable files that are due, and wait until they are read."""
        self._reader.retry_folders(self._clock())
        self._reader.recheck(self._clock())
        self._reader.wait(REFRESH_SECS)

    def lost_sources(self) -> dict[int, OSError]:
        """Errors of the last listing of the roots of sources, by number of the source."""
        return dict(self._reader.root_errors)

    def stop(self) -> None:
        """Stop all threads. The catalog keeps its data."""
        self._scheduler.stop()
        self._reader.stop()

    # The catalog's view of its loader

    @property
    def loading(self) -> bool:
        return not self._reader.loaded

    @property
    def live(self) -> Live:
        return self._scheduler.live

    @property
    def live_reason(self) -> str:
        return self._scheduler.reason

    def progress(self) -> Progress:
        return self._reader.progress()

    def unreadable(self) -> dict[str, str]:
        return self._reader.unreadable()

    def skipped_links(self) -> int:
        return self._reader.skipped_links()

    def nearby_folders(self) -> list[NearbyFolder]:
        now = self._clock()
        if self._nearby is None or now - self._nearby[0] > NEARBY_SECS:
            storages = [source.storage for source in self._reader.sources]
            found = [suggest_folders(storage.folder) for storage in storages if isinstance(storage, LocalStorage)]
            self._nearby = (now, [near for answers in found for near in answers])
        return self._nearby[1]
