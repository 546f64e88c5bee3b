"""The archives of source code in a folder of the hub: stored by digest, unpacked when a job starts."""

import contextlib
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from lightboard.errors import Invalid
from lightboard.hub.source_tar import Entry, TarStream, entries
from lightboard.storage.new_folder import new_file, new_folder, new_link

SUFFIX = ".tar.gz"
FILE_MODE, PROGRAM_MODE = 0o600, 0o700


class SourceArchives:
    """The archives in `folder`. Thread-safe, for one process."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def new_upload(self) -> Iterator[Path]:
        """An empty file for an archive that arrives; deleted at the end unless it was added. Raises OSError."""
        fd, name = tempfile.mkstemp(dir=self._folder, prefix="upload-")
        os.close(fd)
        try:
            yield Path(name)
        finally:
            Path(name).unlink(missing_ok=True)

    @contextlib.contextmanager
    def adding(self, upload: Path, digest: str) -> Iterator[None]:
        """Stores a complete upload, unless the block raises. `remove_unused` waits until its row is committed there."""
        with upload.open("rb") as file:
            os.fsync(file.fileno())
        with self._lock:
            path = self.path_of(digest)
            existed = path.exists()
            os.replace(upload, path)
            try:
                yield
            except BaseException:
                if not existed:
                    path.unlink()
                raise

    def path_of(self, digest: str) -> Path:
        """Where the archive with a digest is, if the hub has it."""
        return self._folder / f"{digest}{SUFFIX}"

    def unpack(self, digest: str, root: str, path: str) -> None:
        """Writes the files of an archive into the folder `path` below `root`; other files there are kept.

        Follows no link that is there. Raises OSError, also if the archive is missing or damaged.
        """
        with open(self.path_of(digest), "rb") as file, new_folder(root, path) as folder:
            try:
                for entry in entries(TarStream(file)):
                    write_entry(entry, folder)
            except Invalid as error:
                raise OSError(0, error.message, file.name) from None

    def remove_unused(self, used: Callable[[], set[str]], before: float) -> None:
        """Deletes what was stored before a time (seconds since the epoch), unless `used` has its digest."""
        with self._lock:
            kept = {self.path_of(digest).name for digest in used()}
            with os.scandir(self._folder) as found:
                for entry in found:
                    if entry.name not in kept and entry.stat(follow_symlinks=False).st_mtime < before:
                        os.unlink(entry.path)


def write_entry(entry: Entry, folder: int) -> None:
    """Writes a file or link below an open folder. Raises OSError."""
    parent, _, name = entry.path.rpartition("/")
    with new_folder(folder, parent) as inside:
        if entry.data is None:
            new_link(inside, name, entry.target)
            return
        with new_file(inside, name, PROGRAM_MODE if entry.is_executable else FILE_MODE) as file:
            shutil.copyfileobj(entry.data, file)
