"""Files that keep what people add, one object for each file: an edit on one board is told to all that share it."""

from collections.abc import Callable

from lightboard.board.worker.log import Log
from lightboard.overlay.base import Edit, Overlay
from lightboard.overlay.content import Content
from lightboard.overlay.file import FileOverlay
from lightboard.overlay.memory import MemoryOverlay

Told = Callable[[int], None]
"""Gets the revision after an edit, in the thread that made it."""


class SharedOverlay:
    """See `overlay.base.Overlay`; tells those who joined of every edit."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._members: dict[Log, Told] = {}
        self._kept: Overlay = FileOverlay(path, "", self._say) if path else MemoryOverlay()

    @property
    def name(self) -> str:
        return self._kept.name

    @property
    def writable(self) -> bool:
        return self._kept.writable

    def read(self) -> Content:
        return self._kept.read()

    def change(self, edit: Edit) -> Content:
        content = self._kept.change(edit)
        for told in list(self._members.values()):
            told(content.revision)
        return content

    def join(self, log: Log, told: Told) -> None:
        """The board of `log` hears of edits and of damage to the file."""
        self._members[log] = told

    def leave(self, log: Log) -> bool:
        """It hears no more; True if nobody does."""
        self._members.pop(log, None)
        return not self._members

    def _say(self, text: str) -> None:
        for log in list(self._members):
            log.say(text)


class Overlays:
    """By path; a board without a path has one of its own. Belongs to the event loop."""

    def __init__(self) -> None:
        self._held: dict[str, SharedOverlay] = {}

    def take(self, path: str, log: Log, told: Told) -> SharedOverlay:
        """The overlay at `path`, for the board of `log`."""
        overlay = self._held.get(path) or SharedOverlay(path)
        if path:
            self._held[path] = overlay
        overlay.join(log, told)
        return overlay

    def give_back(self, overlay: SharedOverlay, log: Log) -> None:
        """The board needs it no more."""
        if overlay.leave(log) and self._held.get(overlay.path) is overlay:
            del self._held[overlay.path]
