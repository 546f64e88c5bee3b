"""Stores captures that were read in the user's cache folder, so that they are opened again without reading their files.

An entry belongs to one state of a file: its path, size, time and identity. Entries are written atomically; one that is
damaged, or of another version, is as good as none. Those that were not used for longest are removed.
"""

import contextlib
import fcntl
import hashlib
import json
import mmap
import os
import tempfile
from collections.abc import Callable

from lightboard.home import create_private
from lightboard.profiles.capture import HostCapture
from lightboard.profiles.capture_format import DamagedError, pack, unpack
from lightboard.profiles.column_files import ColumnFiles
from lightboard.sizes import size_text
from lightboard.storage.base import ObjectInfo, Storage

MIN_FILE_BYTES = 1 << 20
"""Smaller files are read again."""

NEW = ".new"
"""How names of entries end while they are written."""

MAX_INDEX_BYTES = 2 << 30
"""The size of all entries."""


def index_below(cache: str) -> "CaptureIndex | None":
    """The index in a cache folder, None if there is none ("")."""
    return CaptureIndex(os.path.join(cache, "profiles")) if cache else None


class CaptureIndex:
    """The entries in a folder, which is created with the first. Errors of the disk are those of no index."""

    def __init__(self, folder: str, *, max_bytes: int = MAX_INDEX_BYTES, min_file_bytes: int = MIN_FILE_BYTES) -> None:
        self.folder, self.max_bytes, self.min_file_bytes = folder, max_bytes, min_file_bytes
        self._is_clear = False

    def load(self, storage: Storage, info: ObjectInfo) -> HostCapture | None:
        """What was read of a file, None if it is not known. Columns are mapped, and copied where they are changed."""
        self._clear_unfinished()
        path = self._path(storage, info)
        try:
            with open(path, "rb") as file:
                memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
            capture = unpack(memory)
            os.utime(path)
        except (OSError, ValueError, DamagedError):  # an empty file cannot be mapped
            return None
        if len(memory) > self.max_bytes:
            capture.problems.append(
                f"it takes {size_text(len(memory))} of the cache folder, which is to have {size_text(self.max_bytes)} "
                "at most, so no other capture is kept with it"
            )
        return capture

    def wants(self, info: ObjectInfo) -> bool:
        """Whether a file is worth an entry."""
        return info.size >= self.min_file_bytes

    def column_files(self) -> ColumnFiles:
        """Where the columns of a capture are kept that is read, in memory if there is no such folder."""
        try:
            create_private(self.folder)
        except OSError:
            return ColumnFiles()
        return ColumnFiles(self.folder)

    def store(
        self, storage: Storage, info: ObjectInfo, capture: HostCapture, used: Callable[[], None] = lambda: None
    ) -> None:
        """Remember what was read of a file and computed, if that is worth it.

        `used` is called after each part that was written. Raises OSError if the disk does not allow it.
        """
        if not self.wants(info):
            return
        path = self._path(storage, info)
        create_private(self.folder)
        with tempfile.NamedTemporaryFile(
            dir=self.folder, prefix=os.path.basename(path), suffix=NEW, delete=False
        ) as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX)
                file.writelines(pack(capture, used))
                file.flush()
                os.replace(file.name, path)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(file.name)
                raise
        self._trim(keep=path)

    def _clear_unfinished(self) -> None:
        """Remove what processes have left that were killed, once. Nobody holds a lock on these files any more."""
        if self._is_clear:
            return
        self._is_clear = True
        with contextlib.suppress(OSError), os.scandir(self.folder) as found:
            for entry in found:
                if entry.name.endswith(NEW):
                    with contextlib.suppress(OSError), open(entry.path, "rb") as file:
                        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                        os.unlink(entry.path)

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
