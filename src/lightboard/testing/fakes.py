"""A board in memory whose files and clock are controlled by a test, without threads, waiting, or a disk.

Only the storage is a fake. Decoders, loader and catalog are the real ones.
"""

import struct
from collections.abc import Iterable

from lightboard.events.decode import Part, series_points
from lightboard.ingest.loader import Loader, LoaderOptions
from lightboard.ingest.logdir import Source
from lightboard.ingest.run_filter import ALL_RUNS, RunFilter
from lightboard.series.catalog import Catalog
from lightboard.storage.memory import MemoryStorage
from lightboard.testing.event_files import scalar_records, version_record
from lightboard.types import Step


class FakeClock:
    """A clock that only advances when a test calls `advance`."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def advance(self, secs: float) -> None:
        """Advance the time."""
        self.now += secs


class MemoryBoard:
    """A catalog of files in memory. Call `refresh` after changing `storage`."""

    def __init__(
        self, files: dict[str, bytes] | None = None, *, prefix: str = "", run_filter: RunFilter = ALL_RUNS
    ) -> None:
        self.clock = FakeClock()
        self.storage = MemoryStorage(files)
        self.catalog = Catalog()
        source = Source(prefix, self.storage, run_filter=run_filter)
        self.loader = Loader(self.catalog, [source], LoaderOptions(threads=0), clock=self.clock)
        self.loader.load()

    def refresh(self) -> None:
        """Rescan the storage and read what has changed."""
        self.loader.refresh()

    def recheck(self, after_secs: float = 120.0) -> None:
        """Advance the clock, and retry damaged ranges and files that could not be opened, without a rescan."""
        self.clock.advance(after_secs)
        self.loader.recheck()

    def names(self) -> list[str]:
        """Names of the runs, by slot."""
        return [run.name for run in self.catalog.runs()]

    def points(self, run: str, tag: str, *, purge: bool = True) -> list[tuple[Step, float]]:
        """All points of a scalar series as (step, value)."""
        return points_of(self.catalog.run(run).parts(tag), purge=purge)

    def damage(self, run: str) -> list[tuple[str, int, int]]:
        """Skipped ranges of a run as (file, offset, length)."""
        return [(region.path, region.offset, region.length) for region in self.catalog.run(run).damage()]


def event_file(tag: str, points: Iterable[tuple[Step, float]], *, start: float = 0.0, version: bool = True) -> bytes:
    """The bytes of an event file with one scalar series. The wall time of a point is `start` plus its step."""
    records = scalar_records(tag, [(step, start + step, value) for step, value in points])
    return b"".join([version_record(wall_time=start)] * version + records)


def points_of(parts: list[Part], *, purge: bool = True) -> list[tuple[Step, float]]:
    """A scalar series as (step, value)."""
    steps, _, values, _ = series_points(parts, purge)
    count = len(steps) // 8
    return list(zip(struct.unpack(f"<{count}q", steps), struct.unpack(f"<{count}d", values), strict=True))
