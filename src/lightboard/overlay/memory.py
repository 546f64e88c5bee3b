"""An overlay that lasts as long as the process: for tests, and for boards over logs that are thrown away."""

import threading

from lightboard.overlay.base import Edit
from lightboard.overlay.content import Content


class MemoryOverlay:
    """See `overlay.base.Overlay`."""

    name = ""
    writable = True

    def __init__(self, content: Content | None = None) -> None:
        self._lock = threading.Lock()
        self._content = content or Content()

    def read(self) -> Content:
        return self._content

    def change(self, edit: Edit) -> Content:
        with self._lock:
            self._content = edit(self._content)
            return self._content
