"""A short look at a place with logs before there is a board: how much there is, or why it cannot be read."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

from lightboard.asgi.pool import Pool
from lightboard.board.worker.sources import open_source, trouble_of
from lightboard.errors import LaunchError
from lightboard.ingest.logdir import Source, scan
from lightboard.schema.worker import ProbeAnswer, SourceBody
from lightboard.types import UNREACHABLE

PROBE_SECS = 2.0


@dataclass
class Count:
    """What was seen so far; read by one thread while another counts."""

    runs: int = 0
    files: int = 0
    size_bytes: int = 0
    last_ns: int = 0

    def answer(self, *, more: bool) -> ProbeAnswer:
        """As it travels."""
        last = self.last_ns / 1e9 if self.files else None
        return ProbeAnswer(
            runs=self.runs, files=self.files, size_bytes=self.size_bytes, last_event_time=last, more=more
        )


async def probe(body: SourceBody, pool: Pool, secs: float = PROBE_SECS) -> ProbeAnswer:
    """Counts for `secs` at most, also where the storage does not answer. The thread ends at its next folder."""
    count = Count()
    try:
        async with asyncio.timeout(secs):
            return await pool.call(counted, body, count, time.monotonic() + secs)
    except TimeoutError:
        if count.files or count.runs:
            return count.answer(more=True)
        return ProbeAnswer(more=True, reason=UNREACHABLE, message="no answer in time; it may be slow or out of reach")


def counted(body: SourceBody, count: Count, until: float, clock: Callable[[], float] = time.monotonic) -> ProbeAnswer:
    """Walks until the end, or until the clock says `until`."""
    try:
        source = open_source(body)
    except LaunchError as error:
        return ProbeAnswer(reason=error.reason, message=error.message)
    failed: dict[str, OSError] = {}
    for found in scan(source, on_error=failed.__setitem__):
        count.runs += found.is_run
        for info in found.files:
            count.files += 1
            count.size_bytes += info.size
            count.last_ns = max(count.last_ns, info.mtime_ns)
        if clock() > until:
            return count.answer(more=True)
    return refused(source, failed) or count.answer(more=False)


def refused(source: Source, failed: dict[str, OSError]) -> ProbeAnswer | None:
    """The answer where not even the top could be listed."""
    error = failed.get(source.root)
    if error is None:
        return None
    reason, message = trouble_of(source, error)
    return ProbeAnswer(reason=reason, message=message)
