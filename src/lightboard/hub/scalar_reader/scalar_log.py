"""The scalars in the log folder of one job, read as the files grow.

A visit reads a limited number of bytes and keeps no columns: each chunk has a decoder of its own, and only those points
remain that `ScalarSeries` keeps. Reading continues from the saved state after a restart of the process.

The files are not trusted. Nothing outside the folder is opened, whatever links say; a chunk limits what can be decoded
at once, and longer records, which have no scalars, are skipped unread.
"""

import os
import struct
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from lightboard.errors import OutsideRoot
from lightboard.events.crc32c import masked
from lightboard.events.decode import Decoder, crc32c, new_decoder, series_points
from lightboard.events.framing import FRAME_BYTES, HEADER_BYTES, parse_header
from lightboard.hub.resources.job_scalars import Place, SavedFile, ScalarSeries, ScalarTable, place_of, storable
from lightboard.ingest.logdir import is_event_file, is_marker
from lightboard.storage.base import GONE_ERRORS, ObjectInfo, printable, split
from lightboard.storage.confined import ConfinedStorage

CHUNK_BYTES = 4 << 20
"""Bytes that are decoded at once, which limits the memory."""
VISIT_BYTES = 32 << 20
"""Bytes of a job before others have their turn."""
VISIT_SECS = 1.0
MAX_TOTAL_BYTES = 16 << 30
"""Bytes that are read of a job in all, so that an endless file costs no more than that."""
MAX_FILES = 1_000
MAX_FOLDERS = 5_000
MAX_SERIES = 10_000
"""Series of a chunk that are looked at. More are made only to do harm, since each takes a record."""


@dataclass
class FileState:
    """How far a file is read, and the version that it states. `waits`: its next record is not complete yet."""

    identity: str
    offset: int = 0
    version: int = 2
    size: int = 0
    waits: bool = False


class Visit(NamedTuple):
    """What a visit has found: scalars that have changed, positions of those no longer kept, whether more is to read."""

    changed: list[ScalarSeries]
    removed: list[int]
    more: bool


@dataclass
class _Changes:
    changed: dict[int, ScalarSeries] = field(default_factory=dict)
    removed: set[int] = field(default_factory=set)

    def add(self, series: ScalarSeries) -> None:
        self.changed[series.position] = series

    def remove(self, series: ScalarSeries) -> None:
        self.changed.pop(series.position, None)
        self.removed.add(series.position)


