"""Tells every open page what changed, from threads that read files to sockets of browsers.

News of one window of 50 ms become one event. Each listener has its own small account of what it has not yet been
told, so that a slow one costs nothing but its own delay.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable

from lightboard.asgi.event_stream import COMMENT, event
from lightboard.query.provider import Provider
from lightboard.series import catalog

WINDOW_SECS = 0.05
SILENCE_SECS = 15.0
"""A comment after so much silence keeps proxies from closing the line."""


class Listener:
    """What one open page has not been told yet."""

    def __init__(self, loading: bool) -> None:
        self.loading = loading
        self.changed = self.anew = False
        self.overlay_revision = 0
        self.runs: set[int] = set()
        self.structure = False
        self.generation = 0
        self.waiting = asyncio.Event()

    def add(self, change: catalog.Changes) -> None:
        """One more change; whatever is pending becomes one."""
        self.changed = True
        self.generation = change.generation
        self.runs.update(change.runs)
        self.structure = self.structure or change.structure
        self.loading = change.loading
        self.waiting.set()

    def take(self) -> catalog.Changes:
        """Everything pending as one change, and no change is pending any more."""
        change = catalog.Changes(self.generation, tuple(sorted(self.runs)), self.structure, self.loading)
        self.runs.clear()
        self.changed = self.structure = False
        self.waiting.clear()
        return change

    def begin_anew(self, loading: bool) -> None:
        """What was told so far holds no longer: the next event goes back to generation 0, as of a new server."""
        self.runs.clear()
        self.anew, self.loading = True, loading
        self.waiting.set()

    def tell_overlay(self, revision: int) -> None:
        """What people added has changed; only the last revision is told. 0 says nothing."""
        self.overlay_revision = revision
        self.waiting.set()

    def events(self) -> list[bytes]:
        """Everything pending, on the wire, and nothing is pending any more."""
        self.waiting.clear()
        pending = [encoded(catalog.Changes(0, (), True, self.loading))] if self.anew else []
        self.anew = False
        if self.changed:
            pending.append(encoded(self.take()))
        if self.overlay_revision:
            pending.append(event("overlay", json.dumps({"revision": self.overlay_revision})))
            self.overlay_revision = 0
        return pending


class Changes:
    """The news of one board. Made anywhere; `start` belongs to the event loop that serves."""

    def __init__(self, provider: Provider, *, silence_secs: float = SILENCE_SECS, overlay_revision: int = 0) -> None:
        self.provider = provider
        self.silence_secs = silence_secs
        self._overlay_revision = overlay_revision
        self._listeners: set[Listener] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._armed = False
        self._closed = False
        self._told = 0
        self._last_told_at = 0.0
        self._unsubscribe: Callable[[], None] = nothing

    def start(self) -> None:
        """Begins to listen to the catalog. Called in the event loop; a second call does nothing."""
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
            self._told = self.provider.generation
            self._unsubscribe = self.provider.subscribe(self._from_any_thread)

    def follow(self, provider: Provider) -> None:
        """From now on tells of `provider`. Called in the event loop.

        Open pages are told that they missed something, so that they ask for everything again: ids of runs now mean
        other runs.
        """
        self._unsubscribe()
        self.provider, self._told = provider, 0
        if self._loop is None:
            return
        self._unsubscribe = provider.subscribe(self._from_any_thread)
        for listener in self._listeners:
            listener.begin_anew(provider.loading)
        self._tell()

    def close(self) -> None:
        """Ends every stream now. Called in the event loop."""
        self._closed = True
        self._unsubscribe()
        for listener in self._listeners:
            listener.waiting.set()

    def _from_any_thread(self) -> None:
        # A plain flag is enough: a lost race only wakes the loop twice.
        if self._loop is not None and not self._armed and not self._closed:
            self._armed = True
            try:
                self._loop.call_soon_threadsafe(self._arm)
            except RuntimeError:  # the loop has ended between two lines
                self._closed = True

    def _arm(self) -> None:
        assert self._loop is not None
        self._loop.call_at(max(self._loop.time(), self._last_told_at + WINDOW_SECS), self._tell)

    def _tell(self) -> None:
        assert self._loop is not None
        self._armed = False
        self._last_told_at = self._loop.time()
        change = self.provider.changes_since(self._told)
        self._told = change.generation
        for listener in self._listeners:
            listener.add(change)

    def tell_overlay(self, revision: int) -> None:
        """Tells every page that what people added is now of this revision. Called in the event loop."""
        if revision == self._overlay_revision:
            return
        self._overlay_revision = revision
        for listener in self._listeners:
            listener.tell_overlay(revision)

    async def stream(self) -> AsyncIterator[bytes]:
        """The events of one listener, the first at once; ends when the board closes."""
        self.start()
        listener = Listener(self.provider.loading)
        listener.generation = self.provider.generation
        listener.changed, listener.overlay_revision = True, self._overlay_revision
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


def nothing() -> None:
    """Stands in for a subscription that was not made."""


def encoded(change: catalog.Changes) -> bytes:
    """A change on the wire; the shape is `schema.changes.Change`."""
    return event("change", json.dumps(change._asdict(), separators=(",", ":")))
