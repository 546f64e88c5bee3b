"""Engines: logs in memory, shared by all boards over the same sources and freed with the last one."""

import asyncio
import ctypes
import gc
import itertools
import math
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from lightboard.asgi.thread_pool import AsyncThreadPool
from lightboard.board.worker.log_buffer import LogBuffer, note_loaded, note_problems, note_sources
from lightboard.board.worker.sources import (
    SourceProblem,
    describe_problem,
    find_problem,
    key_of,
    location_of,
    open_source,
)
from lightboard.errors import LaunchError
from lightboard.ingest.loader import Loader, LoaderOptions
from lightboard.ingest.logdir import Source
from lightboard.ingest.thread_pool import ThreadPool
from lightboard.schema.worker import BoardProgress, SourceBody
from lightboard.series.catalog import Catalog
from lightboard.series.run_setups import count_rows

REPORT_SECS = 0.5
"""Delay after a change before it is written to the logs of boards, together with later changes."""

MAX_WATCHED = 64
"""Limit of engines that watch files by inotify; others poll. Linux allows a user 128 inotify instances."""

FREE_SECS = 2 * REPORT_SECS
"""Delay after an engine was closed before its memory is returned."""

GENERATIONS = 2**32
"""The generations of catalogs start at different multiples of this, so that an open page can distinguish the changes of
an old and a new catalog of its board."""


class Totals(NamedTuple):
    """Totals of a catalog. `rows` counts the rows of the run table, `points` the scalar points.

    `last_event_time` is None without events; `memory_bytes` is the memory of columns.
    """

    rows: int
    points: int
    last_event_time: float | None
    memory_bytes: int


def totals_of(catalog: Catalog) -> Totals:
    """The totals of all runs."""
    runs = catalog.runs()
    walls = [wall for run in runs if math.isfinite(wall := run.last_wall_time)]
    memory_bytes = sum(file.decoder.size_bytes for run in runs for file in run.files)
    return Totals(count_rows(runs), sum(run.points for run in runs), max(walls, default=None), memory_bytes)


class Engine:
    """The catalog of some sources, and the threads that read them."""

    def __init__(
        self, key: str, sources: list[Source], options: LoaderOptions, generation: int, slots: Mapping[str, int]
    ) -> None:
        self.key = key
        self.sources = sources
        self.location = location_of(sources)
        self.log_buffer = LogBuffer()
        self.catalog = Catalog(slots, generation=generation)
        self.loader = Loader(self.catalog, sources, options)
        self.unsubscribe: Callable[[], None] = lambda: None
        self._seen = 0
        self._locations = [location_of([source._replace(prefix="")]) for source in sources]
        self._totals: tuple[int, Totals] = (-1, Totals(0, 0, None, 0))

    def source_problems(self) -> dict[int, SourceProblem]:
        """The sources that could not be listed the last time, by index."""
        errors = self.loader.lost_sources()
        return {number: describe_problem(self.sources[number], error) for number, error in sorted(errors.items())}

    def problem(self) -> tuple[str, str]:
        """Reason and message of the current problem, or two empty strings."""
        problems = list(self.source_problems().values())
        if problems:
            return problems[0].reason, "; ".join(problem.message for problem in problems)
        if not self.catalog.loading and not self.catalog.runs():
            return "", f"no event files under {', '.join(self._locations)}"
        return "", ""

    def progress(self) -> BoardProgress:
        """The progress of reading. Takes time proportional to the number of files."""
        progress, totals = self.catalog.progress, self.totals()
        return BoardProgress(
            runs=totals.rows,
            files=progress.files,
            bytes_read=progress.bytes_read,
            bytes_total=progress.bytes_total,
            points=totals.points,
            last_event_time=totals.last_event_time,
            loading=progress.loading,
        )

    def totals(self) -> "Totals":
        """The totals of all runs, cached by generation."""
        generation, totals = self._totals
        if generation != self.catalog.generation:
            generation, totals = self.catalog.generation, totals_of(self.catalog)
            self._totals = generation, totals
        return totals

    def report(self) -> None:
        """Write new messages to the logs of the boards."""
        note_sources(self.log_buffer, self._locations, self.source_problems())
        self._seen = note_problems(self.log_buffer, self.catalog, self._seen)
        note_loaded(self.log_buffer, self.catalog.progress, self.totals().rows)


