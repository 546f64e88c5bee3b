"""Stores captures that were read in the user's cache folder, so that they are opened again without reading their files.

An entry belongs to one state of a file: its path, size, time and identity. Entries are written atomically; one that is
damaged, or of another version, is as good as none. Those that were not used for longest are removed.
"""

import contextlib
import hashlib
import json
import mmap
import os
import tempfile
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard.home import create_private
from lightboard.profiles.capture import HostCapture, Slices
from lightboard.profiles.capture_format import ALIGNMENT, DamagedError, columns_of_slices, pack, release, unpack
from lightboard.storage.base import ObjectInfo, Storage

MIN_FILE_BYTES = 1 << 20
"""Smaller files are read again."""

MAX_INDEX_BYTES = 2 << 30
"""The size of all entries."""


def index_below(cache: str) -> "CaptureIndex | None":
    """The index in a cache folder, None if there is none ("")."""
    return CaptureIndex(os.path.join(cache, "profiles")) if cache else None


class CaptureIndex:
    """The entries in a folder, which is created with the first. Errors of the disk are those of no index."""

    def __init__(self, folder: str, *, max_bytes: int = MAX_INDEX_BYTES, min_file_bytes: int = MIN_FILE_BYTES) -> None:
        self.folder, self.max_bytes, self.min_file_bytes = folder, max_bytes, min_file_bytes

    def load(self, storage: Storage, info: ObjectInfo) -> HostCapture | None:
        """What was read of a file, None if it is not known. Columns are mapped, and copied where they are changed."""
        path = self._path(storage, info)
        try:
            with open(path, "rb") as file:
                memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
            capture = unpack(memory)
            os.utime(path)
        except (OSError, ValueError, DamagedError):  # an empty file cannot be mapped
            return None
        return capture

    def wants(self, info: ObjectInfo) -> bool:
        """Whether a file is worth an entry."""
        return info.size >= self.min_file_bytes

    def spill(self, capture: HostCapture) -> tuple[HostCapture, Callable[[], None]]:
        """The same with its slices in an unnamed file, if the disk allows it, and what lets them out of memory.

        Whatever uses them brings them back.
        """
        columns = columns_of_slices(capture)
        try:
            create_private(self.folder)
            with tempfile.TemporaryFile(dir=self.folder) as file:
                for column in columns:
                    file.write(bytes(-file.tell() % ALIGNMENT))
                    file.write(np.ascontiguousarray(column).view(np.uint8).data)
                file.flush()
                memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        except (OSError, ValueError):  # an empty file cannot be mapped
            return capture, lambda: None
        spilled, at = list[NDArray[Any]](), 0
        for column in columns:
            at += -at % ALIGNMENT
            spilled.append(np.frombuffer(memory, column.dtype, len(column), at))
            at += column.nbytes
        return replace(capture, slices=Slices(*spilled)), lambda: release(memory, 0, len(memory))

    def store(
        self, storage: Storage, info: ObjectInfo, capture: HostCapture, used: Callable[[], None] = lambda: None
    ) -> None:
        """Remember what was read of a file and computed, if that is worth it and the disk allows it.

        `used` is called after each part that was written.
        """
        if not self.wants(info):
            return
        path = self._path(storage, info)
        temporary = f"{path}.{os.getpid()}.new"
        try:
            create_private(self.folder)
            with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.writelines(pack(capture, used))
            os.replace(temporary, path)
            self._trim(keep=path)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(temporary)

    def _path(self, storage: Storage, info: ObjectInfo) -> str:
        key = json.dumps([storage.locate(info.path), info.size, info.mtime_ns, info.identity])
        return os.path.join(self.folder, f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.capture")

    def _trim(self, keep: str) -> None:
        """Remove the entries that were not used for longest, while all are too large. `keep` is the newest."""
        entries = []
        with os.scandir(self.folder) as found:
            for entry in found:
                with contextlib.suppress(FileNotFoundError):  # another process has removed it
                    status = entry.stat()
                    entries.append((entry.path == keep, -status.st_mtime_ns, entry.path, status.st_size))
        total = sum(entry[-1] for entry in entries)
        for is_kept, _, path, size in sorted(entries, key=lambda entry: (entry[0], -entry[1])):
            if total <= self.max_bytes or is_kept:
                return
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)
            total -= size
