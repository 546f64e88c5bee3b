"""Stores the slots of runs, so that each run has the same colour after a restart."""

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from lightboard.annotations.annotations import add_slots
from lightboard.annotations.store import AnnotationStore
from lightboard.errors import AnnotationsError
from lightboard.series.catalog import Catalog

if TYPE_CHECKING:  # imported after reading has started
    from asyncio import AbstractEventLoop

    from lightboard.asgi.thread_pool import AsyncThreadPool

EVERY_SECS = 1.0
"""New runs usually appear together, so their slots are written together."""


class ColorSlotStore:
    """Writes the slots of the runs of `catalog` to `annotations`."""

    def __init__(self, catalog: Catalog, annotations: AnnotationStore, *, every_secs: float = EVERY_SECS) -> None:
        self.catalog = catalog
        self.annotations = annotations
        self.every_secs = every_secs
        self._stored = len(annotations.read().slots)
        self._scheduled = False

    def store(self) -> None:
        """Write new slots, if there are any.

        A failure is not reported: writing is tried again at the next change and at the end.
        """
        slots = self.catalog.slots()
        if len(slots) == self._stored:
            return
        with contextlib.suppress(AnnotationsError):
            self.annotations.change(lambda content: add_slots(content, slots))
            self._stored = len(slots)

    def start(self, loop: "AbstractEventLoop", pool: "AsyncThreadPool") -> Callable[[], None]:
        """Store slots as runs appear, at most once in `every_secs`, in a thread. Returns a function that stops it."""

        ended = False

        def schedule() -> None:
            loop.call_later(self.every_secs, write)

        def write() -> None:
            self._scheduled = False
            if not ended:  # the threads may be gone; the caller stores the rest
                pool.run(self.store)

        def on_change(_generation: int = 0) -> None:
            # Called from any thread. No lock: a race only stores twice.
            if not self._scheduled:
                self._scheduled = True
                with contextlib.suppress(RuntimeError):  # the loop was closed meanwhile
                    loop.call_soon_threadsafe(schedule)

        def end() -> None:
            nonlocal ended
            ended = True
            unsubscribe()

        on_change()
        unsubscribe = self.catalog.subscribe(on_change)
        return end
