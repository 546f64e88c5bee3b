"""Keeps the slots of runs, so that each has its colour again after the next start."""

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from lightboard.errors import OverlayError
from lightboard.overlay.base import Overlay
from lightboard.overlay.content import with_slots
from lightboard.series.catalog import Catalog

if TYPE_CHECKING:  # what serves is loaded when files are being read already
    from asyncio import AbstractEventLoop

    from lightboard.asgi.thread_pool import AsyncThreadPool

EVERY_SECS = 1.0
"""Runs come in crowds: their slots are written together."""


class SlotKeeper:
    """Writes slots that runs of `catalog` were given into `overlay`."""

    def __init__(self, catalog: Catalog, overlay: Overlay, *, every_secs: float = EVERY_SECS) -> None:
        self.catalog = catalog
        self.overlay = overlay
        self.every_secs = every_secs
        self._kept = len(overlay.read().slots)
        self._planned = False

    def keep(self) -> None:
        """Writes what is new, if anything is. Where nothing can be kept, colours hold until the end.

        What could not be written is tried again with the next change of the logs, and at the end: mostly that passes.
        """
        slots = self.catalog.slots()
        if len(slots) == self._kept:
            return
        with contextlib.suppress(OverlayError):
            self.overlay.change(lambda content: with_slots(content, slots))
            self._kept = len(slots)

    def start(self, loop: "AbstractEventLoop", pool: "AsyncThreadPool") -> Callable[[], None]:
        """From now on keeps slots as runs come, at most once in `every_secs`, in a thread. The answer ends that."""

        ended = False

        def plan() -> None:
            loop.call_later(self.every_secs, write)

        def write() -> None:
            self._planned = False
            if not ended:  # its threads may be gone already; who ends it keeps what is left
                pool.run(self.keep)

        def note(_generation: int = 0) -> None:
            # From any thread. A plain flag is enough: a lost race only looks twice.
            if not self._planned:
                self._planned = True
                with contextlib.suppress(RuntimeError):  # the loop has ended between two lines
                    loop.call_soon_threadsafe(plan)

        def end() -> None:
            nonlocal ended
            ended = True
            unsubscribe()

        note()
        unsubscribe = self.catalog.subscribe(note)
        return end
