"""Stores annotations in a small JSON file that people can read, copy and repair.

The file is replaced atomically, under a lock that all boards of a user share, and read again whenever it changed.
Content that cannot be parsed is never overwritten: a damaged file is renamed, and a file of a newer version is left
alone. While the file cannot be read, the store returns what it read last and tries again at each access.
"""

import contextlib
import errno
import os
import threading
from collections.abc import Callable, Iterator
from itertools import count

from lightboard.annotations.annotations import Annotations
from lightboard.annotations.file_format import NewerVersion, parse, serialize
from lightboard.annotations.file_lock import TIMEOUT_SECS, file_lock
from lightboard.annotations.store import Edit
from lightboard.errors import AnnotationsError
from lightboard.home import create_private

LOCK = ".lock"
"""One lock for all boards of a user: edits are rare and take milliseconds."""

HINT = "make Lightboard's folder writable, or choose another one: LIGHTBOARD_HOME=DIR lightboard ..."

FileVersion = tuple[int, int, int, int]

UNREAD: FileVersion = (-1, -1, -1, -1)
"""The version of no file, so that the next access reads the file again."""


class FileAnnotationStore:
    """See AnnotationStore. `logdir` is written to the file for readers; `log` is called with messages about damage."""

    def __init__(self, path: str, logdir: str, log: Callable[[str], None]) -> None:
        self.path = path
        self.logdir = logdir
        self.log = log
        self._lock = threading.RLock()
        self._version: FileVersion | None = None
        self._annotations = Annotations()
        self._load_error = ""
        self._repair_error = ""
        self._is_locked = False

    @property
    def name(self) -> str:
        return os.path.basename(self.path)

    @property
    def writable(self) -> bool:
        self.read()
        return not self._load_error and can_write(self.path)

    def read(self) -> Annotations:
        with self._lock:
            try:
                version = version_of(self.path)
                if version != self._version:
                    self._load(version)
            except OSError as error:
                # Usually temporary, such as no free descriptors or a network failure.
                self._load_error, self._version = f"it cannot be read: {error.strerror or error}", UNREAD
            return self._annotations

    def change(self, edit: Edit) -> Annotations:
        try:
            create_private(os.path.dirname(self.path))
            with self._lock, self._file_lock():
                before = self.read()
                after = edit(before)
                if after is not before:
                    self._write(after)
                return after
        except OSError as error:
            raise AnnotationsError(f"cannot write {self.name}: {error.strerror or error}", hint=HINT) from None

    @contextlib.contextmanager
    def _file_lock(self, timeout_secs: float = TIMEOUT_SECS) -> Iterator[None]:
        """Hold the lock that excludes other processes. Reentrant."""
        if self._is_locked:
            yield
            return
        with file_lock(os.path.join(os.path.dirname(self.path), LOCK), timeout_secs):
            self._is_locked = True
            try:
                yield
            finally:
                self._is_locked = False

    def _load(self, version: FileVersion | None) -> None:
        """Load the file. Raises OSError; then nothing has changed."""
        damage = ""
        try:
            annotations, damage = self._parse() if version is not None else (Annotations(), "")
        except NewerVersion as error:
            self._annotations, self._load_error, self._version = Annotations(), str(error), version
            return
        if damage:
            self._repair(annotations, damage, version)
        else:
            self._annotations, self._load_error, self._version = annotations, "", version

    def _parse(self) -> tuple[Annotations, str]:
        try:
            with open(self.path, "rb") as file:
                text = file.read()
        except FileNotFoundError:
            return Annotations(), ""  # deleted since `version_of`
        return parse(text)

    def _repair(self, annotations: Annotations, damage: str, version: FileVersion | None) -> None:
        """Rename a damaged file, and write its valid part under its own name."""
        self._annotations, self._load_error, self._version = annotations, f"it is damaged ({damage})", version
        try:
            with self._file_lock(timeout_secs=0.0):
                # The previous holder of the lock may have repaired it.
                annotations, damage = self._parse()
                if damage:
                    self._set_aside(annotations, damage)
                self._annotations, self._load_error, self._version = annotations, "", version_of(self.path)
        except TimeoutError:
            self._version = UNREAD  # another process is writing it
        except NewerVersion as error:
            self._annotations, self._load_error, self._version = Annotations(), str(error), version
        except OSError as error:
            before = self._repair_error
            self._repair_error = self._load_error = f"it is damaged ({damage}) and cannot be renamed: {error.strerror}"
            self._version = UNREAD  # try again: the disk may have been full
            if self._load_error != before:
                self.log(f"note: {self.path}: {self._load_error}")

    def _set_aside(self, annotations: Annotations, damage: str) -> None:
        """Replace the damaged file by its valid part. A failure or crash on the way loses nothing."""
        backup = unused_name(f"{self.path}.damaged")
        if annotations == Annotations():
            os.replace(self.path, backup)
        else:
            replace_file(os.path.realpath(self.path), serialize(annotations, self.logdir), backup)
        self.log(f"note: {self.path} is damaged ({damage}); it is kept as {os.path.basename(backup)}")

    def _write(self, annotations: Annotations) -> None:
        if self._load_error:
            raise OSError(None, self._load_error)
        replace_file(os.path.realpath(self.path), serialize(annotations, self.logdir))
        self._annotations, self._version = annotations, version_of(self.path)


def version_of(path: str) -> FileVersion | None:
    """A value that changes whenever the file or its permissions do; None if there is no file. Raises OSError."""
    try:
        status = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def can_write(path: str) -> bool:
    """Whether files can be created in the folder of `path`, or in its nearest existing parent."""
    folder = os.path.dirname(path)
    while not os.path.isdir(folder) and folder != os.path.dirname(folder):
        if os.path.lexists(folder):
            return False
        folder = os.path.dirname(folder)
    return os.access(folder, os.W_OK | os.X_OK)


def unused_name(path: str) -> str:
    """`path`, or the first of `path-2`, `path-3` ... that does not exist."""
    names = (path if number == 1 else f"{path}-{number}" for number in count(1))
    return next(name for name in names if not os.path.lexists(name))


def back_up(path: str, backup: str) -> None:
    """Give the file at `path` a second name, or copy it where the file system has no hard links."""
    try:
        os.link(path, backup)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EXDEV):
            raise
        with open(path, "rb") as old, open(os.open(backup, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as copy:
            copy.write(old.read())


def replace_file(path: str, data: bytes, backup: str = "") -> None:
    """Write `data` to `path` atomically: readers see the old bytes or the new, also after a power failure.

    If `backup` is given, the old bytes are kept under that name.
    """
    temporary = f"{path}.{os.getpid()}.new"
    try:
        fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(fd, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if backup:
            back_up(path, backup)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
