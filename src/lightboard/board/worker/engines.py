"""Logs that were read, shared by all boards over the same sources: read once, freed with the last of them."""

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
from lightboard.board.worker.sources import Trouble, key_of, location_of, open_source, trouble_of, trouble_with
from lightboard.errors import LaunchError
from lightboard.ingest.loader import Loader, LoaderOptions
from lightboard.ingest.logdir import Source
from lightboard.ingest.thread_pool import ThreadPool
from lightboard.schema.worker import BoardProgress, SourceBody
from lightboard.series.catalog import Catalog
from lightboard.series.folding import count_rows

LOOK_SECS = 0.5
"""After a change, until it is looked at for the logs of boards: what changes meanwhile is looked at with it."""

MOST_WATCHED = 64
"""So many engines hear from the system what changes, the others look for themselves: Linux gives a user 128 such ears
for all processes together."""

FREE_SECS = 2 * LOOK_SECS
"""After an engine was left, until its memory is given back."""

GENERATIONS = 2**32
"""Catalogs of one worker count from different multiples of this on: an open page whose board got another catalog can
tell the news of the one from those of the other."""


class Sums(NamedTuple):
    """Runs with a row of their own, scalar points, when the last event was written (None without events), bytes of the
    columns in memory."""

    rows: int
    points: int
    last_event_time: float | None
    memory_bytes: int


def sums_of(catalog: Catalog) -> Sums:
    """Of all runs."""
    runs = catalog.runs()
    walls = [wall for run in runs if math.isfinite(wall := run.last_wall_time)]
    memory_bytes = sum(file.decoder.size_bytes for run in runs for file in run.files)
    return Sums(count_rows(runs), sum(run.points for run in runs), max(walls, default=None), memory_bytes)


class Engine:
    """What was read of some sources, and the threads that go on reading."""

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
        self._places = [location_of([source._replace(prefix="")]) for source in sources]
        self._sums: tuple[int, Sums] = (-1, Sums(0, 0, None, 0))

    def troubles(self) -> dict[int, Trouble]:
        """The sources that could not be listed the last time, by number."""
        lost = self.loader.lost_sources()
        return {number: trouble_of(self.sources[number], error) for number, error in sorted(lost.items())}

    def problem(self) -> tuple[str, str]:
        """A word for machines and a message for people about what is wrong or missing; both empty if nothing is."""
        lost = list(self.troubles().values())
        if lost:
            return lost[0].reason, "; ".join(trouble.message for trouble in lost)
        if not self.catalog.loading and not self.catalog.runs():
            return "", f"no event files under {', '.join(self._places)}"
        return "", ""

    def progress(self) -> BoardProgress:
        """How far reading has come. Takes time by the number of files."""
        progress, sums = self.catalog.progress, self.sums()
        return BoardProgress(
            runs=sums.rows,
            files=progress.files,
            bytes_read=progress.bytes_read,
            bytes_total=progress.bytes_total,
            points=sums.points,
            last_event_time=sums.last_event_time,
            loading=progress.loading,
        )

    def sums(self) -> "Sums":
        """What all runs hold together."""
        generation, sums = self._sums
        if generation != self.catalog.generation:
            generation, sums = self.catalog.generation, sums_of(self.catalog)
            self._sums = generation, sums
        return sums

    def look(self) -> None:
        """Tells the boards' logs what is new."""
        note_sources(self.log_buffer, self._places, self.troubles())
        self._seen = note_problems(self.log_buffer, self.catalog, self._seen)
        note_loaded(self.log_buffer, self.catalog.progress, self.sums().rows)


class Wanted:
    """An engine that comes or is here, and how many want it."""

    def __init__(self, coming: "asyncio.Task[Engine]") -> None:
        self.coming = coming
        self.users = 0


