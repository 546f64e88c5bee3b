"""The promise of every place that keeps what people add to the runs of one board."""

from collections.abc import Callable
from typing import Protocol

from lightboard.overlay.content import Content

Edit = Callable[[Content], Content]


class Overlay(Protocol):
    """Keeps one `Content`. Every method may be called from any thread."""

    @property
    def name(self) -> str:
        """What the place is called, for people; "" if it lasts no longer than the process."""

    @property
    def writable(self) -> bool:
        """Would an edit be kept, as far as can be told without trying?"""

    def read(self) -> Content:
        """What is kept now, also if another process put it there."""

    def change(self, edit: Edit) -> Content:
        """Keeps what `edit` makes of what is there now, and returns it; no other edit comes between.

        Raises:
            OverlayError: it cannot be kept; nothing has changed. What `edit` raises is passed on.
        """
