"""An overlay in a small JSON file that people can read, copy and mend.

Written whole and atomically, under a lock that other boards over the same logdir respect; read again whenever it
changed. What cannot be understood is never overwritten: a damaged file is kept aside, one of a newer version is left.
While the file cannot be read, what was read last is shown, and every look tries again.
"""

import contextlib
import errno
import os
import threading
from collections.abc import Callable, Iterator
from itertools import count

from lightboard.errors import OverlayError
from lightboard.home import create_private
from lightboard.overlay.base import Edit
from lightboard.overlay.content import Content
from lightboard.overlay.document import NewerVersion, parse, written
from lightboard.overlay.lock import PATIENCE_SECS, held

LOCK = ".lock"
"""One for all boards of a user: edits are few and take milliseconds."""

HINT = "see that Lightboard's folder can be written, or name another one: LIGHTBOARD_HOME=DIR lightboard ..."

Stamp = tuple[int, int, int, int]

UNREAD: Stamp = (-1, -1, -1, -1)
"""The stamp of no file: the next look reads whatever is there."""


class FileOverlay:
    """See `overlay.base.Overlay`. `logdir` is written into the file for its readers; `say` gets a line about damage."""

    def __init__(self, path: str, logdir: str, say: Callable[[str], None]) -> None:
        self.path = path
        self.logdir = logdir
        self.say = say
        self._lock = threading.RLock()
        self._stamp: Stamp | None = None
        self._content = Content()
        self._obstacle = ""
        self._unrepaired = ""
        self._holding = False

    @property
    def name(self) -> str:
        return os.path.basename(self.path)

    @property
    def writable(self) -> bool:
        self.read()
        return not self._obstacle and can_write(self.path)

    def read(self) -> Content:
        with self._lock:
            try:
                stamp = stamp_of(self.path)
                if stamp != self._stamp:
                    self._load(stamp)
            except OSError as error:
                # Mostly it passes (no descriptors left, a disk or network that hiccups): what was read stays.
                self._obstacle, self._stamp = f"it cannot be read: {error.strerror or error}", UNREAD
            return self._content

    def change(self, edit: Edit) -> Content:
        try:
            create_private(os.path.dirname(self.path))
            with self._lock, self._held():
                before = self.read()
                after = edit(before)
                if after is not before:
                    self._write(after)
                return after
        except OSError as error:
            raise OverlayError(f"cannot write {self.name}: {error.strerror or error}", hint=HINT) from None

    @contextlib.contextmanager
    def _held(self, patience_secs: float = PATIENCE_SECS) -> Iterator[None]:
        """Holds the lock of all processes; once more in the same change is no wait."""
        if self._holding:
            yield
            return
        with held(os.path.join(os.path.dirname(self.path), LOCK), patience_secs):
            self._holding = True
            try:
                yield
            finally:
                self._holding = False

    def _load(self, stamp: Stamp | None) -> None:
        """Take in the file as it is. Raises OSError; then nothing has changed."""
        fault = ""
        try:
            content, fault = self._parse() if stamp is not None else (Content(), "")
        except NewerVersion as error:
            self._content, self._obstacle, self._stamp = Content(), str(error), stamp
            return
        if fault:
            self._repair(content, fault, stamp)
        else:
            self._content, self._obstacle, self._stamp = content, "", stamp

    def _parse(self) -> tuple[Content, str]:
        try:
            with open(self.path, "rb") as file:
                text = file.read()
        except FileNotFoundError:
            return Content(), ""  # gone since we looked
        return parse(text)

    def _repair(self, content: Content, fault: str, stamp: Stamp | None) -> None:
        """Keep a damaged file under another name, and what was good of it under its own."""
        self._content, self._obstacle, self._stamp = content, f"it is damaged ({fault})", stamp
        try:
            with self._held(patience_secs=0.0):
                # Who held the lock before may have repaired it.
                content, fault = self._parse()
                if fault:
                    self._set_aside(content, fault)
                self._content, self._obstacle, self._stamp = content, "", stamp_of(self.path)
        except TimeoutError:
            self._stamp = UNREAD  # somebody writes it just now
        except NewerVersion as error:
            self._content, self._obstacle, self._stamp = Content(), str(error), stamp
        except OSError as error:
            before = self._unrepaired
            self._unrepaired = self._obstacle = f"it is damaged ({fault}) and cannot be kept aside: {error.strerror}"
            self._stamp = UNREAD  # a full disk has room again some day
            if self._obstacle != before:
                self.say(f"note: {self.path}: {self._obstacle}")

    def _set_aside(self, content: Content, fault: str) -> None:
        """Put what is good in the place of the damaged file. What fails, or is killed half-way, costs no content."""
        aside = free_name(f"{self.path}.damaged")
        if content == Content():
            os.replace(self.path, aside)
        else:
            replace_file(os.path.realpath(self.path), written(content, self.logdir), aside)
        self.say(f"note: {self.path} is damaged ({fault}); it is kept as {os.path.basename(aside)}")

    def _write(self, content: Content) -> None:
        if self._obstacle:
            raise OSError(None, self._obstacle)
        replace_file(os.path.realpath(self.path), written(content, self.logdir))
        self._content, self._stamp = content, stamp_of(self.path)


def stamp_of(path: str) -> Stamp | None:
    """Changes whenever the file is replaced, written or opened to us; None if there is none. Raises OSError."""
    try:
        status = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def can_write(path: str) -> bool:
    """May files be made in the folder of `path`, or in the nearest one above it that is there?"""
    folder = os.path.dirname(path)
    while not os.path.isdir(folder) and folder != os.path.dirname(folder):
        if os.path.lexists(folder):
            return False
        folder = os.path.dirname(folder)
    return os.access(folder, os.W_OK | os.X_OK)


def free_name(path: str) -> str:
    """`path`, or the first of `path-2`, `path-3` ... that is not there."""
    names = (path if number == 1 else f"{path}-{number}" for number in count(1))
    return next(name for name in names if not os.path.lexists(name))


def keep_aside(path: str, aside: str) -> None:
    """Gives the file at `path` a second name; where none can be had, what is in it is copied."""
    try:
        os.link(path, aside)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EXDEV):
            raise
        with open(path, "rb") as old, open(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as copy:
            copy.write(old.read())


def replace_file(path: str, data: bytes, aside: str = "") -> None:
    """Puts `data` at `path` in one stroke: whoever reads sees the old bytes or the new, also after a power cut.

    With `aside`, the old bytes are there afterwards.
    """
    fresh = f"{path}.{os.getpid()}.new"
    try:
        fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(fd, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if aside:
            keep_aside(path, aside)
        os.replace(fresh, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(fresh)
        raise
