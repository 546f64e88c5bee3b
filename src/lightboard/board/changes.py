"""Publishes changes to open pages, from the threads that read files to server-sent events.

Changes within 50 ms are combined. Each listener has its own pending changes, so that a slow one delays no other.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable

from lightboard.asgi.event_stream import COMMENT, event
from lightboard.query.provider import ChangeProvider
from lightboard.series import catalog

WINDOW_SECS = 0.05
SILENCE_SECS = 15.0
"""After this time without events a comment is sent, so that proxies do not close the connection."""


class Listener:
    """The pending changes of one open page."""

    def __init__(self, loading: bool) -> None:
        self.loading = loading
        self.changed = self.was_reset = False
        self.annotations_revision = 0
        self.runs: set[int] = set()
        self.structure = False
        self.generation = 0
        self.waiting = asyncio.Event()

    def add(self, change: catalog.Changes) -> None:
        """Merge a change into the pending one."""
        self.changed = True
        self.generation = change.generation
        self.runs.update(change.runs)
        self.structure = self.structure or change.structure
        self.loading = change.loading
        self.waiting.set()

    def take(self) -> catalog.Changes:
        """Return the pending change and clear it."""
        change = catalog.Changes(self.generation, tuple(sorted(self.runs)), self.structure, self.loading)
        self.runs.clear()
        self.changed = self.structure = False
        self.waiting.clear()
        return change

    def reset(self, loading: bool) -> None:
        """Send generation 0 next, as a new server does, so that the page requests everything again."""
        self.runs.clear()
        self.was_reset, self.loading = True, loading
        self.waiting.set()

    def publish_annotations(self, revision: int) -> None:
        """Publish the last revision of the annotations; 0 for none."""
        self.annotations_revision = revision
        self.waiting.set()

    def events(self) -> list[bytes]:
        """Return the pending changes as encoded events, and clear them."""
        self.waiting.clear()
        pending = [encode_change(catalog.Changes(0, (), True, self.loading))] if self.was_reset else []
        self.was_reset = False
        if self.changed:
            pending.append(encode_change(self.take()))
        if self.annotations_revision:
            pending.append(event("overlay", json.dumps({"revision": self.annotations_revision})))
            self.annotations_revision = 0
        return pending


class Changes:
    """The changes of one board. All methods but the constructor are called in the event loop."""

    def __init__(
        self, provider: ChangeProvider, *, silence_secs: float = SILENCE_SECS, annotations_revision: int = 0
    ) -> None:
        self.provider = provider
        self.silence_secs = silence_secs
        self._annotations_revision = annotations_revision
        self._listeners: set[Listener] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._scheduled = False
        self._closed = False
        self._published = 0
        self._last_published_at = 0.0
        self._unsubscribe: Callable[[], None] = do_nothing

    def start(self) -> None:
        """Subscribe to the provider. A second call does nothing."""
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
            self._published = self.provider.generation
            self._unsubscribe = self.provider.subscribe(self._from_any_thread)

    def follow(self, provider: ChangeProvider) -> None:
        """Publish the changes of another provider from now on.

        Open pages are reset and request everything again, since run ids now refer to other runs.
        """
        self._unsubscribe()
        self.provider, self._published = provider, 0
        if self._loop is None:
            return
        self._unsubscribe = provider.subscribe(self._from_any_thread)
        for listener in self._listeners:
            listener.reset(provider.loading)
        self._publish()

    def close(self) -> None:
        """End all streams."""
        self._closed = True
        self._unsubscribe()
        for listener in self._listeners:
            listener.waiting.set()

    def _from_any_thread(self) -> None:
        # No lock: a race only wakes the loop twice.
        if self._loop is not None and not self._scheduled and not self._closed:
            self._scheduled = True
            try:
                self._loop.call_soon_threadsafe(self._schedule)
            except RuntimeError:  # the loop was closed meanwhile
                self._closed = True

    def _schedule(self) -> None:
        assert self._loop is not None
        self._loop.call_at(max(self._loop.time(), self._last_published_at + WINDOW_SECS), self._publish)

    def _publish(self) -> None:
        assert self._loop is not None
        self._scheduled = False
        self._last_published_at = self._loop.time()
        change = self.provider.changes_since(self._published)
        self._published = change.generation
        for listener in self._listeners:
            listener.add(change)

    def publish_annotations(self, revision: int) -> None:
        """Publish a new revision of the annotations."""
        if revision == self._annotations_revision:
            return
        self._annotations_revision = revision
        for listener in self._listeners:
            listener.publish_annotations(revision)

    async def stream(self) -> AsyncIterator[bytes]:
        """The events of a new listener, the first immediately. Ends when the board closes."""
        self.start()
        listener = Listener(self.provider.loading)
        listener.generation = self.provider.generation
        listener.changed, listener.annotations_revision = True, self._annotations_revision
        self._listeners.add(listener)
        try:
            for piece in listener.events():
                yield piece
            while not self._closed:
                try:
                    async with asyncio.timeout(self.silence_secs):
                        await listener.waiting.wait()
                except TimeoutError:
                    yield COMMENT
                    continue
                if not self._closed:
                    for piece in listener.events():
                        yield piece
        finally:
            self._listeners.discard(listener)


def do_nothing() -> None:
    """The initial unsubscribe function."""


def encode_change(change: catalog.Changes) -> bytes:
    """A change as an encoded event: `schema.changes.Change`."""
    return event("change", json.dumps(change._asdict(), separators=(",", ":")))
