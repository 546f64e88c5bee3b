"""Collects changes of runs and publishes them to the catalog at most every `GAP_SECS`. Has no threads."""

import threading
import time
from collections.abc import Callable

from lightboard.series.catalog import Asset, Catalog
from lightboard.series.natural_sort import natural_key
from lightboard.series.run import Run

GAP_SECS = 0.05
"""Least time between two publications while many files are being read. The last one is always immediate."""


class Publisher:
    """Holds changes until `flush`. Runs that are added together get slots in order of start time, then of name."""

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

    def change(self, run: Run, *, structure: bool = False) -> None:
        """The points of the run changed or, with `structure`, its series or files."""
        with self._lock:
            self._changed[run] = None
            self._structure = self._structure or structure
            self._dirty = True

    def add(self, run: Run) -> None:
        """The run is ready to be shown."""
        with self._lock:
            self._removed.pop(run, None)
            self._added[run] = None
            self._dirty = True

    def remove(self, run: Run) -> None:
        """The run no longer exists."""
        with self._lock:
            self._changed.pop(run, None)
            if run in self._added:
                del self._added[run]
            else:
                self._removed[run] = None
            self._dirty = True

    def set_assets(self, assets: tuple[Asset, ...]) -> None:
        """Replace the list of assets."""
        with self._lock:
            self._assets = assets
            self._dirty = self._structure = True

    def mark_changed(self) -> None:
        """Something outside the runs changed: publish a new generation."""
        with self._lock:
            self._dirty = True

    def flush(self, *, now: bool) -> None:
        """Publish the changes, unless the last publication is less than `GAP_SECS` ago and `now` is false."""
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
                added.sort(key=_start_then_name)
            # Published under the lock, so that one flush cannot overtake another.
            self._catalog.publish(changed=changed, added=added, removed=removed, structure=structure, assets=assets)


def _start_then_name(run: Run) -> tuple[bool, float, object]:
    start = run.start_wall_time
    return start != start, 0.0 if start != start else start, natural_key(run.name)
