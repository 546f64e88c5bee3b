"""Imports the projector service at its first use: it needs NumPy, and most logs have no embeddings."""

import threading
from typing import TYPE_CHECKING

from lightboard.query.provider import IndexProvider

if TYPE_CHECKING:  # what it needs is slow to load
    from lightboard.query.projector.service import ProjectorService


class LazyProjector:
    """The projector service of `provider`, created at its first use."""

    def __init__(self, provider: IndexProvider) -> None:
        self._provider = provider
        self._lock = threading.Lock()
        self._service: ProjectorService | None = None

    def load(self) -> "ProjectorService":
        """The service. Slow the first time, so do not call it in the event loop."""
        with self._lock:
            if self._service is None:
                from lightboard.query.projector.service import ProjectorService

                self._service = ProjectorService(self._provider)
            return self._service

    def close(self) -> None:
        """Stop background work, if there is any."""
        if self._service is not None:
            self._service.close()
