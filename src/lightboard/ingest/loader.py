"""Event files of some sources in a catalog, all of them, and then whatever comes: the face of this package.

Importing it is cheap, so that reading begins before anything heavy is loaded. Not here: how; `reader.py` reads and
`upkeep.py` says when.
"""

import time
from collections.abc import Callable
from typing import NamedTuple

from lightboard.ingest.crew import Crew
from lightboard.ingest.logdir import Source
from lightboard.ingest.nearest import nearest
from lightboard.ingest.reader import Reader
from lightboard.ingest.upkeep import Upkeep
from lightboard.series.catalog import Catalog, Live, Nearby
from lightboard.storage.local import LocalStorage
from lightboard.types import Progress

REFRESH_SECS = 30.0
"""How long `refresh` waits for what it found to be read."""

NEARBY_SECS = 5.0
"""How long an answer about the neighbourhood of an empty logdir is good."""


class LoaderOptions(NamedTuple):
    """How to keep up: `reload_secs` between listings (0: load once), whether to `watch`, how many `threads` decode.

    None is one thread per core (2 to 8); with 0 the work is done by the thread that calls `load` or `refresh`. Loaders
    with the same `crew` share its threads.
    """

    reload_secs: float = 5.0
    watch: bool = True
    threads: int | None = None
    crew: Crew | None = None


class Loader:
    """Fills `catalog` from `sources` and keeps it abreast of them."""

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
        self._reader = Reader(catalog, sources, options.threads, clock, options.crew)
        self._upkeep = Upkeep(self._reader, reload_secs=options.reload_secs, watch=options.watch)
        self._nearby: tuple[float, list[Nearby]] | None = None
        catalog.attach(self)

    def start(self) -> None:
        """Begin to read and go on in threads of its own. Returns at once."""
        self._upkeep.start()

    def load(self) -> None:
        """Read everything that is there now and return; nothing is watched."""
        self._reader.scan_all()
        self._reader.wait()
        self._reader.release()
        self._reader.finish_loading()

    def refresh(self) -> None:
        """Look at all files now; returns when what was found is read."""
        self._reader.scan_all()
        self._reader.wait(REFRESH_SECS)
        self._reader.publish()

    def recheck(self) -> None:
        """Look again at damage, files touched inside and what could not be opened, where due; then it is read."""
        self._reader.retry_folders(self._clock())
        self._reader.recheck(self._clock())
        self._reader.wait(REFRESH_SECS)

    def lost_sources(self) -> dict[int, OSError]:
        """Why the top of a source could not be listed the last time, by its number; those that could are left out."""
        return dict(self._reader.tops)

    def stop(self) -> None:
        """End all threads. The catalog keeps what it has."""
        self._upkeep.stop()
        self._reader.stop()

    # What the catalog asks

    @property
    def loading(self) -> bool:
        return not self._reader.loaded

    @property
    def live(self) -> Live:
        return self._upkeep.live

    @property
    def live_reason(self) -> str:
        return self._upkeep.reason

    def progress(self) -> Progress:
        return self._reader.progress()

    def unreadable(self) -> dict[str, str]:
        return self._reader.unreadable()

    def skipped_links(self) -> int:
        return self._reader.skipped_links()

    def nearest(self) -> list[Nearby]:
        now = self._clock()
        if self._nearby is None or now - self._nearby[0] > NEARBY_SECS:
            storages = [source.storage for source in self._reader.sources]
            found = [nearest(storage.folder) for storage in storages if isinstance(storage, LocalStorage)]
            self._nearby = (now, [near for answers in found for near in answers])
        return self._nearby[1]
