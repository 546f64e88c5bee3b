"""A short look at a place with logs before there is a board: how much there is, or why it cannot be read.

Runs are counted as the board will list them, without those that only describe another or are a part of it. That is in
their events, but at the beginning, and only runs below other runs can be such: of these, and of those above them, the
beginnings are read, and nothing else.
"""

import asyncio
import math
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from lightboard.asgi.thread_pool import AsyncThreadPool
from lightboard.board.worker.sources import open_source, trouble_of
from lightboard.errors import LaunchError
from lightboard.events.decode import Decoder, new_decoder
from lightboard.ingest.logdir import Source, scan
from lightboard.ingest.reader import HEAD_BYTES
from lightboard.schema.worker import ProbeAnswer, SourceBody
from lightboard.series.folding import above, count_rows
from lightboard.series.run import Run, RunFile
from lightboard.storage.base import ObjectInfo
from lightboard.types import UNREACHABLE

PROBE_SECS = 2.0
TAIL_BYTES = (16 * 1024, 1024 * 1024)
"""Read from the end of a file to find its last event: scalars are small; where nothing is found, more is read."""


@dataclass
class Count:
    """What was seen so far; read by one thread while another counts. `folded` runs have no row of their own."""

    runs: dict[str, list[ObjectInfo]] = field(default_factory=dict)
    files: int = 0
    size_bytes: int = 0
    last_event_time: float | None = None
    listed: bool = False
    folded: int = 0

    def answer(self) -> ProbeAnswer:
        """As it travels."""
        return ProbeAnswer(
            runs=len(self.runs) - self.folded,
            files=self.files,
            size_bytes=self.size_bytes,
            last_event_time=self.last_event_time,
            more=not self.listed,
        )


async def probe(body: SourceBody, pool: AsyncThreadPool, secs: float = PROBE_SECS) -> ProbeAnswer:
    """Counts for `secs` at most, also where the storage does not answer. The thread ends at its next folder or file."""
    count = Count()
    try:
        async with asyncio.timeout(secs):
            return await pool.call(counted, body, count, time.monotonic() + secs)
    except TimeoutError:
        if count.files or count.runs:
            return count.answer()
        return ProbeAnswer(more=True, reason=UNREACHABLE, message="no answer in time; it may be slow or out of reach")


def counted(body: SourceBody, count: Count, until: float, clock: Callable[[], float] = time.monotonic) -> ProbeAnswer:
    """Walks until the end, or until the clock says `until`."""
    try:
        source = open_source(body)
    except LaunchError as error:
        return ProbeAnswer(reason=error.reason, message=error.message)
    failed: dict[str, OSError] = {}
    for found in scan(source, on_error=failed.__setitem__):
        if found.is_run:
            count.runs[found.run] = found.files
        for info in found.files:
            count.files += 1
            count.size_bytes += info.size
        if clock() > until:
            return count.answer()
    count.listed = True
    runs = []
    for name in related(list(count.runs)):
        runs.append(beginning(source, name, count.runs[name]))
        if clock() > until:
            return count.answer()  # whose run is whose was not seen: all count
    count.folded = len(runs) - count_rows(runs)
    find_last_event(source, count, until, clock)
    return refused(source, failed) or count.answer()


def find_last_event(source: Source, count: Count, until: float, clock: Callable[[], float]) -> None:
    """Finds when the last event was, as the board will tell it: not when files were written, which copying changes.

    The file written last comes first; one written before the last event found so far holds no later one.
    """
    files = [info for files in count.runs.values() for info in files]
    for info in sorted(files, key=lambda info: info.mtime_ns, reverse=True):
        last = count.last_event_time
        if clock() > until or (last is not None and info.mtime_ns / 1e9 <= last):
            return
        found = last_event_time(source, info)
        if found is not None and (last is None or found > last):
            count.last_event_time = found


def last_event_time(source: Source, info: ObjectInfo) -> float | None:
    """When the last event at the end of a file was; None where there is none to be found."""
    for size in TAIL_BYTES:
        decoder = new_decoder()
        start = max(0, info.size - size)
        with suppress(OSError):
            decoder.feed(source.storage.read(info.path, start, size))
        if math.isfinite(decoder.last_wall_time):
            return decoder.last_wall_time
        if start == 0:
            return None
    return None


def related(names: list[str]) -> list[str]:
    """The runs that lie below others, and those others."""
    known = set(names)
    nested = {name: known.intersection(above(name)) for name in names}
    return sorted({name for name, holders in nested.items() if holders}.union(*nested.values()))


def beginning(source: Source, name: str, files: list[ObjectInfo]) -> Run:
    """A run as the first bytes of its files tell of it."""
    run = Run(name)
    run.set_files(tuple(RunFile(info.path, head(source, info)) for info in files))
    return run


def head(source: Source, info: ObjectInfo) -> Decoder:
    """What the beginning of a file says; nothing where it cannot be read."""
    decoder = new_decoder()
    with suppress(OSError):
        decoder.feed(source.storage.read(info.path, 0, HEAD_BYTES))
    return decoder


def refused(source: Source, failed: dict[str, OSError]) -> ProbeAnswer | None:
    """The answer where not even the top could be listed."""
    error = failed.get(source.root)
    if error is None:
        return None
    reason, message = trouble_of(source, error)
    return ProbeAnswer(reason=reason, message=message)
