"""Annotation stores that several boards of a worker share, so that an edit on one is published on all."""

from collections.abc import Callable

from lightboard.annotations.annotations import Annotations
from lightboard.annotations.file_store import FileAnnotationStore
from lightboard.annotations.memory_store import MemoryAnnotationStore
from lightboard.annotations.store import AnnotationStore, Edit
from lightboard.board.worker.log import Log

OnEdit = Callable[[int], None]
"""Called with the new revision after an edit, in the thread of the edit."""


class SharedAnnotationStore:
    """See AnnotationStore. Notifies the boards that use it of every edit."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._callbacks: dict[Log, OnEdit] = {}
        self._store: AnnotationStore = FileAnnotationStore(path, "", self._log) if path else MemoryAnnotationStore()

    @property
    def name(self) -> str:
        return self._store.name

    @property
    def writable(self) -> bool:
        return self._store.writable

    def read(self) -> Annotations:
        return self._store.read()

    def change(self, edit: Edit) -> Annotations:
        annotations = self._store.change(edit)
        for on_edit in list(self._callbacks.values()):
            on_edit(annotations.revision)
        return annotations

    def subscribe(self, log: Log, on_edit: OnEdit) -> None:
        """Notify the board of `log` of edits, and write damage of the file to its log."""
        self._callbacks[log] = on_edit

    def unsubscribe(self, log: Log) -> bool:
        """End a subscription. True if it was the last."""
        self._callbacks.pop(log, None)
        return not self._callbacks

    def _log(self, text: str) -> None:
        for log in list(self._callbacks):
            log.say(text)


class SharedAnnotationStores:
    """Stores by path; a board without a path gets a store of its own. Used in the event loop only."""

    def __init__(self) -> None:
        self._stores: dict[str, SharedAnnotationStore] = {}

    def open(self, path: str, log: Log, on_edit: OnEdit) -> SharedAnnotationStore:
        """The store at `path`, subscribed to for the board of `log`."""
        store = self._stores.get(path) or SharedAnnotationStore(path)
        if path:
            self._stores[path] = store
        store.subscribe(log, on_edit)
        return store

    def close(self, store: SharedAnnotationStore, log: Log) -> None:
        """End the subscription of a board, and forget the store after the last one."""
        if store.unsubscribe(log) and self._stores.get(store.path) is store:
            del self._stores[store.path]
