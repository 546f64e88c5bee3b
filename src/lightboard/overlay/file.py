"""An overlay in a small JSON file that people can read, copy and mend.

Written whole and atomically, under a lock that other boards over the same logdir respect; read again whenever it
changed. What cannot be understood is never overwritten: a damaged file is kept aside, one of a newer version is left.
"""

import contextlib
import os
import threading
from collections.abc import Callable
from itertools import count

from lightboard.errors import OverlayError
from lightboard.overlay.base import Edit
from lightboard.overlay.content import Content
from lightboard.overlay.document import NewerVersion, parse, written
from lightboard.overlay.lock import held

LOCK = ".lock"
"""One for all boards of a user: edits are few and take milliseconds."""

HINT = "see that Lightboard's folder can be written, or name another one: LIGHTBOARD_HOME=DIR lightboard ..."

Stamp = tuple[int, int, int, int]


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

    @property
    def name(self) -> str:
        return os.path.basename(self.path)

    @property
    def writable(self) -> bool:
        self.read()
        return not self._obstacle and can_write(self.path)

    def read(self) -> Content:
        with self._lock:
            stamp = stamp_of(self.path)
            if stamp != self._stamp:
                self._stamp = stamp
                self._content, self._obstacle = Content(), ""
                if stamp is not None:
                    self._load()
            return self._content

    def change(self, edit: Edit) -> Content:
        try:
            os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
            with self._lock, held(os.path.join(os.path.dirname(self.path), LOCK)):
                before = self.read()
                after = edit(before)
                if after is not before:
                    self._write(after)
                return after
        except OSError as error:
            raise OverlayError(f"cannot write {self.name}: {error.strerror or error}", hint=HINT) from None

    def _load(self) -> None:
        try:
            with open(self.path, "rb") as file:
                text = file.read()
            self._content, fault = parse(text)
        except FileNotFoundError:
            return  # gone since we looked
        except OSError as error:
            self._obstacle = f"it cannot be read: {error.strerror}"
        except NewerVersion as error:
            self._obstacle = str(error)
        else:
            if fault:
                self._set_aside(fault)

    def _set_aside(self, fault: str) -> None:
        """Keeps a damaged file under another name, and what was good of it under its own."""
        aside = free_name(f"{self.path}.damaged")
        try:
            os.replace(self.path, aside)
            self._stamp = None
            if self._content != Content():
                self._write(self._content)
            self.say(f"note: {self.path} is damaged ({fault}); it is kept as {os.path.basename(aside)}")
        except OSError as error:
            self._obstacle = f"it is damaged ({fault}) and cannot be kept aside: {error.strerror}"
            self.say(f"note: {self.path}: {self._obstacle}")

    def _write(self, content: Content) -> None:
        if self._obstacle:
            raise OSError(None, self._obstacle)
        replace_file(os.path.realpath(self.path), written(content, self.logdir))
        self._content, self._stamp = content, stamp_of(self.path)


def stamp_of(path: str) -> Stamp | None:
    """Changes whenever the file is replaced, written or opened to us; None if there is none."""
    try:
        status = os.stat(path)
    except OSError:
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


def replace_file(path: str, data: bytes) -> None:
    """Puts `data` at `path` in one stroke: whoever reads sees the old bytes or the new, also after a power cut."""
    fresh = f"{path}.{os.getpid()}.new"
    try:
        fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(fd, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(fresh)
        raise
