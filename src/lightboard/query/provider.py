"""The seam between answers and whoever asks: one protocol, and its implementation over a catalog.

Everything here may be called from any thread and takes time by what it returns; nothing waits for files but `reload`.
"""

import math
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from lightboard.config import BoardSettings
from lightboard.events.window import Window
from lightboard.query import columns, export, problems, runs, scalars, status, tags, values
from lightboard.query.columns import ColumnRequest, Columns
from lightboard.query.export import LongSeries
from lightboard.query.runs import EventFile, RunRow, RunTable
from lightboard.query.scalars import ChartRequest, ChartStyle, Points, SeriesStats
from lightboard.query.tags import TagInfo, Words
from lightboard.query.values import Place, Values
from lightboard.series.asset import Asset
from lightboard.series.catalog import Catalog, Changes
from lightboard.series.sessions import Session

if TYPE_CHECKING:  # models and NumPy are slow to load, and the first page needs none
    from lightboard.query.ranges import SeriesRange
    from lightboard.schema.problems import Problem
    from lightboard.schema.status import Status


class Provider(Protocol):
    """What a board can be asked."""

    @property
    def generation(self) -> int:
        """Grows with every visible change."""

    @property
    def loading(self) -> bool:
        """Is the first reading still going on?"""

    def status(self) -> "Status":
        """One look at everything."""

    def run_names(self) -> list[str]:
        """Names of runs in order of their first event, as TensorBoard lists them."""

    @property
    def structure_generation(self) -> int:
        """The generation at which runs, tags or assets last came or went. Lists of tags hold as long."""

    def runs(self) -> list[RunRow]:
        """Every run, by slot. Not to be changed by the caller."""

    def run_table(self) -> RunTable:
        """The same with the version at which each row became what it is."""

    def restarts(self, run: str) -> list[Session]:
        """Where the writers of a run began again, in file order. Raises RunNotFound."""

    def files(self, run: str) -> list[EventFile]:
        """The event files of a run, in the order in which their points count. Raises RunNotFound."""

    def tags(self, plugin: str) -> list[TagInfo]:
        """Tags of one kind in natural order. Not to be changed by the caller."""

    def tags_by_run(self, plugin: str) -> dict[str, dict[str, Words]]:
        """Run name -> tag -> words, for one kind."""

    def plugin_counts(self) -> dict[str, int]:
        """Number of tags of each kind."""

    def charts(self, style: ChartStyle, requests: Sequence[ChartRequest]) -> Generator[bytes | int | None, None, None]:
        """Charts cut to pixels, in pieces, with marks for who schedules the work: `query.scalars.draw_charts`."""

    def stats(self, tags: Iterable[str], runs: frozenset[int] | None, orphans: bool = False) -> Iterable[SeriesStats]:
        """Statistics of whole series, best made one by one: there may be millions."""

    def ranges(
        self, tags: Iterable[str], runs: frozenset[int] | None, low: float, high: float, orphans: bool = False
    ) -> "Iterable[SeriesRange]":
        """Exact figures between two steps, both included, best made one by one."""

    def columns(self, requests: Sequence[ColumnRequest], orphans: bool = False) -> Columns:
        """One figure of one tag for every run, for each request."""

    def series(self, run: str, tag: str, orphans: bool = False) -> Points:
        """Every point of one scalar series. Raises RunNotFound, TagNotFound."""

    def long_series(self, run: str, tag: str, orphans: bool = False) -> LongSeries:
        """Every point of one scalar series, a stretch at a time. Raises RunNotFound, TagNotFound."""

    def runs_having(self, tag: str, runs: frozenset[int] | None) -> list[str]:
        """Names of the runs that have a scalar series `tag`, by slot, of those with these ids or of all."""

    def samples(self, run: str, tag: str, most: int) -> Points:
        """At most `most` points of one scalar series, 0 = all. Raises RunNotFound, TagNotFound."""

    def values(self, plugin: str, run: str, tag: str, orphans: bool = False) -> Values:
        """Where the values of a series of any kind but scalars lie. Raises RunNotFound, TagNotFound."""

    def read(self, place: Place, at: int, length: int) -> bytes:
        """Up to `length` bytes of a value from `at` on, fewer only at its end. Raises ValueNotFound."""

    def window(self, place: Place) -> Window:
        """A value to be walked piece by piece; walking may raise ValueNotFound."""

    def assets(self) -> Sequence[Asset]:
        """Files beside events that tell of data of their own."""

    def problems(self) -> "list[Problem]":
        """What could not be read."""

    def reload(self) -> None:
        """Looks at all files now and returns when what was found is read."""

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Calls `callback` after each change, from any thread; the answer takes that back."""

    def changes_since(self, generation: int) -> Changes:
        """What is different since `generation`."""


class CatalogProvider:
    """Answers from the series held in memory."""

    def __init__(self, catalog: Catalog, settings: BoardSettings) -> None:
        self.catalog = catalog
        self.settings = settings
        self.loaded_at = math.inf
        self._rows = runs.RunRows(catalog, purge=settings.purge_orphaned_data)
        self._tags: dict[str, tuple[int, list[TagInfo]]] = {}
        self._counts: status.Counts | None = None

    @property
    def generation(self) -> int:
        """See Provider, here and below."""
        return self.catalog.generation

    @property
    def loading(self) -> bool:
        return self.catalog.loading

    def status(self) -> "Status":
        if self._counts is None or self._counts.generation != self.catalog.generation:
            self._counts = status.count(self.catalog)
        return status.status_of(self.catalog, self.settings, self._counts)

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

    def restarts(self, run: str) -> list[Session]:
        return runs.list_restarts(self.catalog, run)

    def files(self, run: str) -> list[EventFile]:
        return runs.list_files(self.catalog, run)

    def tags(self, plugin: str) -> list[TagInfo]:
        # Pages of a hundred cards ask a hundred times between two changes of the logs.
        generation, known = self._tags.get(plugin, (-1, []))
        if generation != self.structure_generation:
            generation = self.structure_generation
            known = tags.list_tags(self.catalog, plugin)
            if known:  # a kind that nobody wrote may be anything somebody asks for
                self._tags[plugin] = (generation, known)
        return known

    def tags_by_run(self, plugin: str) -> dict[str, dict[str, Words]]:
        return tags.tags_by_run(self.catalog, plugin)

    def plugin_counts(self) -> dict[str, int]:
        return tags.count_tags(self.catalog)

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

    def read(self, place: Place, at: int, length: int) -> bytes:
        return values.read_bytes(self.catalog, place, at, length)

    def window(self, place: Place) -> Window:
        return values.window_of(self.catalog, place)

    def assets(self) -> Sequence[Asset]:
        return self.catalog.assets()

    def problems(self) -> "list[Problem]":
        return problems.list_problems(self.catalog)

    def reload(self) -> None:
        self.catalog.refresh()

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        return self.catalog.subscribe(lambda _generation: callback())

    def changes_since(self, generation: int) -> Changes:
        return self.catalog.changes_since(generation)

    def purge(self, orphans: bool) -> bool:
        """Are superseded points hidden? By default, unless the user or the request wants to see them."""
        return self.settings.purge_orphaned_data and not orphans