class SharedEngine:
    """An engine that is opening or open, and its number of users."""

    def __init__(self, task: "asyncio.Task[Engine]") -> None:
        self.task = task
        self.users = 0


class Engines:
    """All engines of a worker. Used in the event loop only. `opening` has threads that may wait for slow storages."""

    def __init__(self, opening: AsyncThreadPool, thread_pool: ThreadPool, most_watched: int = MAX_WATCHED) -> None:
        self._opening = opening
        self._most_watched = most_watched
        self._thread_pool = thread_pool
        self._engines: dict[str, SharedEngine] = {}
        self._generations: Iterator[int] = itertools.count(GENERATIONS, GENERATIONS)

    def __len__(self) -> int:
        return len(self._engines)

    async def acquire(self, sources: Sequence[SourceBody], reload_secs: float, slots: Mapping[str, int]) -> Engine:
        """The engine of these sources, opened if necessary. `slots` are the stored slots of runs.

        Must be released as often as it was acquired. Raises LaunchError if no source can be read.
        """
        key = key_of(sources, reload_secs)
        shared = self._engines.get(key)
        if shared is None or (shared.task.done() and shared.task.exception()):
            shared = self._engines[key] = SharedEngine(
                asyncio.create_task(self._open(key, sources, reload_secs, slots))
            )
        shared.users += 1
        try:
            engine = await asyncio.shield(shared.task)
            problems = engine.source_problems()
            if len(problems) == len(engine.sources):
                raise all_unreadable(list(problems.values()))
        except BaseException:
            self._leave(key, shared)
            raise
        return engine

    def release(self, engine: Engine) -> None:
        """End one use of an engine. It is closed after the last one."""
        self._leave(engine.key, self._engines[engine.key])

    async def _open(
        self, key: str, sources: Sequence[SourceBody], reload_secs: float, slots: Mapping[str, int]
    ) -> Engine:
        watch = len(self._engines) <= self._most_watched
        options = LoaderOptions(reload_secs=reload_secs, watch=watch, thread_pool=self._thread_pool)
        engine = await self._opening.call(open_engine, key, sources, options, next(self._generations), slots)
        engine.unsubscribe = self._watch(engine)
        return engine

    def _watch(self, engine: Engine) -> Callable[[], None]:
        """Call `engine.report` in a thread some time after each change."""
        loop, planned = asyncio.get_running_loop(), threading.Event()

        def report() -> None:
            planned.clear()
            self._opening.run(engine.report)

        def note(_generation: int = 0) -> None:
            if not planned.is_set():
                planned.set()
                with suppress(RuntimeError):  # the loop was closed meanwhile
                    loop.call_soon_threadsafe(loop.call_later, REPORT_SECS, report)

        unsubscribe = engine.catalog.subscribe(note)
        self._opening.run(engine.report)  # afterwards, or changes in between would be in no report
        return unsubscribe

    def _leave(self, key: str, shared: SharedEngine) -> None:
        shared.users -= 1
        if shared.users:
            return
        if self._engines.get(key) is shared:
            del self._engines[key]
        shared.task.add_done_callback(self._close)

    def _close(self, task: "asyncio.Task[Engine]") -> None:
        if task.cancelled() or task.exception():
            return
        engine = task.result()
        engine.unsubscribe()
        self._opening.run(engine.loader.stop)
        # A scheduled report or a running request may still hold references.
        asyncio.get_running_loop().call_later(FREE_SECS, self._opening.run, trim_memory)


def open_engine(
    key: str, bodies: Sequence[SourceBody], options: LoaderOptions, generation: int, slots: Mapping[str, int]
) -> Engine:
    """Open an engine and start reading. Raises LaunchError if no source can be listed."""
    sources = [open_source(body) for body in bodies]
    problems = [problem for source in sources if (problem := find_problem(source))]
    if len(problems) == len(sources):
        raise all_unreadable(problems)
    engine = Engine(key, sources, options, generation, slots)
    engine.loader.start()
    return engine


def all_unreadable(problems: Sequence[SourceProblem]) -> LaunchError:
    """The error for a board without any readable source."""
    return LaunchError("; ".join(problem.message for problem in problems), reason=problems[0].reason)


def trim_memory() -> None:
    """Collect garbage, and return free memory to the system where that is possible."""
    gc.collect()
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # only glibc has it
            ctypes.CDLL(None).malloc_trim(0)