class Engines:
    """All engines of a worker. Belongs to its event loop; `opening` has threads that may wait for slow storages."""

    def __init__(self, opening: AsyncThreadPool, thread_pool: ThreadPool, most_watched: int = MOST_WATCHED) -> None:
        self._opening = opening
        self._most_watched = most_watched
        self._thread_pool = thread_pool
        self._wanted: dict[str, Wanted] = {}
        self._generations: Iterator[int] = itertools.count(GENERATIONS, GENERATIONS)

    def __len__(self) -> int:
        return len(self._wanted)

    async def take(self, sources: Sequence[SourceBody], reload_secs: float, slots: Mapping[str, int]) -> Engine:
        """The engine of these sources, made if there is none; `slots` are those that runs had before.

        To be given back as often as it was taken. Raises LaunchError if no source can be read.
        """
        key = key_of(sources, reload_secs)
        wanted = self._wanted.get(key)
        if wanted is None or (wanted.coming.done() and wanted.coming.exception()):
            wanted = self._wanted[key] = Wanted(asyncio.create_task(self._open(key, sources, reload_secs, slots)))
        wanted.users += 1
        try:
            engine = await asyncio.shield(wanted.coming)
            lost = engine.troubles()
            if len(lost) == len(engine.sources):
                raise lost_all(list(lost.values()))
        except BaseException:
            self._leave(key, wanted)
            raise
        return engine

    def give_back(self, engine: Engine) -> None:
        """Nothing more is wanted of it."""
        self._leave(engine.key, self._wanted[engine.key])

    async def _open(
        self, key: str, sources: Sequence[SourceBody], reload_secs: float, slots: Mapping[str, int]
    ) -> Engine:
        watch = len(self._wanted) <= self._most_watched
        options = LoaderOptions(reload_secs=reload_secs, watch=watch, thread_pool=self._thread_pool)
        engine = await self._opening.call(open_engine, key, sources, options, next(self._generations), slots)
        engine.unsubscribe = self._watch(engine)
        return engine

    def _watch(self, engine: Engine) -> Callable[[], None]:
        """Has the engine look, in a thread, a while after each change."""
        loop, planned = asyncio.get_running_loop(), threading.Event()

        def look() -> None:
            planned.clear()
            self._opening.run(engine.look)

        def note(_generation: int = 0) -> None:
            if not planned.is_set():
                planned.set()
                with suppress(RuntimeError):  # the loop has ended between two lines
                    loop.call_soon_threadsafe(loop.call_later, LOOK_SECS, look)

        self._opening.run(engine.look)
        return engine.catalog.subscribe(note)

    def _leave(self, key: str, wanted: Wanted) -> None:
        wanted.users -= 1
        if wanted.users:
            return
        if self._wanted.get(key) is wanted:
            del self._wanted[key]
        wanted.coming.add_done_callback(self._close)

    def _close(self, coming: "asyncio.Task[Engine]") -> None:
        if coming.cancelled() or coming.exception():
            return
        engine = coming.result()
        engine.unsubscribe()
        self._opening.run(engine.loader.stop)
        # A look may be planned, and a request under way: they hold what they need until they are done.
        asyncio.get_running_loop().call_later(FREE_SECS, self._opening.run, give_memory_back)


def open_engine(
    key: str, bodies: Sequence[SourceBody], options: LoaderOptions, generation: int, slots: Mapping[str, int]
) -> Engine:
    """Begins to read. Raises LaunchError if no source can be listed."""
    sources = [open_source(body) for body in bodies]
    lost = [trouble for source in sources if (trouble := trouble_with(source))]
    if len(lost) == len(sources):
        raise lost_all(lost)
    engine = Engine(key, sources, options, generation, slots)
    engine.loader.start()
    return engine


def lost_all(lost: Sequence[Trouble]) -> LaunchError:
    """Nothing of what a board should show can be read."""
    return LaunchError("; ".join(trouble.message for trouble in lost), reason=lost[0].reason)


def give_memory_back() -> None:
    """Frees what was only held by each other, and has the allocator give free pages back where it can."""
    gc.collect()
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # another libc than GNU's has no such call, and no need of it
            ctypes.CDLL(None).malloc_trim(0)
