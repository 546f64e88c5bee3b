"""Probes a source before a board is created: counts runs and files, or reports why it cannot be read.

Runs are counted as the board lists them, without runs that are folded into others. That is determined by the first
events of runs below other runs, so only the beginnings of these runs and their parents are read.
"""

import asyncio
import math
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from lightboard.asgi.thread_pool import AsyncThreadPool
from lightboard.board.worker.sources import describe_problem, open_source
from lightboard.errors import LaunchError
from lightboard.events.decode import Decoder, new_decoder
from lightboard.ingest.logdir import Source, scan
from lightboard.ingest.reader import HEAD_BYTES
from lightboard.schema.worker import ProbeResponse, SourceBody
from lightboard.series.run import Run, RunFile
from lightboard.series.run_setups import count_rows, parent_folders
from lightboard.storage.base import ObjectInfo
from lightboard.types import UNREACHABLE

PROBE_SECS = 2.0
TAIL_BYTES = (16 * 1024, 1024 * 1024)
"""Bytes read from the end of a file to find its last event. The larger size is used if the smaller has no event."""


@dataclass
class Count:
    """Counts so far, read by another thread. `folded` runs have no row of their own."""

    runs: dict[str, list[ObjectInfo]] = field(default_factory=dict)
    files: int = 0
    size_bytes: int = 0
    last_event_time: float | None = None
    listed: bool = False
    folded: int = 0

    def answer(self) -> ProbeResponse:
        """The response."""
        return ProbeResponse(
            runs=len(self.runs) - self.folded,
            files=self.files,
            size_bytes=self.size_bytes,
            last_event_time=self.last_event_time,
            more=not self.listed,
        )


async def probe(body: SourceBody, pool: AsyncThreadPool, secs: float = PROBE_SECS) -> ProbeResponse:
    """Probe a source for at most `secs`, even if its storage hangs. The thread ends at its next folder or file."""
    count = Count()
    try:
        async with asyncio.timeout(secs):
            return await pool.call(count_runs, body, count, time.monotonic() + secs)
    except TimeoutError:
        if count.files or count.runs:
            return count.answer()
        return ProbeResponse(more=True, reason=UNREACHABLE, message="no answer in time; it may be slow or unreachable")


def count_runs(
    body: SourceBody, count: Count, until: float, clock: Callable[[], float] = time.monotonic
) -> ProbeResponse:
    """Count everything, or until the time `until`."""
    try:
        source = open_source(body)
    except LaunchError as error:
        return ProbeResponse(reason=error.reason, message=error.message)
    failed: dict[str, OSError] = {}
    for folder in scan(source, on_error=failed.__setitem__):
        if folder.is_run:
            count.runs[folder.run] = folder.files
        for info in folder.files:
            count.files += 1
            count.size_bytes += info.size
        if clock() > until:
            return count.answer()
    count.listed = True
    runs = []
    for name in nested_runs(list(count.runs)):
        runs.append(read_beginning(source, name, count.runs[name]))
        if clock() > until:
            return count.answer()  # folded runs are unknown, so all are counted
    count.folded = len(runs) - count_rows(runs)
    find_last_event(source, count, until, clock)
    return listing_error(source, failed) or count.answer()


def find_last_event(source: Source, count: Count, until: float, clock: Callable[[], float]) -> None:
    """Find the time of the last event. File times are not used as such, since copying changes them.

    Files are read from the newest; a file written before the last event found so far cannot have a later event.
    """
    files = [info for files in count.runs.values() for info in files]
    for info in sorted(files, key=lambda info: info.mtime_ns, reverse=True):
        last = count.last_event_time
        if clock() > until or (last is not None and info.mtime_ns / 1e9 <= last):
            return
        event_time = last_event_time(source, info)
        if event_time is not None and (last is None or event_time > last):
            count.last_event_time = event_time


def last_event_time(source: Source, info: ObjectInfo) -> float | None:
    """The time of the last event at the end of a file; None if none is found."""
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


def nested_runs(names: list[str]) -> list[str]:
    """The runs below other runs, and those other runs."""
    known = set(names)
    nested = {name: known.intersection(parent_folders(name)) for name in names}
    return sorted({name for name, parents in nested.items() if parents}.union(*nested.values()))


def read_beginning(source: Source, name: str, files: list[ObjectInfo]) -> Run:
    """A run decoded from the first bytes of its files."""
    run = Run(name)
    run.set_files(tuple(RunFile(info.path, decode_head(source, info)) for info in files))
    return run


def decode_head(source: Source, info: ObjectInfo) -> Decoder:
    """The decoded beginning of a file; empty if it cannot be read."""
    decoder = new_decoder()
    with suppress(OSError):
        decoder.feed(source.storage.read(info.path, 0, HEAD_BYTES))
    return decoder


def listing_error(source: Source, failed: dict[str, OSError]) -> ProbeResponse | None:
    """The response if the root of the source cannot be listed."""
    error = failed.get(source.root)
    if error is None:
        return None
    reason, message = describe_problem(source, error)
    return ProbeResponse(reason=reason, message=message)
