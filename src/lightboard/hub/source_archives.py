"""The archives of source code in a folder of the hub: stored by digest, unpacked when a job starts."""

import contextlib
import logging
import os
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from lightboard.errors import Invalid, LightboardError, TooMany
from lightboard.hub.source_tar import Entry, TarStream, entries
from lightboard.storage.new_folder import new_file, new_folder, new_link

SUFFIX = ".tar.gz"
FILE_MODE, PROGRAM_MODE = 0o600, 0o700

log = logging.getLogger(__name__)


class SourceArchives:
    """The archives in `folder`. Thread-safe, for one process."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._uploading: set[str] = set()

    @contextlib.contextmanager
    def new_upload(self, account: str) -> Iterator[Path]:
        """An empty file for an archive that arrives; deleted at the end unless it was added.

        An account has one at a time, since each may take much of the disk. Raises TooMany, OSError.
        """
        with self._lock:
            if account in self._uploading:
                raise TooMany("another upload of this account is in progress", hint="wait until it has ended")
            self._uploading.add(account)
        try:
            fd, name = tempfile.mkstemp(dir=self._folder, prefix="upload-")
            os.close(fd)
            try:
                yield Path(name)
            finally:
                Path(name).unlink(missing_ok=True)
        finally:
            self._uploading.discard(account)

    @contextlib.contextmanager
    def adding(self, upload: Path, digest: str) -> Iterator[int]:
        """Stores a complete upload, unless the archive is there or the block raises; the size of the stored file.

        `remove_unused` waits for the end of the block, in which the row of the archive is committed.
        """
        with upload.open("rb") as file:
            os.fsync(file.fileno())
        path = self.path_of(digest)
        with self._lock:
            if is_new := not path.exists():  # otherwise, jobs use that file, and accounts are charged for its size
                os.replace(upload, path)
                sync_folder(self._folder)
            else:
                os.utime(path)
            try:
                yield path.stat().st_size
            except BaseException:
                if is_new:
                    path.unlink()
                raise

    def path_of(self, digest: str) -> Path:
        """Where the archive with a digest is, if the hub has it."""
        return self._folder / f"{digest}{SUFFIX}"

    def unpack(self, digest: str, root: str, path: str, owner: tuple[int, int] | None = None) -> None:
        """Writes the files of an archive into the folder `path` below `root`; other files there are kept.

        They get an `owner`, a user and a group, None for the hub's own.

        Follows no link that is there. Raises OSError if something cannot be written, LightboardError if the archive is
        missing or damaged; a damaged one is removed, so that it can be uploaded again.
        """
        try:
            with open(self.path_of(digest), "rb") as file, new_folder(root, path) as folder:
                for entry in entries(TarStream(file)):
                    write_entry(entry, folder, owner)
        except Invalid:
            self.path_of(digest).unlink(missing_ok=True)
            raise LightboardError(f"the archive {digest[:12]} is damaged") from None
        except FileNotFoundError as error:
            if error.filename == str(self.path_of(digest)):
                raise LightboardError(f"the archive {digest[:12]} is missing") from None
            raise

    def remove_unused(self, used: Callable[[], set[str]], before: float) -> None:
        """Deletes what was stored before a time (seconds since the epoch), unless `used` has its digest."""
        with self._lock:
            kept = {self.path_of(digest).name for digest in used()}
            with os.scandir(self._folder) as found:
                for entry in found:
                    if entry.name not in kept:
                        remove_older(entry, before)


def remove_older(entry: "os.DirEntry[str]", before: float) -> None:
    """Deletes a file that was written before a time. One that cannot be deleted does not keep others from it."""
    try:
        if entry.stat(follow_symlinks=False).st_mtime < before:
            os.unlink(entry.path)
    except FileNotFoundError:  # an upload that has just ended
        pass
    except OSError as error:
        log.warning("%s is not needed, but cannot be deleted: %s", entry.path, error.strerror)


def sync_folder(folder: Path) -> None:
    """Makes a new name in a folder durable."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def write_entry(entry: Entry, folder: int, owner: tuple[int, int] | None = None) -> None:
    """Writes a file or link below an open folder, with an owner as `SourceArchives.unpack`. Raises OSError."""
    parent, _, name = entry.path.rpartition("/")
    with new_folder(folder, parent, owner) as inside:
        if entry.target:
            new_link(inside, name, entry.target)
            return
        with new_file(inside, name, PROGRAM_MODE if entry.is_executable else FILE_MODE) as file:
            file.writelines(entry.data)
            if owner is not None:
                os.fchown(file.fileno(), *owner)
