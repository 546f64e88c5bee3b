"""Stores annotations in memory, for tests and boards without a home folder."""

import threading

from lightboard.annotations.annotations import Annotations
from lightboard.annotations.store import Edit


class MemoryAnnotationStore:
    """See AnnotationStore."""

    name = ""
    writable = True

    def __init__(self, annotations: Annotations | None = None) -> None:
        self._lock = threading.Lock()
        self._annotations = annotations or Annotations()

    def read(self) -> Annotations:
        return self._annotations

    def change(self, edit: Edit) -> Annotations:
        with self._lock:
            self._annotations = edit(self._annotations)
            return self._annotations
