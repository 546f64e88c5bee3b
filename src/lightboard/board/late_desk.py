"""The desk for embeddings, loaded when first asked: it needs numpy, and most logs have none."""

import threading
from typing import TYPE_CHECKING

from lightboard.query.provider import Provider

if TYPE_CHECKING:  # what it needs is slow to load
    from lightboard.query.projector.desk import Desk


class LateDesk:
    """A desk over `provider`, made at its first use."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        self._lock = threading.Lock()
        self._desk: Desk | None = None

    def load(self) -> "Desk":
        """The desk. Takes some time at first; not for the event loop."""
        with self._lock:
            if self._desk is None:
                from lightboard.query.projector.desk import Desk

                self._desk = Desk(self._provider)
            return self._desk

    def close(self) -> None:
        """End what works in the background, if anything ever did."""
        if self._desk is not None:
            self._desk.close()