class ScalarLog:
    """The log folder of a job. `folder` is a real path; `refused` as of `ConfinedStorage`; `total` bytes were read."""

    def __init__(
        self,
        folder: str,
        refused: Sequence[str] = (),
        table: ScalarTable | None = None,
        files: Mapping[str, SavedFile] | None = None,
        total: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._storage = ConfinedStorage(folder, refused=refused)
        self.table = table or ScalarTable()
        self._files = {path: FileState(*saved) for path, saved in (files or {}).items()}
        self.total = total
        self._clock = clock
        self._next = ""

    def saved_files(self) -> dict[str, SavedFile]:
        """How far each file is read."""
        return {path: SavedFile(each.identity, each.offset, each.version) for path, each in self._files.items()}

    def visit(self, limit: int = VISIT_BYTES, secs: float = VISIT_SECS) -> Visit:
        """Reads about `limit` new bytes, for about `secs`. Raises OSError if the folder exists and cannot be listed."""
        found, changes = self._list(), _Changes()
        for info in found:
            self._update(info, changes)
        until, left = self._clock() + secs, min(limit, MAX_TOTAL_BYTES - self.total)
        unread = self._in_turn([info.path for info in found if self._is_unread(info.path)])
        while unread and left > 0 and self._clock() < until:
            path, *unread = unread
            read = self._read_chunk(path, changes)
            left -= read
            self.total += read
            if self._is_unread(path):
                unread.append(path)
        self._next = unread[0] if unread else ""
        exhausted = self.total >= MAX_TOTAL_BYTES
        self.table.limited = self.table.limited or (exhausted and bool(unread))
        return Visit(list(changes.changed.values()), sorted(changes.removed), bool(unread) and not exhausted)

    def _list(self) -> list[ObjectInfo]:
        """The event files, those of the last attempt and the first replica first, and of a run by name."""
        failed: dict[str, OSError] = {}
        found: list[ObjectInfo] = []
        walk = self._storage.walk(select=_has_events, on_error=failed.__setitem__)
        for number, folder in enumerate(walk, start=1):
            found += folder.files
            if number >= MAX_FOLDERS or len(found) > MAX_FILES:
                self.table.limited = True
                break
        error = failed.get("")
        if isinstance(error, OutsideRoot) or (error is not None and not isinstance(error, GONE_ERRORS)):
            raise error
        return sorted(found, key=_file_order)[:MAX_FILES]

    def _update(self, info: ObjectInfo, changes: _Changes) -> None:
        """Notes the state of a file. If it was replaced or shortened, its run is read again from the beginning."""
        known = self._files.get(info.path)
        if known is not None and (known.identity != info.identity or info.size < known.offset):
            run = run_of(info.path)
            for series in self.table.of_run(run):
                self.table.remove(series)
                changes.remove(series)
            for path in [path for path in self._files if run_of(path) == run]:
                del self._files[path]
            known = None
        if known is None:
            if len(self._files) >= 2 * MAX_FILES:  # of those that are gone, few need to be remembered
                self._files.pop(next(iter(self._files)))
            known = self._files[info.path] = FileState(info.identity)
        known.waits = known.waits and info.size == known.size
        known.size = info.size

    def _is_unread(self, path: str) -> bool:
        file = self._files.get(path)
        return file is not None and file.offset < file.size and not file.waits

    def _in_turn(self, paths: list[str]) -> list[str]:
        """The paths from where the last visit stopped on."""
        start = paths.index(self._next) if self._next in paths else 0
        return paths[start:] + paths[:start]

    def _read_chunk(self, path: str, changes: _Changes) -> int:
        """Reads the next bytes of a file. Returns how many were read."""
        file = self._files[path]
        try:
            data = self._storage.read(path, file.offset, CHUNK_BYTES)
        except OSError:  # gone, or denied; retried when it has another size
            file.waits = True
            return 0
        decoder = new_decoder()
        before = version_record(file.version) if file.offset else b""
        consumed = decoder.feed(before + data) - len(before)
        if consumed <= 0:
            file.waits = not self._skip_record(file, data)
            return len(data)
        first = not file.offset
        file.offset += consumed
        file.waits = len(data) < CHUNK_BYTES
        file.version = (decoder.file_version if first else file.version) or file.version
        self._take(run_of(path), decoder, file.version, changes)
        return consumed

    def _skip_record(self, file: FileState, data: bytes) -> bool:
        """Moves past a record that is longer than a chunk. Returns whether the file has all of it."""
        if len(data) < CHUNK_BYTES:
            return False
        length = parse_header(data, 0)
        end = file.offset + (len(data) - HEADER_BYTES if length is None else FRAME_BYTES + length)
        if end > file.size:
            return False
        file.offset = end
        return True

    def _take(self, run: str, decoder: Decoder, version: int, changes: _Changes) -> None:
        """Adds the points of a decoder, without those that a restart in it supersedes."""
        starts = [step for step, _, _ in decoder.starts()] if version >= 2 else []
        if starts:
            for series in self.table.of_run(run):
                if series.drop_from(min(starts)):
                    changes.add(series)
        count = decoder.series_count()
        if count > MAX_SERIES:
            self.table.limited = True
        for index in range(min(count, MAX_SERIES)):
            described = decoder.describe(index)
            if described.form != "scalar":
                continue
            kept, dropped = self.table.get(run, storable(described.tag))
            if dropped is not None:
                changes.remove(dropped)
            if kept is not None:
                steps, walls, values, _ = series_points([(decoder, index)], purge=True)
                kept.extend(memoryview(steps).cast("q"), memoryview(walls).cast("d"), memoryview(values).cast("d"))
                changes.add(kept)


def run_of(path: str) -> str:
    """The run of an event file."""
    return storable(printable(split(path)[0])) or "."


def version_record(version: int) -> bytes:
    """The record with which a file of this version begins."""
    words = f"brain.Event:{max(version, 0)}".encode()
    event = b"\x09" + bytes(8) + b"\x1a" + bytes([len(words)]) + words
    length = struct.pack("<Q", len(event))
    return length + _checksum(length) + event + _checksum(event)


def _checksum(data: bytes) -> bytes:
    return struct.pack("<I", masked(crc32c(data)))


def _has_events(name: str) -> bool:
    return is_event_file(name) and not is_marker(name)


def _file_order(info: ObjectInfo) -> tuple[int, Place, str, str]:
    place = place_of(run_of(info.path))
    return -place.attempt, place, os.path.basename(info.path), info.path
