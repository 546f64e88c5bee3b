"""One connection of the server: slow clients are not waited for without end, and all requests learn that one has left.

With `asgi.server` the only importer of uvicorn. What is used of its protocol that is not documented is named in `USED`
and `HELD`, and looked for when a server starts.
"""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, NamedTuple

from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

USED = (
    "connection_made",
    "connection_lost",
    "data_received",
    "on_message_begin",
    "on_headers_complete",
    "on_body",
    "on_message_complete",
    "pause_writing",
    "resume_writing",
)
"""Methods of uvicorn's protocol that are overridden here."""

HELD: dict[type, tuple[str, ...]] = {
    HttpToolsProtocol: ("cycle", "flow", "loop", "transport", "connections", "scope"),
    RequestResponseCycle: ("response_started", "response_complete", "disconnected", "message_event"),
    FlowControl: ("read_paused",),
}
"""What instances hold that is read or set here."""


def missing_names() -> list[str]:
    """What this version of uvicorn lacks of that."""
    methods = [name for name in USED if name not in vars(HttpToolsProtocol)]
    return methods + [f"{kind.__name__}.{name}" for kind in HELD for name in not_held(kind, HELD[kind])]


def not_held(kind: type, names: Iterable[str]) -> list[str]:
    """Those of the names that no new instance of `kind` has."""
    made = vars(kind)["__init__"].__code__.co_names
    return [name for name in names if name not in made]


class Patience(NamedTuple):
    """How long is waited for a client, and for how many.

    `idle_secs` for the first byte of a connection; `head_secs` from the first byte of a request to the end of its
    headers; a body, or an answer, moves `least_bytes` in `stall_secs`. A connection more than `most_connections` is
    told to come again.
    """

    idle_secs: float = 75.0
    head_secs: float = 20.0
    stall_secs: float = 20.0
    least_bytes: int = 16 << 10
    most_connections: int = 10_000


CROWD = "lightboard.crowd"
"""Key of a scope: the server's Crowd."""


class Crowd:
    """How many connections a server has, of the `most` it takes; `refused` were turned away since it has so many.

    Only for the event loop, but for who just looks.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.open = 0
        self.refused = 0

    @property
    def full(self) -> bool:
        """Whether the next one is turned away."""
        return self.open >= self.most

    def count(self, number: int) -> None:
        """So many are open now."""
        self.open = number
        if not self.full:
            self.refused = 0


TIMEOUT = (
    b"HTTP/1.1 408 Request Timeout\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n"
    b"content-length: 30\r\n\r\nthe request did not come whole"
)
CROWDED = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n"
    b"retry-after: 1\r\ncontent-length: 20\r\n\r\ntoo many connections"
)


class Connection(HttpToolsProtocol):
    """A connection that is closed when its client sends, or takes, too slowly."""

    patience: ClassVar[Patience] = Patience()
    crowd: ClassVar[Crowd] = Crowd(patience.most_connections)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._in_head = False
        self._in_body = False
        self._moved = 0
        self._left = 0
        self._reading: asyncio.TimerHandle | None = None
        self._writing: asyncio.TimerHandle | None = None
        self._cycles: set[RequestResponseCycle] = set()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's
        """See asyncio.Protocol, here and below."""
        super().connection_made(transport)
        self.crowd.count(len(self.connections))
        if len(self.connections) > self.patience.most_connections:
            self.crowd.refused += 1
            transport.write(CROWDED)
            transport.close()
        else:
            self._wait(self.patience.idle_secs, transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        if self._writing is not None:
            self._writing.cancel()
        super().connection_lost(exc)
        self.crowd.count(len(self.connections))
        # uvicorn tells only the last of several requests that were sent at once.
        for cycle in self._cycles:
            if not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()

    def data_received(self, data: bytes) -> None:
        if not self._in_head and not self._in_body:
            self._stop_waiting()
        super().data_received(data)
        if self._reading is None and self._in_head:
            self._wait(self.patience.head_secs, self._give_up)
        elif self._reading is None and self._in_body:
            self._wait(self.patience.stall_secs, self._look_at_body)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope[CROWD] = self.crowd  # type: ignore[literal-required]  # a key of ours
        self._in_head = True

    def on_headers_complete(self) -> None:
        self._stop_waiting()
        super().on_headers_complete()
        self._in_head, self._in_body, self._moved = False, True, 0
        self._cycles = {cycle for cycle in self._cycles if not cycle.response_complete} | {self.cycle}

    def on_body(self, body: bytes) -> None:
        self._moved += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._in_body = False
        self._stop_waiting()
        super().on_message_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._left = self.transport.get_write_buffer_size()
        self._writing = self.loop.call_later(self.patience.stall_secs, self._look_at_answer)

    def resume_writing(self) -> None:
        if self._writing is not None:
            self._writing.cancel()
        super().resume_writing()

    def _wait(self, secs: float, then: Callable[[], None]) -> None:
        self._reading = self.loop.call_later(secs, then)

    def _stop_waiting(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def _look_at_body(self) -> None:
        """A body that does not come is given up, unless it is we who do not take it."""
        if self._moved < self.patience.least_bytes and not self.flow.read_paused:
            self._give_up()
            return
        self._moved = 0
        self._wait(self.patience.stall_secs, self._look_at_body)

    def _look_at_answer(self) -> None:
        """An answer that nobody takes is thrown away, with all that waits to be sent."""
        left = self.transport.get_write_buffer_size()
        if self._left - left < self.patience.least_bytes:
            self.transport.abort()
            return
        self._left = left
        self._writing = self.loop.call_later(self.patience.stall_secs, self._look_at_answer)

    def _give_up(self) -> None:
        """Says so, unless an answer is under way, and closes."""
        if not any(cycle.response_started and not cycle.response_complete for cycle in self._cycles):
            self.transport.write(TIMEOUT)
        self.transport.close()


def connection_type(given: Patience) -> type[Connection]:
    """Connections of one server, with as much patience as given."""
    return type("Connection", (Connection,), {"patience": given, "crowd": Crowd(given.most_connections)})
