"""The interface between queries and their callers: protocols by kind, and their implementation over a catalog.

All methods are thread-safe. Only `reload` waits for files to be listed; the time of the others depends on what they
return.
"""

import math
import threading
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from lightboard.config import BoardSettings
from lightboard.events.byte_reader import ByteReader
from lightboard.query import columns, export, problems, runs, scalars, status, tags, values
from lightboard.query.capture_listing import CaptureListing
from lightboard.query.columns import ColumnRequest, Columns
from lightboard.query.export import LongSeries
from lightboard.query.graph_file_index import GraphFileIndex
from lightboard.query.graph_files import graph_files, xplanes
from lightboard.query.runs import EventFile, RunRow, RunTable
from lightboard.query.scalars import ChartRequest, ChartStyle, Points, SeriesStats
from lightboard.query.step_stats_listing import StepStatsListing
from lightboard.query.tags import TagInfo, TagText
from lightboard.query.values import ValueLocation, Values
from lightboard.series.catalog import Asset, Catalog, Changes
from lightboard.series.restarts import Restart

if TYPE_CHECKING:  # models and NumPy are slow to import, and the first page needs neither
    from lightboard.query.capture_store import CaptureStore
    from lightboard.query.ranges import SeriesRange
    from lightboard.schema.problems import Problem
    from lightboard.schema.status import Status


class IndexProvider(Protocol):
    """Which runs, tags and files there are."""

    @property
    def generation(self) -> int:
        """Increases with every visible change."""

    @property
    def structure_generation(self) -> int:
        """The generation at which runs, tags or assets were last added or removed. Lists of tags are valid as long."""

    def run_names(self) -> list[str]:
        """Names of runs in order of their first event, as TensorBoard lists them."""

    def runs(self) -> list[RunRow]:
        """All runs, by slot. Callers must not modify the list."""

    def run_table(self) -> RunTable:
        """All runs, with the version at which each row last changed."""

    def restarts(self, run: str) -> list[Restart]:
        """The restarts of a run, in file order. Raises RunNotFound."""

    def files(self, run: str) -> list[EventFile]:
        """The event files of a run, in the order of their points. Raises RunNotFound."""

    def tags(self, plugin: str) -> list[TagInfo]:
        """Tags of one kind in natural order. Callers must not modify the list."""

    def tags_by_run(self, plugin: str) -> dict[str, dict[str, TagText]]:
        """Run name -> tag -> display name and description, for one kind."""

    def plugin_counts(self) -> dict[str, int]:
        """The number of tags of each kind."""

    def assets(self) -> Sequence[Asset]:
        """Files next to event files that describe other data, such as the config of the projector."""

    def graph_files(self) -> GraphFileIndex:
        """The model files among the assets. Listed once between two changes of runs and assets."""


class ScalarProvider(Protocol):
    """Scalar series: charts, statistics and points."""

    def charts(self, style: ChartStyle, requests: Sequence[ChartRequest]) -> Generator[bytes | int | None, None, None]:
        """Charts downsampled to pixels, in pieces for the scheduler: see `query.scalars.draw_charts`."""

    def stats(self, tags: Iterable[str], runs: frozenset[int] | None, orphans: bool = False) -> Iterable[SeriesStats]:
        """Statistics of whole series, computed lazily: there may be millions."""

    def ranges(
        self, tags: Iterable[str], runs: frozenset[int] | None, low: float, high: float, orphans: bool = False
    ) -> "Iterable[SeriesRange]":
        """Exact statistics between two steps, both included, computed lazily."""

    def columns(self, requests: Sequence[ColumnRequest], orphans: bool = False) -> Columns:
        """For each request, one statistic of one tag for all runs."""

    def series(self, run: str, tag: str, orphans: bool = False) -> Points:
        """All points of one series. Raises RunNotFound, TagNotFound."""

    def long_series(self, run: str, tag: str, orphans: bool = False) -> LongSeries:
        """All points of one series, in batches. Raises RunNotFound, TagNotFound."""

    def runs_having(self, tag: str, runs: frozenset[int] | None) -> list[str]:
        """Names of the runs with a scalar series `tag`, by slot, among the runs with these ids or all."""

    def samples(self, run: str, tag: str, most: int) -> Points:
        """At most `most` points of one series, 0 = all. Raises RunNotFound, TagNotFound."""


