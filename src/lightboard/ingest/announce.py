"""Gathers what visits brought and publishes it to the catalog, not more often than eyes can follow. No threads."""

import threading
import time
from collections.abc import Callable

from lightboard.series.asset import Asset
from lightboard.series.catalog import Catalog
from lightboard.series.natural import natural_key
from lightboard.series.run import Run

GAP_SECS = 0.05
"""While many files are being read, changes are published this far apart; the last one always at once."""


class Announcer:
    """Changes wait here until `flush`. Runs that come together get their slots by start, then by name."""

    def __init__(self, catalog: Catalog, clock: Callable[[], float] = time.monotonic) -> None:
        self._catalog = catalog
        self._clock = clock
        self._lock = threading.Lock()
        self._changed: dict[Run, None] = {}
        self._added: dict[Run, None] = {}
        self._removed: dict[Run, None] = {}
        self._assets: tuple[Asset, ...] | None = None
        self._structure = False
        self._dirty = False
        self._flushed = -GAP_SECS

    def changed(self, run: Run, *, structure: bool = False) -> None:
        """The run has other points than before or, with `structure`, other series or files."""
        with self._lock:
            self._changed[run] = None
            self._structure = self._structure or structure
            self._dirty = True

    def added(self, run: Run) -> None:
        """The run may be shown."""
        with self._lock:
            self._removed.pop(run, None)
            self._added[run] = None
            self._dirty = True

    def removed(self, run: Run) -> None:
        """The run is gone."""
        with self._lock:
            self._changed.pop(run, None)
            if run in self._added:
                del self._added[run]
            else:
                self._removed[run] = None
            self._dirty = True

    def shelved(self, assets: tuple[Asset, ...]) -> None:
        """These are the files beside events from now on."""
        with self._lock:
            self._assets = assets
            self._dirty = self._structure = True

    def nudge(self) -> None:
        """Something that is not in a run changed: publish a generation for it."""
        with self._lock:
            self._dirty = True

    def flush(self, *, now: bool) -> None:
        """Publish what waits; without `now` only if the last time is long enough ago."""
        with self._lock:
            moment = self._clock()
            if not self._dirty or (not now and moment - self._flushed < GAP_SECS):
                return
            self._flushed = moment
            changed, added, removed = list(self._changed), list(self._added), list(self._removed)
            structure, assets = self._structure, self._assets
            self._assets = None
            self._changed, self._added, self._removed = {}, {}, {}
            self._structure = self._dirty = False
            if len(added) > 1:
                added.sort(key=_first_seen)
            # Published under the lock: two flushes must not overtake each other.
            self._catalog.publish(changed=changed, added=added, removed=removed, structure=structure, assets=assets)


def _first_seen(run: Run) -> tuple[bool, float, object]:
    start = run.start_wall_time
    return start != start, 0.0 if start != start else start, natural_key(run.name)