class ValueProvider(Protocol):
    """Values of all kinds but scalars. They stay in their files until they are read."""

    def values(self, plugin: str, run: str, tag: str, orphans: bool = False) -> Values:
        """The locations of the values of one series. Raises RunNotFound, TagNotFound."""

    def read(self, location: ValueLocation, offset: int, length: int) -> bytes:
        """Up to `length` bytes of a value from `offset`, fewer only at its end. Raises ValueNotFound."""

    def window(self, location: ValueLocation) -> ByteReader:
        """A value that is read piece by piece. Reading may raise ValueNotFound."""


class DataProvider(IndexProvider, ScalarProvider, ValueProvider, Protocol):
    """All data of the logs, for queries that combine several kinds."""


class ProfileProvider(Protocol):
    """Captures of profilers."""

    def profiles(self) -> "CaptureStore":
        """The captures of the logs, and what was read of them."""


class StatusProvider(Protocol):
    """The state of the board itself."""

    def status(self) -> "Status":
        """Progress, counts and settings."""

    def problems(self) -> "list[Problem]":
        """Damaged and unreadable files."""

    def reload(self) -> None:
        """List all files, and return when everything found has been read."""


class ChangeProvider(Protocol):
    """Notifications of changes."""

    @property
    def generation(self) -> int:
        """Increases with every visible change."""

    @property
    def loading(self) -> bool:
        """Whether the files are still being read for the first time."""

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` after each change, from any thread. Returns a function that ends the subscription."""

    def changes_since(self, generation: int) -> Changes:
        """The changes since `generation`."""


class Provider(DataProvider, ProfileProvider, StatusProvider, ChangeProvider, Protocol):
    """Everything that a board needs."""


class CatalogProvider:
    """See Provider. Queries a catalog in memory."""

    def __init__(self, catalog: Catalog, settings: BoardSettings) -> None:
        self.catalog = catalog
        self.settings = settings
        self.loaded_at = math.inf
        self._rows = runs.RunRows(catalog, purge=settings.purge_orphaned_data)
        self._tags: dict[str, tuple[int, list[TagInfo]]] = {}
        self._counts: status.Counts | None = None
        self._graph_files: GraphFileIndex | None = None
        self._captures = CaptureListing(catalog.assets, StepStatsListing(catalog).captures)
        self._profiles: CaptureStore | None = None
        self._profiles_lock = threading.Lock()

    @property
    def generation(self) -> int:
        return self.catalog.generation

    @property
    def loading(self) -> bool:
        return self.catalog.loading

    def status(self) -> "Status":
        if self._counts is None or self._counts.generation != self.catalog.generation:
            self._counts = status.count(self.catalog)
        captures, models = self._captures.captures(), self.graph_files().files
        return status.status_of(self.catalog, self.settings, self._counts, captures, models)

    def run_names(self) -> list[str]:
        return runs.names_by_start(self.catalog)

    @property
    def structure_generation(self) -> int:
        return self.catalog.structure_generation

    def runs(self) -> list[RunRow]:
        return self.run_table().rows

    def run_table(self) -> RunTable:
        if not self.loading:
            self.loaded_at = min(self.loaded_at, time.time())
        return self._rows.table(self.loaded_at)

    def restarts(self, run: str) -> list[Restart]:
        return runs.list_restarts(self.catalog, run)

    def files(self, run: str) -> list[EventFile]:
        return runs.list_files(self.catalog, run)

    def tags(self, plugin: str) -> list[TagInfo]:
        # A page of a hundred cards requests them a hundred times between two changes of the logs.
        generation, known = self._tags.get(plugin, (-1, []))
        if generation != self.structure_generation:
            generation = self.structure_generation
            known = tags.list_tags(self.catalog, plugin)
            if known:  # clients can request any number of kinds that do not exist
                self._tags[plugin] = (generation, known)
        return known

    def tags_by_run(self, plugin: str) -> dict[str, dict[str, TagText]]:
        return tags.tags_by_run(self.catalog, plugin)

    def plugin_counts(self) -> dict[str, int]:
        return tags.count_tags(self.catalog, self.graph_files().files, self._captures.captures())

    def charts(self, style: ChartStyle, requests: Sequence[ChartRequest]) -> Generator[bytes | int | None, None, None]:
        return scalars.draw_charts(self.catalog, style, requests, self.purge(style.orphans))

    def stats(self, tags: Iterable[str], runs: frozenset[int] | None, orphans: bool = False) -> Iterable[SeriesStats]:
        return scalars.read_stats(self.catalog, tags, runs, self.purge(orphans))

    def ranges(
        self, tags: Iterable[str], runs: frozenset[int] | None, low: float, high: float, orphans: bool = False
    ) -> "Iterable[SeriesRange]":
        from lightboard.query.ranges import read_ranges  # loads NumPy

        return read_ranges(self.catalog, tags, runs, low, high, self.purge(orphans))

    def columns(self, requests: Sequence[ColumnRequest], orphans: bool = False) -> Columns:
        return columns.read_columns(self.catalog, requests, self.purge(orphans))

    def series(self, run: str, tag: str, orphans: bool = False) -> Points:
        return scalars.read_series(self.catalog, run, tag, self.purge(orphans))

    def long_series(self, run: str, tag: str, orphans: bool = False) -> LongSeries:
        return export.read_long_series(self.catalog, run, tag, self.purge(orphans))

    def runs_having(self, tag: str, runs: frozenset[int] | None) -> list[str]:
        return export.runs_having(self.catalog, tag, runs)

    def samples(self, run: str, tag: str, most: int) -> Points:
        return scalars.read_samples(self.catalog, run, tag, self.purge(False), most)

    def values(self, plugin: str, run: str, tag: str, orphans: bool = False) -> Values:
        return values.read_values(self.catalog, plugin, run, tag, self.purge(orphans))

    def read(self, location: ValueLocation, offset: int, length: int) -> bytes:
        return values.read_bytes(self.catalog, location, offset, length)

    def window(self, location: ValueLocation) -> ByteReader:
        return values.window_of(self.catalog, location)

    def assets(self) -> Sequence[Asset]:
        return self.catalog.assets()

    def graph_files(self) -> GraphFileIndex:
        generation = self.structure_generation  # before the lists: those of an older one are made again
        index = self._graph_files
        if index is None or index.generation != generation:
            runs, assets = frozenset(self.run_names()), self.assets()
            found = GraphFileIndex(generation, graph_files(runs, assets), xplanes(runs, assets))
            index = self._graph_files = found
        return index

    def profiles(self) -> "CaptureStore":
        from lightboard.query.capture_index import index_below  # these load NumPy
        from lightboard.query.capture_store import CaptureStore

        with self._profiles_lock:
            if self._profiles is None:
                self._profiles = CaptureStore(self._captures, index_below(self.settings.cache))
            return self._profiles

    def problems(self) -> "list[Problem]":
        return problems.list_problems(self.catalog)

    def reload(self) -> None:
        self.catalog.refresh()

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        return self.catalog.subscribe(lambda _generation: callback())

    def changes_since(self, generation: int) -> Changes:
        return self.catalog.changes_since(generation)

    def purge(self, orphans: bool) -> bool:
        """Whether superseded points are hidden: by default, unless a setting or the request shows them."""
        return self.settings.purge_orphaned_data and not orphans
